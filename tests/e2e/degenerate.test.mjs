// Circuits at the edges of what a circuit can be, written by code, on both curves.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { curves } from './lib/curves.mjs';
import { cuzkOk, scratch } from './lib/cuzk.mjs';
import { closeJudge, setupProveJudge, snarkjsProves } from './lib/judge.mjs';
import { firstUnsatisfied, writeR1cs, writeWtns } from './lib/iden3.mjs';

after(closeJudge);

const one = [[0, 1n]];
const wire = (i, value = 1n) => [[i, value]];

// Each: the circuit but for its prime, the witness, and the size of its domain.  Values of the witness are below both
// primes; minus(x) is r - x.
const cases = {
    'no public value': () => ({
        publicOutputs: 0, publicInputs: 0, witness: [1n, 3n, 9n, 27n], domain: 4,
        constraints: [[wire(1), wire(1), wire(2)], [wire(1), wire(2), wire(3)]],
    }),
    'no public value, domain of 2': () => ({
        publicOutputs: 0, publicInputs: 0, witness: [1n, 5n, 25n], domain: 2,
        constraints: [[wire(1), wire(1), wire(2)]],
    }),
    'domain of 2, one wire besides 1': () => ({
        publicOutputs: 0, publicInputs: 0, witness: [1n, 1n], domain: 2,
        constraints: [[wire(1), wire(1), wire(1)]],
    }),
    'no constraint, one public value': () => ({
        publicOutputs: 0, publicInputs: 1, witness: [1n, 7n], domain: 2, constraints: [],
    }),
    'no constraint, public and private wires': () => ({
        publicOutputs: 1, publicInputs: 2, witness: [1n, 7n, 0n, 9n, 11n, 12n], domain: 4, constraints: [],
    }),
    'no constraint, no public value': () => ({
        publicOutputs: 0, publicInputs: 0, witness: [1n, 7n], domain: 2, constraints: [],
    }),
    'no constraint, nothing but the wire 1': () => ({
        publicOutputs: 0, publicInputs: 0, witness: [1n], domain: 2, constraints: [],
    }),
    'every wire public': () => ({
        publicOutputs: 1, publicInputs: 1, witness: [1n, 49n, 7n], domain: 4,
        constraints: [[wire(2), wire(2), wire(1)]],
    }),
    'unused wires, public and private': () => ({
        publicOutputs: 1, publicInputs: 1, witness: [1n, 16n, 12345n, 4n, 99n, 0n], domain: 4,
        constraints: [[wire(3), wire(3), wire(1)]],
    }),
    'explicit zero coefficients': () => ({
        publicOutputs: 1, publicInputs: 0, witness: [1n, 16n, 4n, 77n], domain: 4,
        constraints: [[[[2, 1n], [3, 0n]], [[0, 0n], [2, 1n]], [[1, 1n], [3, 0n], [0, 0n]]],
            [wire(3, 0n), wire(2, 0n), wire(1, 0n)]],
    }),
    'empty rows': () => ({
        publicOutputs: 1, publicInputs: 0, witness: [1n, 16n, 4n], domain: 8,
        constraints: [[[], [], []], [wire(2), wire(2), wire(1)], [wire(2), [], []], [[], wire(2), []], [[], [], []]],
    }),
    'a wire that occurs only in C': () => ({
        publicOutputs: 0, publicInputs: 1, witness: [1n, 6n, 36n], domain: 4,
        constraints: [[wire(1), wire(1), wire(2)]],
    }),
    'constants only': (minus) => ({
        publicOutputs: 0, publicInputs: 1, witness: [1n, 6n], domain: 4,
        constraints: [[wire(0, 2n), wire(0, 3n), wire(0, 6n)], [wire(0, minus(1n)), wire(0, minus(1n)), one]],
    }),
    'largest coefficients and values': (minus) => ({
        publicOutputs: 1, publicInputs: 0, witness: [1n, 1n, minus(1n), minus(1n)], domain: 4,
        constraints: [[wire(2, minus(1n)), wire(3, minus(1n)), wire(1)], [wire(2), wire(3), wire(1)]],
    }),
    'witness of zeros': () => ({
        publicOutputs: 1, publicInputs: 1, witness: [1n, 0n, 0n, 0n, 0n], domain: 4,
        constraints: [[wire(3), wire(4), wire(1)]],
    }),
    'a domain filled to the last row': () => ({
        publicOutputs: 1, publicInputs: 0, domain: 8,
        witness: [1n, 2n ** 64n, 4n, 16n, 256n, 65536n, 2n ** 32n, 256n],
        constraints: [[wire(2), wire(2), wire(3)], [wire(3), wire(3), wire(4)], [wire(4), wire(4), wire(5)],
            [wire(5), wire(5), wire(6)], [wire(6), wire(6), wire(1)], [wire(7), one, wire(4)]],
    }),
    'one row more than a domain': () => ({
        publicOutputs: 1, publicInputs: 0, witness: [1n, 16n, 4n], domain: 8,
        constraints: [1, 2, 3].map((x) => [wire(2, BigInt(x)), wire(2), wire(1, BigInt(x))]),
    }),
};

for (const curve of curves)
    for (const [name, make] of Object.entries(cases))
        test(`${name}, on ${curve.name}`, async () => {
            const { witness, domain, ...rest } = make((x) => curve.r - x);
            const privateInputs = Math.max(0, witness.length - 1 - rest.publicOutputs - rest.publicInputs);
            const label = `${curve.name}-${name.replace(/[^a-z0-9]+/g, '-')}`;
            const [r1cs, wtns] = ['r1cs', 'wtns'].map((ext) => join(scratch, `${label}.${ext}`));
            const bytes = writeR1cs({ prime: curve.r, wires: witness.length, privateInputs, ...rest });
            writeFileSync(r1cs, bytes);
            writeFileSync(wtns, writeWtns(curve.r, witness));
            assert.equal(firstUnsatisfied(bytes, witness), -1, 'the test itself is wrong');

            const publics = witness.slice(1, 1 + rest.publicOutputs + rest.publicInputs).map(String);
            const { files, vk } = await setupProveJudge(label, r1cs, wtns, publics);
            const info = JSON.parse(cuzkOk('key', 'info', files.key, '--json').stdout);
            assert.equal(info.domain, domain);
            assert.equal(info.publics, publics.length);
            cuzkOk('key', 'check', files.key);
            await snarkjsProves(files, wtns, vk);
        });
