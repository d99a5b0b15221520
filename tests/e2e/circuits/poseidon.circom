pragma circom 2.0.0;

include "circomlib/poseidon.circom";

// Knows two values with this Poseidon hash.
template PoseidonPreimage() {
    signal input preimage[2];
    signal output hash;

    component poseidon = Poseidon(2);
    poseidon.inputs[0] <== preimage[0];
    poseidon.inputs[1] <== preimage[1];
    hash <== poseidon.out;
}

component main = PoseidonPreimage();
