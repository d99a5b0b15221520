// EdDSA with Poseidon over the twisted Edwards curve that lies on a circuit's own field, and circomlib's files for it.
//
// circomlib has Baby Jubjub, the curve over BN254's scalar field, written into its files, together with the length of
// that field.  For BLS12-381 the same circuits are rewritten for Jubjub: a, d (circomlib derives the Montgomery form
// from these two), the base point, the order, and 254-bit numbers become 255-bit ones.
import { mod } from './curves.mjs';
import { poseidon } from './poseidon.mjs';

const BABY_JUBJUB = {
    a: '168700',
    d: '168696',
    orderLess1: '2736030358979909402780800718157159386076813972158567259200215660948447373040',
    base8: ['5299619240641551281634865583518297030282874472190772894086521144482721001553',
        '16950150798460657717958625567821834550301663161624707787222815936182638968203'],
};

const CURVE_FILES = ['babyjub.circom', 'montgomery.circom', 'eddsaposeidon.circom', 'escalarmulany.circom'];

// A comparison by pairs of bits: with one pair more, the counter's weights need one bit more, too.
const LENGTH_EDITS = {
    'compconstant.circom': [['in[254]', 'in[256]'], ['parts[127]', 'parts[128]'], ['i<127', 'i<128'],
        ['(1 << 128) -1', '(1 << 129) -1'], ['Num2Bits(135)', 'Num2Bits(137)'], ['out[127]', 'out[128]']],
    'aliascheck.circom': [['in[254]', 'in[255]'], ['i<254', 'i<255'],
        ['compConstant.out ===', 'compConstant.in[255] <== 0;\n    compConstant.out ===']],
    'bitify.circom': [['[254]', '[255]'], ['(254)', '(255)'], ['i<254', 'i<255']],
    'eddsaposeidon.circom': [['compConstant.in[253] <== 0;', 'for (i=253; i<256; i++) compConstant.in[i] <== 0;'],
        ['EscalarMulAny(254)', 'EscalarMulAny(255)'], ['i<254', 'i<255']],
};

function replaceAll(text, from, to, file) {
    if (!text.includes(from)) throw new Error(`${file} of circomlib has changed: no "${from}"`);
    return text.split(from).join(to);
}

/** A point of prime order that signatures and circuit agree on. */
export function basePoint(curve) {
    const { Point } = curve.edwards;
    const base = curve.name === 'bn254'
        ? Point.fromAffine({ x: BigInt(BABY_JUBJUB.base8[0]), y: BigInt(BABY_JUBJUB.base8[1]) })
        : Point.BASE;
    const { a, d } = Point.CURVE();
    const { x, y } = base.toAffine();
    if (mod(a * x * x + y * y - 1n - d * x * x * y * y, curve.r) !== 0n) throw new Error('base point is off the curve');
    if (base.is0() || !base.isTorsionFree()) throw new Error('base point is not of prime order');
    return base;
}

/** The text of one of circomlib's files, made right for the curve. */
export function circomlibFor(curve, file, text) {
    if (curve.name === 'bn254') return text;
    const { a, d, n } = curve.edwards.Point.CURVE();
    const base = basePoint(curve).toAffine();
    let out = text;

    if (CURVE_FILES.includes(file)) {
        out = out.split(`var a = ${BABY_JUBJUB.a};`).join(`var a = ${a};`);
        out = out.split(`var d = ${BABY_JUBJUB.d};`).join(`var d = ${d};`);
        out = out.split(BABY_JUBJUB.orderLess1).join(`${n - 1n}`);
        out = out.split(BABY_JUBJUB.base8[0]).join(`${base.x}`);
        out = out.split(BABY_JUBJUB.base8[1]).join(`${base.y}`);
        if (out === text) throw new Error(`${file} of circomlib has changed: no curve constants`);
    }
    for (const [from, to] of LENGTH_EDITS[file] ?? []) out = replaceAll(out, from, to, file);
    return out;
}

/** A signature of message: the inputs of circuits/eddsa.circom.  secret and nonce below the order. */
export function eddsaSign(curve, secret, nonce, message) {
    const base = basePoint(curve);
    const { n } = curve.edwards.Point.CURVE();
    const a = base.multiply(secret);
    const r8 = base.multiply(nonce);
    const h = poseidon([r8.x, r8.y, a.x, a.y, message], curve.r);
    const s = mod(nonce + 8n * h * secret, n);

    // S B = R + 8 h A, before any circuit sees it
    if (!base.multiply(s).equals(r8.add(a.multiply(mod(8n * h, n))))) throw new Error('the signature does not verify');
    return { enabled: 1n, Ax: a.x, Ay: a.y, S: s, R8x: r8.x, R8y: r8.y, M: message };
}
