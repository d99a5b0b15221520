// Scalars, groups and pairings of math/curve.h against @noble/curves, on random and edge values, on every CPU path.
//
// Cases are made here with their expected answers, then all put to tests/oracle/oracle.c in one go.  SEED=... repeats.
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { normalizeZ } from '@noble/curves/abstract/curve.js';
import { bn254 } from '@noble/curves/bn254.js';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';

import { curves, mod, modInv, modPow } from './lib/curves.mjs';
import { oraclePath } from './lib/cuzk.mjs';
import { toLe } from './lib/iden3.mjs';

const NOBLE = { bn254, 'bls12-381': bls12_381 };
const PATHS = ['portable', 'adx', 'ifma'];

/** Random numbers that a seed decides. */
class Random {
    constructor(seed) { this.seed = seed; this.count = 0; }

    bytes(n) {
        let out = Buffer.alloc(0);
        while (out.length < n)
            out = Buffer.concat([out, createHash('sha256').update(`${this.seed}:${this.count++}`).digest()]);
        return out.subarray(0, n);
    }

    below(limit) { return BigInt(`0x${this.bytes(64).toString('hex')}`) % limit; }
}

/** Names and numbers of one group, as noble knows it; encodes as the oracle reads it. */
class Group {
    constructor(curve, which) {
        const { G1, G2, fields } = NOBLE[curve.name];
        this.name = `${curve.name} ${which}`;
        this.Point = (which === 'g1' ? G1 : G2).Point;
        this.F = which === 'g1' ? fields.Fp : fields.Fp2;
        this.q = curve.q;
        this.r = curve.r;
        this.bytes = curve.name === 'bn254' ? 32 : 48;
        this.isG2 = which === 'g2';
        // from_x calls a root larger by its value; in G2 by c1, then c0 (curve.h)
        this.rank = (y) => (this.isG2 ? y.c1 * this.q + y.c0 : y);
        this.b = this.Point.CURVE().b;
    }

    hexCoordinate(x) {
        return (this.isG2 ? [x.c0, x.c1] : [x]).map((v) => toLe(v, this.bytes).toString('hex')).join('');
    }

    hexAffine({ x, y }) { return this.hexCoordinate(x) + this.hexCoordinate(y); }

    hex(p) { return p.is0() ? this.hexAffine({ x: this.F.ZERO, y: this.F.ZERO }) : this.hexAffine(p.toAffine()); }

    mul(p, k) { return p.multiplyUnsafe(mod(k, this.r)); }

    randomX(random) {
        return this.isG2 ? this.F.fromBigTuple([random.below(this.q), random.below(this.q)]) : random.below(this.q);
    }

    /** Both roots of x^3 + b, smaller first; none if it is no square. */
    roots(x) {
        const { F } = this;
        const square = F.add(F.mul(F.sqr(x), x), this.b);
        let y;
        try { y = F.sqrt(square); } catch { return []; }
        return [y, F.neg(y)].sort((s, t) => (this.rank(s) < this.rank(t) ? -1 : 1));
    }

    /** Points on the curve, rarely in the subgroup when there is a cofactor. */
    curvePoints(random, count) {
        const out = [];
        while (out.length < count) {
            const x = this.randomX(random);
            const [y] = this.roots(x);
            if (y !== undefined) out.push(this.Point.fromAffine({ x, y }));
        }
        return out;
    }
}

const edgeScalars = (r) => [0n, 1n, 2n, 3n, r - 1n, r - 2n, (r - 1n) / 2n, (r + 1n) / 2n, 2n ** 64n - 1n, 2n ** 64n,
    2n ** 128n, 2n ** 128n - 1n, 2n ** 192n + 1n, 2n ** 253n, 2n ** 16n - 1n];

/* --- cases: [command, expected answer] --------------------------------------------------------------------------- */

