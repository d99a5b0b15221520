pragma circom 2.0.0;

include "circomlib/eddsaposeidon.circom";

// Knows an EdDSA signature of M by the public key (Ax, Ay), over a twisted Edwards curve on the circuit's own field:
// Baby Jubjub on BN254; on BLS12-381 circomlib's files are rewritten for Jubjub (edwards.mjs).
component main { public [Ax, Ay, M] } = EdDSAPoseidonVerifier();
