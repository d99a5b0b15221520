// Builds what the tests, the benchmarks and the demo prove: circuits, witnesses, and keys made by snarkjs.
//
//   node fixtures.mjs [FOLDER] [NAME...]      FOLDER: default build/fixtures; NAME: such as merkle, or bn254/merkle
//
// FOLDER/CURVE/NAME/ then holds circuit.r1cs, circuit.wtns, publics.json (the values that the circuit must show,
// computed without it), for `poseidon` also snarkjs.zkey and, not contributed to, fresh.zkey.  A fixture is built again
// only when something that it is made from has changed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { writeChain } from './chain.mjs';
import { calculate, compile } from './lib/circom.mjs';
import { curveByName, curves, modPow } from './lib/curves.mjs';
import { eddsaSign } from './lib/edwards.mjs';
import { poseidon } from './lib/poseidon.mjs';
import { semaphoreFiles, semaphoreInputs } from './lib/semaphore.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);

export const CHAIN_LENGTH = 100000;
export const fixturesFolder = () => resolve(process.env.CUZK_FIXTURES ?? join(here, '../../build/fixtures'));

const circuitText = (name) => readFileSync(join(here, 'circuits', `${name}.circom`), 'utf8');

// Inputs of each circuit and the public values that follow from them, in the order of the wires.
const circuits = {
    poseidon(curve) {
        const preimage = [1n, 2n];
        return { inputs: { preimage }, publics: [poseidon(preimage, curve.r)] };
    },
    merkle(curve) {
        const depth = 20;
        const sibling = Array.from({ length: depth }, (_, i) => modPow(7n, BigInt(100 + i), curve.r));
        const right = Array.from({ length: depth }, (_, i) => (0b10110011100011110000n >> BigInt(i)) & 1n);
        const leaf = 123456789n;
        const parent = (node, i) => poseidon(right[i] ? [sibling[i], node] : [node, sibling[i]], curve.r);
        const root = sibling.reduce((node, _, i) => parent(node, i), leaf);
        return { inputs: { leaf, sibling, right }, publics: [root] };
    },
    eddsa(curve) {
        const [secret, nonce] = [0x1234_5678_9abc_def0_1122_3344_5566_7788n, 0xfeed_face_0bad_beef_0123n];
        const signed = eddsaSign(curve, secret, nonce, 31337n);
        return { inputs: signed, publics: [signed.Ax, signed.Ay, signed.M] };
    },
    sha256() {
        const message = Buffer.from('The quick brown fox jumps over the lazy dog. '.repeat(3).slice(0, 119));
        const digest = createHash('sha256').update(message).digest('hex');
        return {
            inputs: { message: [...message].map(BigInt) },
            publics: [digest.slice(0, 32), digest.slice(32)].map((half) => BigInt(`0x${half}`)),
        };
    },
};

async function buildCircuit(folder, curve, name) {
    const work = join(folder, 'work');
    const { inputs, publics } = circuits[name](curve);
    const { r1cs, calculator } = await compile(work, curve, circuitText(name));
    renameSync(r1cs, join(folder, 'circuit.r1cs'));
    writeFileSync(join(folder, 'circuit.wtns'), await calculate(calculator, inputs));
    writePublics(folder, publics);
    rmSync(work, { recursive: true });
}

function writePublics(folder, publics) {
    writeFileSync(join(folder, 'publics.json'), JSON.stringify(publics.map(String)));
}

// The same chain from circom: what chain.mjs must write, byte for byte.
async function buildChainCircom(folder, curve) {
    const work = join(folder, 'work');
    const { r1cs, calculator } = await compile(work, curve, circuitText('chain'));
    renameSync(r1cs, join(folder, 'circuit.r1cs'));
    writeFileSync(join(folder, 'circuit.wtns'), await calculate(calculator, { a: 3n }));
    rmSync(work, { recursive: true });
}

function buildChain(folder, curve) {
    const a = 3n;
    writeChain(folder, CHAIN_LENGTH, curve, a);
    writePublics(folder, [modPow(a, modPow(2n, BigInt(CHAIN_LENGTH), curve.r - 1n), curve.r)]);
}

