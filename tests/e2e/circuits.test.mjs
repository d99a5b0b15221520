// circomlib's circuits on both curves: key, proof, and what snarkjs says to them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { curves } from './lib/curves.mjs';
import { readJson } from './lib/cuzk.mjs';
import {
    closeJudge, exportVk, proofFiles, proveAndJudge, refuseTampered, setupProveJudge, snarkjsProves,
} from './lib/judge.mjs';
import { firstUnsatisfied, readWtns } from './lib/iden3.mjs';
import { buildFixtures, fixturesFolder } from './fixtures.mjs';

const NAMES = ['poseidon', 'merkle', 'eddsa', 'sha256', 'chain'];
const SNARKJS_PROVES = ['poseidon', 'merkle'];

const fixtures = fixturesFolder();
await buildFixtures(fixtures, [...NAMES, 'chain-circom'], (line) => console.error(`fixture ${line}`));
after(closeJudge);

for (const curve of curves) {
    const at = (name, file) => join(fixtures, curve.name, name, file);

    for (const name of NAMES) {
        test(`${name} on ${curve.name}: development key, proof, accepted by cuzk and snarkjs`, async () => {
            const publics = readJson(at(name, 'publics.json'));
            const { files, vk } = await setupProveJudge(`${curve.name}-${name}`, at(name, 'circuit.r1cs'),
                at(name, 'circuit.wtns'), publics);
            if (SNARKJS_PROVES.includes(name)) await snarkjsProves(files, at(name, 'circuit.wtns'), vk);
        });
    }

    test(`poseidon on ${curve.name}: a key made by snarkjs`, async () => {
        const files = { ...proofFiles(`${curve.name}-snarkjs`), key: at('poseidon', 'snarkjs.zkey') };
        const vk = await exportVk(files);
        await proveAndJudge(files, at('poseidon', 'circuit.wtns'), vk, readJson(at('poseidon', 'publics.json')));
        await refuseTampered(files, vk);
    });

    test(`chain on ${curve.name}: written directly as circom writes it`, async () => {
        const { writeChain } = await import('./chain.mjs');
        const folder = join(proofFiles(`${curve.name}-direct`).key, '..');
        writeChain(folder, 1000, curve);
        for (const file of ['circuit.r1cs', 'circuit.wtns'])
            assert.deepEqual(readFileSync(join(folder, file)), readFileSync(at('chain-circom', file)), file);
        const r1cs = readFileSync(at('chain-circom', 'circuit.r1cs'));
        assert.equal(firstUnsatisfied(r1cs, readWtns(readFileSync(at('chain-circom', 'circuit.wtns'))).values), -1);
    });
}
