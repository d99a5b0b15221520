pragma circom 2.0.0;

include "circomlib/poseidon.circom";

// Knows a leaf, and a path of `depth` Poseidon hashes from it to the root.
template MerkleMembership(depth) {
    signal input leaf;
    signal input sibling[depth];
    signal input right[depth];    // 1: the node is the right child of its parent
    signal output root;

    signal node[depth + 1];
    signal swap[depth];
    component parent[depth];

    node[0] <== leaf;
    for (var i = 0; i < depth; i++) {
        right[i] * (right[i] - 1) === 0;
        swap[i] <== right[i] * (sibling[i] - node[i]);
        parent[i] = Poseidon(2);
        parent[i].inputs[0] <== node[i] + swap[i];
        parent[i].inputs[1] <== sibling[i] - swap[i];
        node[i + 1] <== parent[i].out;
    }
    root <== node[depth];
}

component main = MerkleMembership(20);
