// Membership of a Semaphore (version 4) group: the inputs of the official circuits, made without Semaphore's own code.
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';

import { basePoint } from './edwards.mjs';
import { curveByName } from './curves.mjs';
import { poseidon } from './poseidon.mjs';

const artifacts = dirname(createRequire(import.meta.url).resolve('@zk-kit/semaphore-artifacts/package.json'));

/** The official files of a depth. */
export const semaphoreFiles = (depth) => Object.fromEntries(
    ['zkey', 'wasm', 'json'].map((ext) => [ext, join(artifacts, `semaphore-${depth}.${ext}`)]));

/** The commitment of an identity: the hash of its public key on Baby Jubjub. */
function commitment(curve, secret) {
    const key = basePoint(curve).multiply(secret).toAffine();
    return poseidon([key.x, key.y], curve.r);
}

/** Semaphore's tree: a node without a right sibling is its own parent.  Returns root and path of leaf `index`. */
function leanTree(leaves, index, p) {
    const siblings = [];
    let turns = 0n;
    let level = leaves;
    for (let i = index; level.length > 1; i >>= 1) {
        const other = level[i ^ 1];
        if (other !== undefined) {
            turns |= BigInt(i & 1) << BigInt(siblings.length);
            siblings.push(other);
        }
        const parents = [];
        for (let j = 0; j < level.length; j += 2)
            parents.push(level[j + 1] === undefined ? level[j] : poseidon([level[j], level[j + 1]], p));
        level = parents;
    }
    return { root: level[0], siblings, turns };
}

/** Inputs for the circuit of a depth, and the public values that it must show: root, nullifier, message, scope. */
export function semaphoreInputs(depth, members) {
    const curve = curveByName('bn254');
    const secret = 0x5eed_0000_0000_0000_0000_0000_0000_cafen + BigInt(depth);
    const index = Math.floor(members / 2);
    const leaves = Array.from({ length: members }, (_, i) => 1000n + BigInt(i));
    leaves[index] = commitment(curve, secret);

    const { root, siblings, turns } = leanTree(leaves, index, curve.r);
    const [message, scope] = [7n, 42n];
    return {
        inputs: {
            secret,
            merkleProofLength: BigInt(siblings.length),
            merkleProofIndex: turns,
            merkleProofSiblings: Array.from({ length: depth }, (_, i) => siblings[i] ?? 0n),
            message,
            scope,
        },
        publics: [root, poseidon([scope, secret], curve.r), message, scope],
    };
}