function scalarCases(curve, random) {
    const { r } = curve;
    const hex = (x) => toLe(x, 32).toString('hex');
    const values = [...edgeScalars(r), ...Array.from({ length: 12 }, () => random.below(r))];
    const at = `${curve.name} fr`;
    const cases = [];

    for (const a of values) {
        for (const b of values) {
            cases.push([`${at} add ${hex(a)} ${hex(b)}`, hex(mod(a + b, r))]);
            cases.push([`${at} sub ${hex(a)} ${hex(b)}`, hex(mod(a - b, r))]);
            cases.push([`${at} mul ${hex(a)} ${hex(b)}`, hex(mod(a * b, r))]);
        }
        cases.push([`${at} inv ${hex(a)}`, hex(a === 0n ? 0n : modInv(a, r))]);
    }
    cases.push([`${at} batch_inv ${values.map(hex).join(' ')}`, values.map((a) => hex(a && modInv(a, r))).join(' ')]);
    for (const a of [0n, r - 1n, r, r + 1n, 2n * r - 1n, 2n ** 255n, 2n ** 256n - 1n])
        cases.push([`${at} reduced ${hex(a)}`, String(a < r)]);
    const wide = Array.from({ length: 20 }, () => random.below(2n ** 512n));
    for (const a of [0n, r, r * r, 2n ** 256n, 2n ** 512n - 1n, r << 256n, ...wide])
        cases.push([`${at} wide ${toLe(a, 64).toString('hex')}`, hex(a % r)]);
    // snarkjs takes the smallest non-residue, the others 5 and 7 (docs/formats.md)
    for (const [kind, g] of [['snarkjs', 5n], ['gnark', curve.name === 'bn254' ? 5n : 7n]])
        for (let k = 0; k <= curve.twoAdicity; k++)
            cases.push([`${at} root ${kind} ${k}`, hex(modPow(g, (r - 1n) >> BigInt(k), r))]);
    return cases;
}

/** Points that additions and checks are tried on: edges, random ones, some outside of the subgroup. */
function pointsOf(group, random) {
    const base = group.Point.BASE;
    const p = group.mul(base, random.below(group.r));
    const q = group.mul(base, random.below(group.r));
    const wild = group.curvePoints(random, 3);
    // what is left of a point once its part in the subgroup is gone: of small order, or the identity
    const torsion = wild[0].multiplyUnsafe(group.r - 1n).add(wild[0]);
    const order3 = group.roots(group.F.ZERO).map((y) => group.Point.fromAffine({ x: group.F.ZERO, y }));
    return [group.Point.ZERO, base, base.negate(), p, p.negate(), q, p.add(q), p.double(), ...wild, torsion,
        p.add(torsion), ...order3, ...order3.map((t) => t.add(p))];
}

function groupCases(group, random) {
    const { name: at } = group;
    const hex = (p) => group.hex(p);
    const scalar = (k) => toLe(k, 32).toString('hex');
    const points = pointsOf(group, random);
    const cases = [[`${at} generator`, hex(group.Point.BASE)]];

    for (const p of points) {
        cases.push([`${at} neg ${hex(p)}`, hex(p.negate())]);
        cases.push([`${at} on_curve ${hex(p)}`, 'true'], [`${at} reduced ${hex(p)}`, 'true']);
        cases.push([`${at} in_subgroup ${hex(p)}`, String(p.is0() || p.isTorsionFree())]);
        for (const q of points) {
            cases.push([`${at} add ${hex(p)} ${hex(q)}`, hex(p.add(q))]);
            cases.push([`${at} equal ${hex(p)} ${hex(q)}`, String(p.equals(q))]);
        }
    }
    for (const p of points.filter((x) => x.is0() || x.isTorsionFree()))
        for (const k of [...edgeScalars(group.r).filter((x) => x < group.r), random.below(group.r)])
            cases.push([`${at} mul ${hex(p)} ${scalar(k)}`, hex(group.mul(p, k))]);
    return [...cases, ...coordinateCases(group, random)];
}