/** A key by snarkjs, from a ceremony of its own.  fresh.zkey is the same before any contribution. */
async function snarkjsSetup(folder, curve, power) {
    const snarkjs = require('snarkjs');
    const { getCurveFromName } = require('ffjavascript');
    const at = (name) => join(folder, name);

    await snarkjs.powersOfTau.newAccumulator(await getCurveFromName(curve.snarkjs), power, at('0.ptau'));
    await snarkjs.powersOfTau.contribute(at('0.ptau'), at('1.ptau'), 'powers', 'entropy for the powers');
    await snarkjs.powersOfTau.preparePhase2(at('1.ptau'), at('final.ptau'));
    await snarkjs.zKey.newZKey(at('circuit.r1cs'), at('final.ptau'), at('fresh.zkey'));
    await snarkjs.zKey.contribute(at('fresh.zkey'), at('snarkjs.zkey'), 'key', 'entropy for the key');
    for (const name of ['0.ptau', '1.ptau', 'final.ptau']) rmSync(at(name));
}

async function buildPoseidon(folder, curve) {
    await buildCircuit(folder, curve, 'poseidon');
    await snarkjsSetup(folder, curve, 8);
}

async function buildSemaphore(folder, depth, members) {
    const { inputs, publics } = semaphoreInputs(depth, members);
    const { wtns } = require('snarkjs');
    await wtns.calculate(inputs, semaphoreFiles(depth).wasm, join(folder, 'circuit.wtns'));
    writePublics(folder, publics);
}

export const semaphoreDepths = [1, 16, 20, 32];

function recipes() {
    const list = [];
    const add = (curve, name, sources, build) => list.push({ path: `${curve.name}/${name}`, sources, build, curve });
    const onBoth = (...row) => curves.forEach((curve) => add(curve, ...row));
    for (const name of ['merkle', 'eddsa', 'sha256'])
        onBoth(name, [circuitText(name)], (folder, c) => buildCircuit(folder, c, name));
    onBoth('poseidon', [circuitText('poseidon')], buildPoseidon);
    onBoth('chain', [String(CHAIN_LENGTH)], buildChain);
    onBoth('chain-circom', [circuitText('chain')], buildChainCircom);
    for (const depth of semaphoreDepths)
        add(curveByName('bn254'), `semaphore-${depth}`, [],
            (folder) => buildSemaphore(folder, depth, depth === 1 ? 2 : 13));
    return list;
}

/** Everything that each fixture depends on but its own sources. */
function commonSources() {
    const library = ['circom', 'curves', 'edwards', 'iden3', 'poseidon', 'semaphore'].map((name) => `lib/${name}.mjs`);
    return ['package.json', 'fixtures.mjs', 'chain.mjs', ...library]
        .map((file) => readFileSync(join(here, file), 'utf8'));
}

const digestOf = (recipe, common) =>
    createHash('sha256').update(JSON.stringify([recipe.path, recipe.sources, common])).digest('hex');

/** One fixture, if it is missing or old.  It appears whole or not at all. */
async function buildOne(folder, recipe, digest, log) {
    const target = join(folder, recipe.path);
    const stamp = join(target, 'made-from');
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;

    const began = Date.now();
    const fresh = `${target}.${process.pid}.new`;
    rmSync(fresh, { recursive: true, force: true });
    mkdirSync(fresh, { recursive: true });
    await recipe.build(fresh, recipe.curve);
    writeFileSync(join(fresh, 'made-from'), digest);
    rmSync(target, { recursive: true, force: true });
    renameSync(fresh, target);
    log(`${recipe.path}: ${((Date.now() - began) / 1000).toFixed(1)} s`);
}

/** Builds what is missing or old, two at a time; only: names to build, all if empty. */
export async function buildFixtures(folder, only = [], log = () => {}) {
    const common = commonSources();
    const wanted = (path) => only.length === 0 || only.includes(path) || only.includes(path.split('/')[1]);
    const todo = recipes().filter(({ path }) => wanted(path));
    const worker = async () => {
        for (let recipe = todo.shift(); recipe !== undefined; recipe = todo.shift())
            await buildOne(folder, recipe, digestOf(recipe, common), log);
    };
    await Promise.all([worker(), worker()]);
    for (const curve of ['curve_bn128', 'curve_bls12381']) {
        await globalThis[curve]?.terminate();    // snarkjs' worker threads
        delete globalThis[curve];
    }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
    const [folder, ...only] = process.argv.slice(2);
    await buildFixtures(folder ? resolve(folder) : fixturesFolder(), only, console.log);
}
