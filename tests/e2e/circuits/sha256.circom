pragma circom 2.0.0;

include "circomlib/sha256/sha256.circom";
include "circomlib/bitify.circom";

// Knows a message of `bytes` bytes with this SHA-256 digest, shown as two 128-bit halves.
template Sha256Preimage(bytes) {
    signal input message[bytes];
    signal output digest[2];    // high half first

    component byte_bits[bytes];
    component hash = Sha256(8 * bytes);
    component half[2];

    for (var i = 0; i < bytes; i++) {
        byte_bits[i] = Num2Bits(8);
        byte_bits[i].in <== message[i];
        for (var j = 0; j < 8; j++) {
            hash.in[8 * i + j] <== byte_bits[i].out[7 - j];
        }
    }
    for (var h = 0; h < 2; h++) {
        half[h] = Bits2Num(128);
        for (var j = 0; j < 128; j++) {
            half[h].in[j] <== hash.out[128 * h + 127 - j];
        }
        digest[h] <== half[h].out;
    }
}

component main = Sha256Preimage(119);    // the longest message of two blocks