/** Points that are none, and points from their x. */
function coordinateCases(group, random) {
    const { name: at, F, q } = group;
    const cases = [];
    const same = (v) => (group.isG2 ? F.fromBigTuple([v, v]) : v);

    for (let i = 0; i < 8; i++) {
        const p = group.mul(group.Point.BASE, random.below(group.r)).toAffine();
        const off = group.hexAffine({ x: p.x, y: F.add(p.y, F.ONE) });
        cases.push([`${at} on_curve ${off}`, 'false']);
        cases.push([`${at} on_curve ${group.hexAffine({ x: p.y, y: p.x })}`, 'false']);
        cases.push([`${at} on_curve ${group.hexAffine({ x: p.x, y: F.ZERO })}`, 'false']);
    }
    const { x, y } = group.Point.BASE.toAffine();
    const zeros = '00'.repeat(group.bytes * (group.isG2 ? 1 : 0));
    const raw = (v) => toLe(v, group.bytes).toString('hex') + zeros;
    for (const v of [q, q + 1n, 2n ** BigInt(8 * group.bytes) - 1n]) {
        cases.push([`${at} reduced ${raw(v)}${group.hexCoordinate(y)}`, 'false']);
        cases.push([`${at} reduced ${group.hexCoordinate(x)}${raw(v)}`, 'false']);
        cases.push([`${at} from_x ${raw(v)} 0`, 'none']);
    }
    const xs = [x, ...[0n, 1n, 2n, 3n, 4n, 5n, q - 1n, q - 2n, (q - 1n) / 2n].map(same),
        ...Array.from({ length: 24 }, () => group.randomX(random))];
    if (group.isG2)
        for (let i = 0; i < 8; i++) xs.push(F.fromBigTuple(i & 1 ? [0n, random.below(q)] : [random.below(q), 0n]));
    for (const value of xs) {
        const roots = group.roots(value);
        for (const larger of [0, 1]) {
            const answer = roots.length > 0 ? group.hexAffine({ x: value, y: roots[larger] }) : 'none';
            cases.push([`${at} from_x ${group.hexCoordinate(value)} ${larger}`, answer]);
        }
    }
    return cases;
}

/** Sums whose points have known logarithms, so that noble needs one multiplication for each. */
function sumCases(group, random) {
    const { name: at, r } = group;
    const scalar = (k) => toLe(k, 32).toString('hex');
    const base = group.Point.BASE;
    const cases = [];
    const logs = [random.below(r)];
    const points = [group.mul(base, logs[0])];
    const step = random.below(r);
    const stepPoint = group.mul(base, step);
    while (points.length < 300) {
        logs.push(mod(logs[logs.length - 1] + step, r));
        points.push(points[points.length - 1].add(stepPoint));
    }
    const hexes = normalizeZ(group.Point, points).map((p) => group.hex(p));
    const zero = group.hex(group.Point.ZERO);

    const sum = (terms) => {
        const words = terms.map(([i, k, sign]) => {
            const point = i < 0 ? zero : sign < 0 ? group.hex(points[i].negate()) : hexes[i];
            return `${point} ${scalar(k)}`;
        });
        const log = terms.reduce((acc, [i, k, sign]) => (i < 0 ? acc : acc + (sign < 0 ? -1n : 1n) * logs[i] * k), 0n);
        cases.push([`${at} msm ${words.join(' ')}`.trim(), group.hex(group.mul(base, log))]);
    };
    const all = (count, scalarOf, indexOf = (i) => i) =>
        sum(Array.from({ length: count }, (_, i) => [indexOf(i), scalarOf(i), 1]));

    for (const count of [0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 64, 65, 257]) all(count, () => random.below(r));
    for (const k of edgeScalars(r).filter((x) => x < r)) {
        sum([[0, k, 1]]);
        all(40, () => k);                                        // equal scalars
        all(40, () => k, () => 5);                               // and equal points
        sum([[1, k, 1], [1, k, -1]]);                            // opposite points
    }
    const edges = edgeScalars(r).filter((x) => x < r);
    all(300, (i) => edges[i % edges.length]);
    all(300, (i) => BigInt(i & 1));                              // bits
    all(300, () => random.below(2n ** 16n));                     // small
    all(300, (i) => (i % 10 ? BigInt(i & 1) : random.below(r))); // mostly bits
    all(300, () => random.below(r), (i) => i % 4);               // four distinct points
    all(300, () => random.below(r), (i) => (i % 3 ? i : -1));    // every third the identity
    all(50, () => random.below(r), () => -1);                    // identities only
    // adds up to the identity
    sum(Array.from({ length: 200 }, (_, i) => [i >> 1, BigInt(i >> 1) + 1n, i & 1 ? -1 : 1]));
    sum(Array.from({ length: 200 }, (_, i) => [i % 5, random.below(r), i & 1 ? -1 : 1]));

    const scalars = [...edges, ...Array.from({ length: 40 }, () => random.below(r))];
    cases.push([`${at} fixed ${hexes[0]} ${scalars.map(scalar).join(' ')}`,
        scalars.map((k) => group.hex(group.mul(points[0], k))).join(' ')]);
    return cases;
}

