// The two curves, by the names that each program uses.
import { babyjubjub, jubjub } from '@noble/curves/misc.js';

// The twisted Edwards curve of each entry lies over the scalar field r, so that circuits can compute on it.
export const curves = [
    {
        name: 'bn254', snarkjs: 'bn128', circom: 'bn128',
        r: 21888242871839275222246405745257275088548364400416034343698204186575808495617n,
        q: 21888242871839275222246405745257275088696311157297823662689037894645226208583n,
        twoAdicity: 28, edwards: babyjubjub,
    },
    {
        name: 'bls12-381', snarkjs: 'bls12381', circom: 'bls12381',
        r: 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n,
        q: 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn,
        twoAdicity: 32, edwards: jubjub,
    },
];

export const curveByName = (name) => {
    const curve = curves.find((c) => c.name === name || c.snarkjs === name);
    if (!curve) throw new Error(`no curve ${name}`);
    return curve;
};

export const curveByScalarField = (r) => {
    const curve = curves.find((c) => c.r === r);
    if (!curve) throw new Error(`no curve with scalar field ${r}`);
    return curve;
};

export const mod = (x, p) => ((x % p) + p) % p;

export function modPow(base, exponent, p) {
    let result = 1n;
    for (let b = mod(base, p), e = exponent; e > 0n; e >>= 1n, b = (b * b) % p)
        if (e & 1n) result = (result * b) % p;
    return result;
}

export const modInv = (x, p) => modPow(x, p - 2n, p);
