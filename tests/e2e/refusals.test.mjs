// What must not become a proof, and what must not become a file.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { curves } from './lib/curves.mjs';
import { cuzk, cuzkOk, scratch } from './lib/cuzk.mjs';
import { firstUnsatisfied, readWtns, writeWtns } from './lib/iden3.mjs';
import { buildFixtures, fixturesFolder } from './fixtures.mjs';

const fixtures = fixturesFolder();
await buildFixtures(fixtures, ['poseidon', 'merkle'], (line) => console.error(`fixture ${line}`));

/** A folder with nothing in it, and the operands of a proof that would go there. */
function emptyFolder(name) {
    const folder = join(scratch, name);
    mkdirSync(folder);
    return { folder, outputs: ['proof.json', 'public.json'].map((file) => join(folder, file)) };
}

for (const curve of curves) {
    const at = (name, file) => join(fixtures, curve.name, name, file);
    const key = join(scratch, `${curve.name}.zkey`);
    const [r1cs, wtns] = [at('poseidon', 'circuit.r1cs'), at('poseidon', 'circuit.wtns')];
    const { prime, values } = readWtns(readFileSync(wtns));
    cuzkOk('setup', r1cs, key, '--seed', 7);

    // Wires of different kinds: the public output, a private input, the last intermediate value.
    for (const wire of [1, 2, values.length - 1])
        test(`unsatisfied witness on ${curve.name}, wire ${wire}: status 3, the constraint named, no file`, () => {
            const { folder, outputs } = emptyFolder(`${curve.name}-unsatisfied-${wire}`);
            const bad = join(scratch, `${curve.name}-${wire}.wtns`);
            const wrong = values.map((v, i) => (i === wire ? (v + 1n) % prime : v));
            const constraint = firstUnsatisfied(readFileSync(r1cs), wrong);
            writeFileSync(bad, writeWtns(prime, wrong));
            assert.ok(constraint >= 0);

            assert.equal(cuzk('prove', key, bad, ...outputs).status, 3);
            const named = cuzk('prove', key, bad, ...outputs, '--r1cs', r1cs);
            assert.equal(named.status, 3);
            assert.match(named.stderr, new RegExp(`constraint ${constraint} of `));
            const lines = cuzk('prove', key, bad, ...outputs, '--r1cs', r1cs, '--json').stderr.trim().split('\n');
            const { error } = lines.map((line) => JSON.parse(line)).find((line) => line.error);
            assert.equal(error.class, 'unsatisfied');
            assert.equal(error.index, constraint);
            const long = wrong.filter((v) => v > 2n ** 64n).map(String);    // shorter ones could be there by chance
            const shown = named.stderr + lines.join();
            assert.ok(!long.some((v) => shown.includes(v)), 'a value of the witness is shown');
            assert.deepEqual(readdirSync(folder), []);
        });

    test(`unsatisfied witness on ${curve.name}: files of an earlier proof stay as they were`, () => {
        const { folder, outputs } = emptyFolder(`${curve.name}-earlier`);
        const bad = join(scratch, `${curve.name}-earlier.wtns`);
        writeFileSync(bad, writeWtns(prime, values.map((v, i) => (i === 3 ? (v + 1n) % prime : v))));
        for (const path of outputs) writeFileSync(path, 'earlier');
        assert.equal(cuzk('prove', key, bad, ...outputs).status, 3);
        for (const path of outputs) assert.equal(readFileSync(path, 'utf8'), 'earlier');
        assert.equal(readdirSync(folder).length, 2);
    });

    test(`witness of another circuit, curve or length on ${curve.name}: status 2, no file`, () => {
        const { folder, outputs } = emptyFolder(`${curve.name}-mismatch`);
        const short = join(scratch, `${curve.name}-short.wtns`);
        const other = curves.find((c) => c !== curve);
        writeFileSync(short, writeWtns(prime, values.slice(0, -1)));
        for (const bad of [at('merkle', 'circuit.wtns'), join(fixtures, other.name, 'poseidon/circuit.wtns'), short])
            assert.equal(cuzk('prove', key, bad, ...outputs).status, 2, bad);
        assert.equal(cuzk('prove', key, wtns, ...outputs, '--r1cs', at('merkle', 'circuit.r1cs')).status, 2);
        assert.deepEqual(readdirSync(folder), []);
    });

    test(`a file that is not there on ${curve.name}: status 4, no file`, () => {
        const { folder, outputs } = emptyFolder(`${curve.name}-absent`);
        assert.equal(cuzk('prove', join(scratch, 'absent.zkey'), wtns, ...outputs).status, 4);
        assert.equal(cuzk('prove', key, join(scratch, 'absent.wtns'), ...outputs).status, 4);
        assert.deepEqual(readdirSync(folder), []);
    });

    test(`a key without a ceremony on ${curve.name}: a warning, an error with --strict`, () => {
        const { outputs } = emptyFolder(`${curve.name}-forgeable`);
        const fresh = at('poseidon', 'fresh.zkey');
        const strict = cuzk('prove', fresh, wtns, ...outputs, '--strict');
        assert.equal(strict.status, 2);
        assert.ok(!existsSync(outputs[0]));
        assert.match(cuzkOk('prove', fresh, wtns, ...outputs).stderr, /forge/);
        for (const [path, forgeable] of [[fresh, true], [at('poseidon', 'snarkjs.zkey'), false]])
            assert.equal(JSON.parse(cuzkOk('key', 'info', path, '--json').stdout).forgeable, forgeable);
    });

    test(`a development key on ${curve.name}: named as such, the same for the same seed, another for another`, () => {
        const again = join(scratch, `${curve.name}-again.zkey`);
        const others = [['--seed', 8], []].map((options, i) => {
            const path = join(scratch, `${curve.name}-other${i}.zkey`);
            assert.match(cuzkOk('setup', r1cs, path, ...options).stdout, /INSECURE/);
            return readFileSync(path);
        });
        cuzkOk('setup', r1cs, again, '--seed', 7);
        assert.deepEqual(readFileSync(again), readFileSync(key));
        assert.notDeepEqual(others[0], readFileSync(key));
        assert.notDeepEqual(others[1], others[0]);
        assert.equal(JSON.parse(cuzkOk('key', 'info', key, '--json').stdout).development, true);
    });
}
