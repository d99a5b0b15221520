// Poseidon as circomlib's circuit computes it, outside of any circuit: the expected results of the tests.
//
// The constants are read from circomlib's own file.  They were generated for BN254; on BLS12-381 they are the same
// numbers in another field, which makes another function, and the circuit and this file still agree on which.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const PARTIAL_ROUNDS = [56, 57, 56, 60, 60, 63, 64, 63, 60, 66, 60, 65, 70, 60, 64, 68];
const FULL_ROUNDS = 8;

const require = createRequire(import.meta.url);
const source = readFileSync(require.resolve('circomlib/circuits/poseidon_constants.circom'), 'utf8');
const cache = new Map();

function constants(letter, t) {
    const key = `${letter}${t}`;
    if (!cache.has(key)) {
        const body = source.slice(source.indexOf(`function POSEIDON_${letter}(`)).split(`t==${t})`)[1];
        const end = body.search(/t==|function/);
        cache.set(key, (end < 0 ? body : body.slice(0, end)).match(/0x[0-9a-f]+/gi).map(BigInt));
    }
    return cache.get(key);
}

/** Poseidon(inputs) over the field p, one output. */
export function poseidon(inputs, p) {
    const t = inputs.length + 1;
    const half = FULL_ROUNDS / 2;
    const partial = PARTIAL_ROUNDS[t - 2];
    const [c, m, pre, s] = ['C', 'M', 'P', 'S'].map((letter) => constants(letter, t));

    const power5 = (x) => { const x2 = (x * x) % p; return (((x2 * x2) % p) * x) % p; };
    const ark = (state, at) => state.map((x, i) => (x + c[at + i]) % p);
    const dot = (state, matrix, i) => state.reduce((sum, x, j) => sum + matrix[t * j + i] * x, 0n) % p;
    const mix = (state, matrix) => state.map((_, i) => dot(state, matrix, i));

    let state = ark([0n, ...inputs], 0);
    for (let round = 1; round <= half; round++)
        state = mix(ark(state.map(power5), round * t), round < half ? m : pre);
    for (let round = 0; round < partial; round++) {
        const row = s.slice((2 * t - 1) * round, (2 * t - 1) * (round + 1));
        const first = power5(state[0]) + c[(half + 1) * t + round];
        const all = [first, ...state.slice(1)];
        state = all.map((x, i) => (i === 0
            ? all.reduce((sum, y, j) => sum + row[j] * y, 0n)
            : x + first * row[t + i - 1]) % p);
    }
    for (let round = 0; round < half - 1; round++)
        state = mix(ark(state.map(power5), (half + 1) * t + partial + round * t), m);
    return mix(state.map(power5), m)[0];
}
