// snarkjs as the judge, and the steps that every circuit goes through.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { curveByName } from './curves.mjs';
import { cuzk, cuzkOk, readJson, scratch } from './cuzk.mjs';

export const snarkjs = createRequire(import.meta.url)('snarkjs');

/** Ends snarkjs' worker threads, so that the process can end. */
export async function closeJudge() {
    for (const curve of ['curve_bn128', 'curve_bls12381']) {
        await globalThis[curve]?.terminate();
        delete globalThis[curve];
    }
}

/** The files of one proof, in a folder of its own. */
export function proofFiles(name) {
    const folder = join(scratch, name);
    mkdirSync(folder, { recursive: true });
    return Object.fromEntries(['key.zkey', 'vk.json', 'proof.json', 'public.json', 'other.json']
        .map((file) => [file.split('.')[0], join(folder, file)]));
}

/** What `cuzk key export-vk` writes; snarkjs must export the same. */
export async function exportVk(files) {
    cuzkOk('key', 'export-vk', files.key, files.vk);
    const ours = readJson(files.vk);
    const theirs = await snarkjs.zKey.exportVerificationKey(files.key);
    assert.deepEqual(ours, theirs, 'snarkjs exports another vk from this key');
    return ours;
}

/** The proof in files is accepted by cuzk and by snarkjs. */
export async function accept(files, vk) {
    const result = cuzkOk('verify', files.vk, files.public, files.proof);
    assert.equal(result.stdout, 'OK!\n');
    const accepted = await snarkjs.groth16.verify(vk, readJson(files.public), readJson(files.proof));
    assert.equal(accepted, true, 'snarkjs refuses');
}

async function refuse(files, vk, publics, proof, what) {
    writeFileSync(files.other, JSON.stringify(publics));
    writeFileSync(`${files.other}.proof`, JSON.stringify(proof));
    const result = cuzk('verify', files.vk, files.other, `${files.other}.proof`);
    assert.equal(result.status, 1, `cuzk accepts ${what}, or fails otherwise: ${result.stderr}`);
    assert.equal(result.stdout, '');
    assert.equal(await snarkjs.groth16.verify(vk, publics, proof), false, `snarkjs accepts ${what}`);
}

/** The proof with other public values, or with parts exchanged, is refused by both. */
export async function refuseTampered(files, vk) {
    const publics = readJson(files.public);
    const proof = readJson(files.proof);
    const { r } = curveByName(vk.curve);
    if (publics.length > 0) {
        const last = publics.length - 1;
        const other = publics.map((x, i) => (i === last ? String((BigInt(x) + 1n) % r) : x));
        await refuse(files, vk, other, proof, 'another public value');
    }
    await refuse(files, vk, publics, { ...proof, pi_a: proof.pi_c, pi_c: proof.pi_a }, 'A and C exchanged');
}

/** key, witness -> proof, both judged; returns the vk. */
export async function proveAndJudge(files, wtns, vk, publics) {
    cuzkOk('prove', files.key, wtns, files.proof, files.public);
    if (publics !== undefined) assert.deepEqual(readJson(files.public), publics);
    await accept(files, vk);
}

/** .r1cs and .wtns -> development key -> proof: everything that both sides must say. */
export async function setupProveJudge(name, r1cs, wtns, publics) {
    const files = proofFiles(name);
    cuzkOk('setup', r1cs, files.key, '--seed', 1);
    const vk = await exportVk(files);
    await proveAndJudge(files, wtns, vk, publics);
    await refuseTampered(files, vk);
    return { files, vk };
}

/** snarkjs proves with our key; its proof is accepted by both. */
export async function snarkjsProves(files, wtns, vk) {
    const { proof, publicSignals } = await snarkjs.groth16.prove(files.key, wtns);
    writeFileSync(files.proof, JSON.stringify(proof));
    writeFileSync(files.public, JSON.stringify(publicSignals));
    await accept(files, vk);
}
