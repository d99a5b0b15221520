// The table of damaged keys and witnesses.  Each row: what is done, the files it makes, and what must come of it.
import { curves, modInv } from './curves.mjs';
import { fromLe, readContainer, toLe, writeContainer } from './iden3.mjs';

const OK = { status: 0 };
const UNSATISFIED = { status: 3, role: 'none' };
const key = (section, field, more = {}) => ({ status: 2, role: 'key', section, field, ...more });
const witness = (section, field, more = {}) => ({ status: 2, role: 'witness', section, field, ...more });

const NAMES = [undefined, 'protocol', 'header', 'IC', 'coefficients', 'A', 'B1', 'B2', 'C', 'H', 'contributions'];
const U32 = 0xffffffff;

/** A container taken apart: sections in file order as [id, Buffer]. */
function sectionsOf(buffer, magic) {
    return [...readContainer(buffer, magic)].map(([id, { start, bytes }]) => [id, Buffer.from(buffer.subarray(start, start + bytes))]);
}

const put32 = (buffer, offset, value) => { const b = Buffer.from(buffer); b.writeUInt32LE(value, offset); return b; };
const put64 = (buffer, offset, value) => { const b = Buffer.from(buffer); b.writeBigUInt64LE(value, offset); return b; };
const fill = (buffer, offset, bytes, value) => Buffer.from(buffer).fill(value, offset, offset + bytes);
const flip = (buffer, offset) => { const b = Buffer.from(buffer); b[offset] ^= 1; return b; };
const splice = (buffer, offset, bytes) => { const b = Buffer.from(buffer); bytes.copy(b, offset); return b; };

