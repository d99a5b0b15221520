// iden3's binary files, read and written without anybody's library: container, .r1cs, .wtns (docs/formats.md).

export function toLe(value, bytes) {
    const out = Buffer.alloc(bytes);
    for (let i = 0, v = value; i < bytes; i += 8, v >>= 64n) out.writeBigUInt64LE(v & 0xffffffffffffffffn, i);
    return out;
}

export function fromLe(buffer, offset, bytes) {
    let v = 0n;
    for (let i = bytes - 8; i >= 0; i -= 8) v = (v << 64n) | buffer.readBigUInt64LE(offset + i);
    return v;
}

const u32 = (...values) => {
    const out = Buffer.alloc(4 * values.length);
    values.forEach((v, i) => out.writeUInt32LE(v, 4 * i));
    return out;
};

const u64 = (value) => toLe(BigInt(value), 8);

/** sections: [[id, Buffer], ...] in the order wanted. */
export function writeContainer(magic, version, sections) {
    const head = Buffer.concat([Buffer.from(magic), u32(version, sections.length)]);
    return Buffer.concat([head, ...sections.flatMap(([id, body]) => [u32(id), u64(body.length), body])]);
}

/** Map from section id to {start, bytes}. */
export function readContainer(buffer, magic) {
    if (buffer.toString('latin1', 0, 4) !== magic) throw new Error(`not a ${magic} file`);
    const sections = new Map();
    let pos = 12;
    for (let i = buffer.readUInt32LE(8); i > 0; i--) {
        const bytes = Number(buffer.readBigUInt64LE(pos + 4));
        sections.set(buffer.readUInt32LE(pos), { start: pos + 12, bytes });
        pos += 12 + bytes;
    }
    return sections;
}

export const r1csHeader = (c) => Buffer.concat([
    u32(32), toLe(c.prime, 32), u32(c.wires, c.publicOutputs, c.publicInputs, c.privateInputs),
    u64(c.labels ?? c.wires), u32(c.constraintCount ?? c.constraints.length),
]);

/** A linear combination is [[wire, value], ...]; a constraint is [A, B, C]. */
export const r1csConstraint = (abc) => Buffer.concat(abc.flatMap((row) => [
    u32(row.length), ...row.flatMap(([wire, value]) => [u32(wire), toLe(value, 32)]),
]));

/** circuit: prime, wires, publicOutputs, publicInputs, privateInputs, constraints. */
export function writeR1cs(circuit) {
    const labels = Buffer.concat(Array.from({ length: circuit.wires }, (_, i) => u64(i)));
    return writeContainer('r1cs', 1, [
        [2, Buffer.concat(circuit.constraints.map(r1csConstraint))], [1, r1csHeader(circuit)], [3, labels],
    ]);
}

export function readR1csHeader(buffer) {
    const at = readContainer(buffer, 'r1cs').get(1).start;
    const word = (i) => buffer.readUInt32LE(at + 36 + 4 * i);
    return {
        prime: fromLe(buffer, at + 4, 32),
        wires: word(0), publicOutputs: word(1), publicInputs: word(2), privateInputs: word(3), constraintCount: word(6),
    };
}

/** Yields [A, B, C] of each constraint. */
export function* readR1csConstraints(buffer) {
    const { start, bytes } = readContainer(buffer, 'r1cs').get(2);
    let pos = start;
    const row = () => {
        const terms = [];
        const count = buffer.readUInt32LE(pos);
        pos += 4;
        for (let i = 0; i < count; i++, pos += 36) terms.push([buffer.readUInt32LE(pos), fromLe(buffer, pos + 4, 32)]);
        return terms;
    };
    while (pos < start + bytes) yield [row(), row(), row()];
}

export const writeWtns = (prime, values) => writeContainer('wtns', 2, [
    [1, Buffer.concat([u32(32), toLe(prime, 32), u32(values.length)])],
    [2, Buffer.concat(values.map((v) => toLe(v, 32)))],
]);

export function readWtns(buffer) {
    const sections = readContainer(buffer, 'wtns');
    const head = sections.get(1).start;
    const body = sections.get(2).start;
    const count = buffer.readUInt32LE(head + 36);
    return {
        prime: fromLe(buffer, head + 4, 32),
        values: Array.from({ length: count }, (_, i) => fromLe(buffer, body + 32 * i, 32)),
    };
}

/** The first constraint that the witness does not satisfy; -1: all hold. */
export function firstUnsatisfied(r1cs, values) {
    const { prime } = readR1csHeader(r1cs);
    const dot = (row) => row.reduce((sum, [wire, value]) => (sum + values[wire] * value) % prime, 0n);
    let index = 0;
    for (const [a, b, c] of readR1csConstraints(r1cs)) {
        if ((dot(a) * dot(b) - dot(c)) % prime !== 0n) return index;
        index++;
    }
    return -1;
}
