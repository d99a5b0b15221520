// Damaged keys and witnesses of a tiny circuit: the table of lib/mutants.mjs, and one bit flipped in each byte.  Whatever
// the damage: no proof that does not verify, no crash, no second, no 64 MiB, and no file unless all is well.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { curves } from './lib/curves.mjs';
import { cuzkOk, scratch } from './lib/cuzk.mjs';
import { readContainer, writeR1cs, writeWtns } from './lib/iden3.mjs';
import { measured } from './lib/measured.mjs';
import { mutants } from './lib/mutants.mjs';

const CPU_MS_MAX = 1000;
const PEAK_KIB_MAX = 65536;
const BOUNDED = !process.env.CUZK_INSTRUMENTED; // sanitizers and valgrind take what they take
const WORKERS = 2;

// x^2 = y, (y + 2) k = z, z = out: out and k are public.
const circuit = { wires: 6, publicOutputs: 1, publicInputs: 1, privateInputs: 1 };
const constraints = [
    [[[3, 1n]], [[3, 1n]], [[4, 1n]]], [[[4, 1n], [0, 2n]], [[2, 1n]], [[5, 1n]]], [[[5, 1n]], [[0, 1n]], [[1, 1n]]],
];
const values = [1n, 77n, 7n, 3n, 9n, 77n];

/** Runs prove on the files of folder and holds it to the rules; returns the result. */
async function prove(folder, vk) {
    const before = new Set(readdirSync(folder));
    const result = await measured(folder, 'prove', 'k', 'w', 'p', 'u', '--json', '--threads', '1');
    const made = readdirSync(folder).filter((name) => !before.has(name)).sort();
    assert.equal(result.signal, 0, `ended by signal ${result.signal}: ${result.stderr}`);
    if (BOUNDED) {
        assert.ok(result.cpuMs <= CPU_MS_MAX, `${result.cpuMs} ms of processor time`);
        assert.ok(result.peakKib <= PEAK_KIB_MAX, `${result.peakKib} KiB`);
    }
    if (result.status === 0) {
        assert.deepEqual(made, ['p', 'u']);
        const judged = await measured(folder, 'verify', vk, 'u', 'p');
        assert.equal(judged.status, 0, `a proof that does not verify: ${judged.stderr}`);
        for (const name of made) rmSync(join(folder, name));
    } else {
        assert.ok(result.status === 2 || result.status === 3, `status ${result.status}: ${result.stderr}`);
        assert.deepEqual(made, []);
    }
    return result;
}

function checkPlace(result, expected) {
    assert.equal(result.status, expected.status, result.stderr || result.stdout);
    if (expected.status !== 2) return;
    const { error } = result.stderr.trim().split('\n').map((line) => JSON.parse(line)).find((line) => line.error);
    assert.equal(error.class, 'input');
    for (const [name, value] of Object.entries(expected))
        if (name !== 'status') assert.equal(error[name], value, `${name}: ${JSON.stringify(error)}`);
}

/** work(item) for every item, WORKERS at a time; each worker has a folder of its own. */
async function inFolders(label, items, work) {
    const queue = items[Symbol.iterator]();
    await Promise.all(Array.from({ length: WORKERS }, async (_, i) => {
        const folder = join(scratch, `${label}-${i}`);
        mkdirSync(folder);
        for (const item of queue) await work(folder, item);
    }));
}

for (const curve of curves) {
    const file = (name) => join(scratch, `${curve.name}.${name}`);
    writeFileSync(file('r1cs'), writeR1cs({ ...circuit, prime: curve.r, constraints }));
    writeFileSync(file('wtns'), writeWtns(curve.r, values));
    cuzkOk('setup', file('r1cs'), file('zkey'), '--seed', 1);
    cuzkOk('key', 'export-vk', file('zkey'), file('vk'));
    const good = { key: readFileSync(file('zkey')), wtns: readFileSync(file('wtns')) };
    const folder = join(scratch, curve.name);
    mkdirSync(folder);
    const place = (into, { key = good.key, wtns = good.wtns }) => {
        writeFileSync(join(into, 'k'), key);
        writeFileSync(join(into, 'w'), wtns);
    };

    for (const [name, files, expected] of mutants(curve, good.key, good.wtns, { wires: 6, publics: 2, domain: 8 }))
        test(`${curve.name}, ${name}: ${['proved', '', 'refused', 'unsatisfied'][expected.status]}`, async () => {
            place(folder, files);
            checkPlace(await prove(folder, file('vk')), expected);
        });

    for (const which of ['key', 'wtns'])
        test(`${curve.name}, one bit flipped in each byte of the ${which}: ${good[which].length} files, no wrong proof`, async () => {
            const bytes = Array.from({ length: good[which].length }, (_, i) => i);
            await inFolders(`${curve.name}-${which}`, bytes, async (into, i) => {
                const damaged = Buffer.from(good[which]);
                damaged[i] ^= 1 << i % 8;
                place(into, { [which]: damaged });
                await prove(into, file('vk')).catch((e) => assert.fail(`byte ${i}: ${e.message}`));
            });
        });

    test(`${curve.name}, a key that passed once is checked again when a point of it changes`, async () => {
        place(folder, good);
        assert.equal((await prove(folder, file('vk'))).status, 0);
        const { start } = readContainer(good.key, 'zkey').get(9); // H: checked when a key is first used
        const damaged = Buffer.from(good.key);
        damaged[start] ^= 1;
        place(folder, { key: damaged });
        checkPlace(await prove(folder, file('vk')), { status: 2, role: 'key', section: 'H', index: 0, offset: start });
    });

    test(`${curve.name}, files that are none: a folder, nothing, each other's`, async () => {
        place(folder, { key: good.wtns, wtns: good.key });
        checkPlace(await prove(folder, file('vk')), { status: 2, role: 'key', field: 'magic' });
        place(folder, good);
        const absent = await measured(folder, 'prove', 'k', 'nothing', 'p', 'u', '--json');
        assert.equal(absent.status, 4);
        const aFolder = await measured(folder, 'prove', '.', 'w', 'p', 'u', '--json');
        assert.equal(aFolder.status, 2);
        assert.deepEqual(readdirSync(folder).sort(), ['k', 'w']);
    });
}
