// The squaring chain of circuits/chain.circom, any length, written directly: byte for byte what circom writes, in
// seconds where circom would take minutes.
//
//   node chain.mjs N bn254|bls12-381 FOLDER     writes FOLDER/circuit.r1cs and FOLDER/circuit.wtns
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { curveByName } from './lib/curves.mjs';
import { r1csConstraint, r1csHeader, toLe } from './lib/iden3.mjs';

const CHUNK = 16384;

// Wire 1 is the output b[n], wire 2 the input a = b[0], wire i + 2 is b[i].
const wireOf = (i, n) => (i === n ? 1 : i + 2);

class Writer {
    constructor(path) { this.fd = openSync(path, 'w'); }

    bytes(...buffers) { for (const b of buffers) writeSync(this.fd, b); }

    sectionHead(id, bytes) {
        const head = Buffer.alloc(12);
        head.writeUInt32LE(id, 0);
        head.writeBigUInt64LE(BigInt(bytes), 4);
        this.bytes(head);
    }

    head(magic, version, sections) {
        const head = Buffer.alloc(12, magic);
        head.writeUInt32LE(version, 4);
        head.writeUInt32LE(sections, 8);
        this.bytes(head);
    }

    /** count records of the given size, filled by fill(buffer, offset, index). */
    records(count, size, fill) {
        for (let begin = 0; begin < count; begin += CHUNK) {
            const now = Math.min(CHUNK, count - begin);
            const buffer = Buffer.alloc(now * size);
            for (let i = 0; i < now; i++) fill(buffer, i * size, begin + i);
            this.bytes(buffer);
        }
    }

    close() { closeSync(this.fd); }
}

function writeChainR1cs(path, n, prime) {
    const pattern = r1csConstraint([[[0, prime - 1n]], [[0, 1n]], [[0, prime - 1n]]]);   // (-b) b = -b'
    const wires = n + 2;
    const header = r1csHeader({
        prime, wires, publicOutputs: 1, publicInputs: 0, privateInputs: 1, labels: n + 4, constraintCount: n,
    });
    const out = new Writer(path);

    out.head('r1cs', 1, 3);
    out.sectionHead(2, n * pattern.length);
    out.records(n, pattern.length, (buffer, at, i) => {
        pattern.copy(buffer, at);
        buffer.writeUInt32LE(wireOf(i, n), at + 4);
        buffer.writeUInt32LE(wireOf(i, n), at + 44);
        buffer.writeUInt32LE(wireOf(i + 1, n), at + 84);
    });
    out.sectionHead(1, header.length);
    out.bytes(header);
    out.sectionHead(3, wires * 8);
    out.records(wires, 8, (buffer, at, wire) => buffer.writeUInt32LE(wire < 3 ? wire : wire + 1, at));
    out.close();
}

function writeChainWtns(path, n, prime, a) {
    const wires = n + 2;
    const out = new Writer(path);
    let last = a;
    for (let i = 0; i < n; i++) last = (last * last) % prime;

    out.head('wtns', 2, 2);
    out.sectionHead(1, 40);
    out.bytes(Buffer.from([32, 0, 0, 0]), toLe(prime, 32), toLe(BigInt(wires), 8).subarray(0, 4));
    out.sectionHead(2, wires * 32);
    let b = a;
    out.records(wires, 32, (buffer, at, wire) => {
        let value = b;
        if (wire < 2) value = wire === 0 ? 1n : last;
        else b = (b * b) % prime;
        toLe(value, 32).copy(buffer, at);
    });
    out.close();
}

/** A chain of n >= 2 squarings, of the curve's scalar field, into folder; a: the input. */
export function writeChain(folder, n, curve, a = 3n) {
    mkdirSync(folder, { recursive: true });
    writeChainR1cs(join(folder, 'circuit.r1cs'), n, curve.r);
    writeChainWtns(join(folder, 'circuit.wtns'), n, curve.r, a);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
    const [n, name, folder] = process.argv.slice(2);
    if (!folder || !(Number(n) >= 2)) {
        console.error('usage: node chain.mjs N bn254|bls12-381 FOLDER');
        process.exit(1);
    }
    writeChain(folder, Number(n), curveByName(name));
}
