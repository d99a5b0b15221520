pragma circom 2.0.0;

// b[i] = b[i-1]^2: as many constraints as wanted, every wire of full size.
template Chain(n) {
    signal input a;
    signal output out;
    signal b[n + 1];

    b[0] <== a;
    for (var i = 1; i <= n; i++) {
        b[i] <== b[i - 1] * b[i - 1];
    }
    out <== b[n];
}

component main = Chain(1000);