/** Rows [name, {key?, wtns?}, expected] for one curve.  k, w: the good files; wires, publics, domain of the circuit. */
export function mutants(curve, k, w, { wires, publics, domain }) {
    const at = (id) => readContainer(k, 'zkey').get(id);
    const inKey = (id, edit) => writeContainer('zkey', 1, sectionsOf(k, 'zkey').map(([i, s]) => [i, i === id ? edit(s) : s]));
    const keyOf = (edit) => writeContainer('zkey', 1, edit(sectionsOf(k, 'zkey')));
    const inWtns = (id, edit) => writeContainer('wtns', 2, sectionsOf(w, 'wtns').map(([i, s]) => [i, i === id ? edit(s) : s]));
    const wtnsOf = (edit) => writeContainer('wtns', 2, edit(sectionsOf(w, 'wtns')));
    const n8q = curve.name === 'bn254' ? 32 : 48;
    const g1 = 2 * n8q, g2 = 4 * n8q;
    const counts = 4 + n8q + 36; // of nVars in the header
    const lastHead = Math.max(...[...readContainer(k, 'zkey').values()].map(({ start }) => start)) - 12;
    const rows = [];
    const onKey = (name, buffer, expected) => rows.push([`key: ${name}`, { key: buffer }, expected]);
    const onWtns = (name, buffer, expected) => rows.push([`witness: ${name}`, { wtns: buffer }, expected]);

    // --- the container
    onKey('empty file', Buffer.alloc(0), key(undefined, 'magic', { offset: 0 }));
    onKey('three bytes', k.subarray(0, 3), key(undefined, 'magic', { offset: 0 }));
    onKey('wrong magic', splice(k, 0, Buffer.from('wtns')), key(undefined, 'magic', { offset: 0 }));
    for (const v of [0, 2, U32]) onKey(`version ${v}`, put32(k, 4, v), key(undefined, 'version', { offset: 4 }));
    onKey('2^32 - 1 sections', put32(k, 8, U32), key(undefined, 'section count', { offset: 8 }));
    onKey('no section', put32(k, 8, 0), key(undefined, 'end of file', { offset: 12 }));
    onKey('one section fewer', put32(k, 8, 9), key(undefined, 'end of file'));
    onKey('one section more', put32(k, 8, 11), key(undefined, 'section id', { offset: k.length }));
    for (const [label, v] of [['2^63', 1n << 63n], ['2^64 - 12', (1n << 64n) - 12n], ['2^64 - 1', (1n << 64n) - 1n],
        ['2^32 - 1', (1n << 32n) - 1n], ['2^32', 1n << 32n], ['one more than there is', BigInt(k.length - lastHead - 11)]])
        onKey(`last section claims ${label} bytes`, put64(k, lastHead + 4, v),
            key(undefined, 'section size', { offset: lastHead + 4 }));
    onKey('last section claims one byte less', put64(k, lastHead + 4, BigInt(k.length - lastHead - 13)),
        key(undefined, 'end of file', { offset: k.length - 1 }));
    onKey('a byte follows', Buffer.concat([k, Buffer.alloc(1)]), key(undefined, 'end of file', { offset: k.length }));
    onKey('last byte missing', k.subarray(0, -1), key(undefined, 'section size'));
    for (const share of [1, 3, 5, 7])
        onKey(`cut at ${share}/8`, k.subarray(0, Math.floor(k.length * share / 8)), { status: 2, role: 'key' });
    for (let id = 1; id <= 10; id++) {
        const name = NAMES[id];
        onKey(`section ${name} missing`, keyOf((s) => s.filter(([i]) => i !== id)), id === 10 ? OK : key(name, undefined));
        onKey(`section ${name} twice`, keyOf((s) => [...s, s.find(([i]) => i === id)]), key(undefined, 'section id'));
        if (id < 10) {
            onKey(`section ${name} one byte short`, inKey(id, (s) => s.subarray(0, -1)), { status: 2, role: 'key', section: name });
            onKey(`section ${name} one byte long`, inKey(id, (s) => Buffer.concat([s, Buffer.alloc(1)])),
                { status: 2, role: 'key', section: name });
            onKey(`section ${name} empty`, inKey(id, () => Buffer.alloc(0)), { status: 2, role: 'key', section: name });
        }
    }
    onKey('sections in ascending order', keyOf((s) => s.sort(([a], [b]) => a - b)), OK);
    onKey('sections in descending order', keyOf((s) => s.sort(([a], [b]) => b - a)), OK);
    onKey('unknown sections added', keyOf((s) => [[77, Buffer.alloc(5)], ...s, [77, Buffer.alloc(1000)], [0, Buffer.alloc(0)]]), OK);
    onKey('contributions of a megabyte', inKey(10, () => Buffer.alloc(1 << 20)), OK);
    onKey('2^32 - 1 contributions', inKey(10, (s) => put32(s, 64, U32)), OK);
    onKey('contributions cut', inKey(10, (s) => s.subarray(0, 100)), OK);

    // --- protocol and header
    for (const v of [0, 2, 10, U32])
        onKey(`protocol ${v}`, inKey(1, (s) => put32(s, 0, v)), key('protocol', 'protocol', { offset: at(1).start }));
    const inHeader = (offset, v) => inKey(2, (s) => put32(s, offset, v));
    for (const v of [0, n8q - 1, n8q + 1, 80 - n8q, U32])
        onKey(`n8q ${v}`, inHeader(0, v), { status: 2, role: 'key', section: 'header' });
    onKey('another q', inKey(2, (s) => flip(s, 5)), key('header', 'q'));
    for (const v of [0, 31, 33, U32]) onKey(`n8r ${v}`, inHeader(4 + n8q, v), key('header', 'n8r'));
    onKey('another r', inKey(2, (s) => flip(s, 8 + n8q)), key('header', 'r'));
    const other = curves.find((c) => c !== curve);
    onKey('r of the other curve', inKey(2, (s) => splice(s, 8 + n8q, toLe(other.r, 32))), key('header', 'r'));
    onKey('no wire', inHeader(counts, 0), key('header', 'nPublic'));
    onKey('one wire more', inHeader(counts, wires + 1), key('A', 'points'));
    onKey('one wire fewer', inHeader(counts, wires - 1), key('A', 'points'));
    for (const v of [1 << 30, U32]) onKey(`${v} wires`, inHeader(counts, v), key('A', 'points'));
    onKey('no public wire', inHeader(counts + 4, 0), key('IC', 'points'));
    onKey('one public wire more', inHeader(counts + 4, publics + 1), key('IC', 'points'));
    onKey('as many public as wires', inHeader(counts + 4, wires), key('header', 'nPublic'));
    onKey('2^32 - 1 public wires', inHeader(counts + 4, U32), key('header', 'nPublic'));
    for (const v of [0, 1, 3, domain + 1, U32]) onKey(`domain ${v}`, inHeader(counts + 8, v), key('header', 'domainSize'));
    for (const v of [domain / 2, domain * 2, domain * 4]) onKey(`domain ${v}`, inHeader(counts + 8, v), key('H', 'points'));
    onKey('domain 2^31', inHeader(counts + 8, 2 ** 31), curve.name === 'bn254' ? key('header', 'domainSize') : key('H', 'points'));
    const hAgain = (s) => s.map(([i, b]) => i === 9 ? [i, Buffer.concat([b, b])] : i === 2 ? [i, put32(b, counts + 8, 2 * domain)] : [i, b]);
    onKey('domain doubled, H too', keyOf(hAgain), key('coefficients', 'domainSize'));

    // --- points
    let offset = counts + 12;
    for (const [name, bytes] of [['alpha1', g1], ['beta1', g1], ['beta2', g2], ['gamma2', g2], ['delta1', g1], ['delta2', g2]]) {
        const here = offset, place = { offset: at(2).start + here };
        onKey(`${name} off the curve`, inKey(2, (s) => flip(s, here)), key('header', name, place));
        onKey(`${name} not reduced`, inKey(2, (s) => fill(s, here, n8q, 0xff)), key('header', name, place));
        onKey(`${name} at infinity`, inKey(2, (s) => fill(s, here, bytes, 0)), key('header', name, place));
        offset += bytes;
    }
    for (const [id, bytes, index] of [[3, g1, 1], [5, g1, 1], [6, g1, 2], [7, g2, 2], [8, g1, 0], [9, g1, 3]]) {
        const here = index * bytes, place = { index, offset: at(id).start + here };
        onKey(`a point of ${NAMES[id]} off the curve`, inKey(id, (s) => flip(s, here)), key(NAMES[id], 'point', place));
        onKey(`a point of ${NAMES[id]} not reduced`, inKey(id, (s) => fill(s, here, n8q, 0xff)), key(NAMES[id], 'point', place));
        onKey(`a point of ${NAMES[id]} at infinity`, inKey(id, (s) => fill(s, here, bytes, 0)), UNSATISFIED);
    }
    onKey('all of B2 at infinity', inKey(7, (s) => fill(s, 0, s.length, 0)), UNSATISFIED);
    onKey('delta2 is gamma2', inKey(2, (s) => splice(s, s.length - g2, s.subarray(s.length - 2 * g2 - g1, s.length - g2 - g1))), UNSATISFIED);
    onKey('points of A in another order', inKey(5, (s) => Buffer.concat([s.subarray(g1), s.subarray(0, g1)])), UNSATISFIED);

    // --- coefficients: u32 count, then {matrix, row, signal, value}
    const entry = 44, first = 4, entryAt = { index: 0 };
    const coefficients = sectionsOf(k, 'zkey').find(([i]) => i === 4)[1];
    const entries = coefficients.readUInt32LE(0);
    const inCoef = (o, v) => inKey(4, (s) => put32(s, o, v));
    const entryOf = (i) => coefficients.subarray(4 + i * entry, 4 + (i + 1) * entry);
    const coefOf = (list) => inKey(4, () => Buffer.concat([put32(Buffer.alloc(4), 0, list.length), ...list]));
    const all = Array.from({ length: entries }, (_, i) => entryOf(i));
    for (const v of [0, entries - 1, entries + 1, 1 << 31 >>> 0, U32]) onKey(`${v} coefficients claimed`, inCoef(0, v), key('coefficients', 'coefficients'));
    onKey('no coefficient', coefOf([]), key('coefficients', 'constraint'));
    for (const v of [2, 7, U32]) onKey(`matrix ${v}`, inCoef(first, v), key('coefficients', 'matrix', { ...entryAt, offset: at(4).start + first }));
    for (const v of [domain, domain + 1, U32]) onKey(`row ${v}`, inCoef(first + 4, v), key('coefficients', 'constraint', { ...entryAt, offset: at(4).start + first + 4 }));
    for (const v of [wires, wires + 1, U32]) onKey(`signal ${v}`, inCoef(first + 8, v), key('coefficients', 'signal', { ...entryAt, offset: at(4).start + first + 8 }));
    const value = (v) => inKey(4, (s) => splice(s, first + 12, toLe(v, 32)));
    for (const [label, v] of [['r', curve.r], ['r + 1', curve.r + 1n], ['2^256 - 1', (1n << 256n) - 1n]])
        onKey(`coefficient ${label}`, value(v), key('coefficients', 'value', { ...entryAt, offset: at(4).start + first + 12 }));
    onKey('coefficient changed', value((fromLe(coefficients, first + 12, 32) + 1n) % curve.r), UNSATISFIED);
    onKey('coefficient 0', value(0n), UNSATISFIED);
    onKey('coefficients in reverse order', coefOf([...all].reverse()), OK);
    const half = fromLe(coefficients, first + 12, 32) * modInv(2n, curve.r) % curve.r;
    const halfEntry = splice(entryOf(0), 12, toLe(half, 32));
    onKey('a coefficient in two halves', coefOf([halfEntry, ...all.slice(1), halfEntry]), OK);
    onKey('an explicit zero added', coefOf([...all, splice(entryOf(0), 12, Buffer.alloc(32))]), OK);
    onKey('last public row missing', coefOf(all.slice(0, -1)), key('coefficients', 'constraint'));
    onKey('last public row of another wire', coefOf([...all.slice(0, -1), put32(all.at(-1), 8, wires - 1)]), key('coefficients', 'constraint'));
    onKey('B in a public row', coefOf([...all, put32(all.at(-1), 0, 1)]), key('coefficients', 'constraint'));
    onKey('a row dropped', coefOf(all.slice(1)), UNSATISFIED);

    // --- witness
    const header = readContainer(w, 'wtns').get(1).start, body = readContainer(w, 'wtns').get(2).start;
    onWtns('empty file', Buffer.alloc(0), witness(undefined, 'magic', { offset: 0 }));
    onWtns('wrong magic', splice(w, 0, Buffer.from('zkey')), witness(undefined, 'magic', { offset: 0 }));
    onWtns('version 3', put32(w, 4, 3), witness(undefined, 'version', { offset: 4 }));
    onWtns('2^32 - 1 sections', put32(w, 8, U32), witness(undefined, 'section count', { offset: 8 }));
    onWtns('half of it', w.subarray(0, w.length / 2), { status: 2, role: 'witness' });
    onWtns('last byte missing', w.subarray(0, -1), witness(undefined, 'section size'));
    onWtns('a byte follows', Buffer.concat([w, Buffer.alloc(1)]), witness(undefined, 'end of file', { offset: w.length }));
    onWtns('header missing', wtnsOf((s) => s.filter(([i]) => i !== 1)), witness('header', undefined));
    onWtns('values missing', wtnsOf((s) => s.filter(([i]) => i !== 2)), witness('values', undefined));
    onWtns('values twice', wtnsOf((s) => [...s, s[1]]), witness(undefined, 'section id'));
    onWtns('sections in another order', wtnsOf((s) => [...s].reverse()), OK);
    onWtns('unknown section added', wtnsOf((s) => [...s, [9, Buffer.alloc(3)]]), OK);
    for (const v of [0, 31, U32]) onWtns(`values of ${v} bytes`, inWtns(1, (s) => put32(s, 0, v)), witness('header', 'field size', { offset: header }));
    onWtns('another prime', inWtns(1, (s) => flip(s, 4)), witness('header', 'prime', { offset: header + 4 }));
    onWtns('prime of the other curve', inWtns(1, (s) => splice(s, 4, toLe(other.r, 32))), witness('header', 'prime', { offset: header + 4 }));
    for (const v of [0, wires - 1, wires + 1, U32]) onWtns(`${v} values claimed`, inWtns(1, (s) => put32(s, 36, v)), witness('header', 'values', { offset: header + 36 }));
    onWtns('one value fewer, consistent', writeContainer('wtns', 2, sectionsOf(w, 'wtns').map(([i, s]) => [i, i === 1 ? put32(s, 36, wires - 1) : s.subarray(0, -32)])), witness('header', 'values'));
    onWtns('one value too few', inWtns(2, (s) => s.subarray(0, -32)), witness('values', 'values'));
    onWtns('one value too many', inWtns(2, (s) => Buffer.concat([s, Buffer.alloc(32)])), witness('values', 'values'));
    for (const [label, v] of [['r', curve.r], ['2^256 - 1', (1n << 256n) - 1n]])
        onWtns(`value ${label}`, inWtns(2, (s) => splice(s, 32 * (wires - 1), toLe(v, 32))), witness('values', 'value', { index: wires - 1, offset: body + 32 * (wires - 1) }));
    for (let i = 1; i < wires; i++) {
        const v = fromLe(w, body + 32 * i, 32);
        onWtns(`wire ${i} + r`, inWtns(2, (s) => splice(s, 32 * i, toLe(v + curve.r, 32))), witness('values', 'value', { index: i }));
        onWtns(`wire ${i} + 1`, inWtns(2, (s) => splice(s, 32 * i, toLe((v + 1n) % curve.r, 32))), UNSATISFIED);
    }
    for (const v of [0n, 2n, curve.r - 1n]) onWtns(`wire 0 is ${v < 3n ? v : 'r - 1'}`, inWtns(2, (s) => splice(s, 0, toLe(v, 32))), witness('values', 'value', { index: 0, offset: body }));
    onWtns('all values zero', inWtns(2, (s) => fill(s, 0, s.length, 0)), witness('values', 'value', { index: 0 }));
    return rows;
}