function pairingCases(curve, g1, g2, random) {
    const { pairing, fields: { Fp12 } } = NOBLE[curve.name];
    const { r } = curve;
    const [P, Q] = [g1.Point.BASE, g2.Point.BASE];
    const cases = [];
    const hex12 = ({ c0, c1 }) => [c0.c0, c0.c1, c0.c2, c1.c0, c1.c1, c1.c2]
        .flatMap((v) => [v.c0, v.c1]).map((v) => toLe(v, g1.bytes).toString('hex')).join('');

    const pair = (p, q) => {
        const value = p.is0() || q.is0() ? Fp12.ONE : pairing(p, q);
        cases.push([`${curve.name} pair ${g1.hex(p)} ${g2.hex(q)}`, hex12(value)]);
    };
    pair(P, Q);
    pair(P.negate(), Q);
    pair(P, Q.negate());
    pair(g1.Point.ZERO, Q);
    pair(P, g2.Point.ZERO);
    for (let i = 0; i < 6; i++) pair(g1.mul(P, random.below(r)), g2.mul(Q, random.below(r)));

    const product = (terms, expected) => {
        const words = terms.map(([a, b]) => `${g1.hex(g1.mul(P, a))} ${g2.hex(g2.mul(Q, b))}`);
        cases.push([`${curve.name} product ${words.join(' ')}`.trim(), String(expected)]);
    };
    product([], true);
    product([[0n, 5n], [5n, 0n]], true);
    product([[1n, 1n]], false);
    for (let i = 0; i < 6; i++) {
        const [a, b, c, d] = Array.from({ length: 4 }, () => random.below(r));
        product([[a, b], [-b, a]], true);
        product([[a, b], [b, a]], false);
        product([[a, b], [c, d], [-1n, mod(a * b + c * d, r)]], true);                // a verification's shape
        product([[a, b], [c, d], [0n, a], [-1n, mod(a * b + c * d + 1n, r)]], false);
        product([[a, b], [c, d], [1n, mod(-a * b - c * d, r)], [d, 0n]], true);
    }
    return cases;
}

/* --- the oracle --------------------------------------------------------------------------------------------------- */

/** Answers of the oracle on one CPU path; null if this CPU lacks it. */
function ask(path, commands) {
    const { status, signal, stdout, stderr, error } = spawnSync(oraclePath, [path],
        { input: `${commands.join('\n')}\n`, encoding: 'utf8', maxBuffer: 1 << 28 });
    if (error) throw error;
    if (stderr.includes('this CPU lacks the path')) return null;
    const answers = stdout.split('\n').slice(0, -1);
    const at = commands[answers.length]?.slice(0, 200);
    assert.equal(status, 0, `oracle ${path}: ${signal ?? status} at ${at}: ${stderr}`);
    return answers;
}

const seed = process.env.SEED ?? randomBytes(8).toString('hex');
console.error(`SEED=${seed}`);

for (const curve of curves) {
    const random = new Random(seed + curve.name);
    const [g1, g2] = ['g1', 'g2'].map((which) => new Group(curve, which));
    const suites = {
        scalars: () => scalarCases(curve, random),
        'points of G1': () => groupCases(g1, random),
        'points of G2': () => groupCases(g2, random),
        'sums in G1': () => sumCases(g1, random),
        'sums in G2': () => sumCases(g2, random),
        pairings: () => pairingCases(curve, g1, g2, random),
    };
    for (const [name, make] of Object.entries(suites)) {
        test(`${curve.name}: ${name} as @noble/curves has them`, async (t) => {
            const cases = make();
            for (const path of PATHS)
                await t.test(`${path}, ${cases.length} cases`, (sub) => {
                    const answers = ask(path, cases.map(([command]) => command));
                    if (answers === null && path !== 'portable') return sub.skip('this CPU lacks the path');
                    cases.forEach(([command, expected], i) =>
                        assert.equal(answers[i], expected, `SEED=${seed}: ${command.slice(0, 2000)}`));
                });
        });
    }
}
