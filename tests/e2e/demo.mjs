// Real circuits, both curves: a development key, a proof, two independent verifications, and where the time went.
//
//   node demo.mjs [NAME...]     names of fixtures; default: merkle sha256
import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';

import { buildFixtures, fixturesFolder } from './fixtures.mjs';
import { curves } from './lib/curves.mjs';
import { cuzkOk, cuzkPath, readJson } from './lib/cuzk.mjs';
import { closeJudge, snarkjs } from './lib/judge.mjs';

const names = process.argv.length > 2 ? process.argv.slice(2) : ['merkle', 'sha256'];
const fixtures = fixturesFolder();
const began = Date.now();

const titles = {
    poseidon: 'Poseidon hash', merkle: 'Poseidon Merkle, depth 20', eddsa: 'EdDSA signature',
    sha256: 'SHA-256 of 119 bytes', chain: 'squaring chain',
};

const short = (ms) => (ms < 9.95 ? ms.toFixed(1) : ms < 9999.5 ? String(Math.round(ms)) : `${(ms / 1000).toFixed(1)}k`);

async function proveOne(curve, name) {
    const at = (file) => join(fixtures, curve.name, name, file);
    const folder = join(fixtures, '../demo', `${name}-${curve.name}`);
    const [key, vk, proof, publics] = ['key.zkey', 'vk.json', 'proof.json', 'public.json']
        .map((file) => join(folder, file));
    mkdirSync(folder, { recursive: true });

    const setup = JSON.parse(cuzkOk('setup', at('circuit.r1cs'), key, '--json').stdout);
    const proved = JSON.parse(cuzkOk('prove', key, at('circuit.wtns'), proof, publics, '--json').stdout);
    cuzkOk('key', 'export-vk', key, vk);
    const verified = cuzkOk('verify', vk, publics, proof).stdout === 'OK!\n';
    const judged = await snarkjs.groth16.verify(readJson(vk), readJson(publics), readJson(proof));
    const expected = JSON.stringify(readJson(publics)) === JSON.stringify(readJson(at('publics.json')));
    return { curve, name, folder, setup, proved, verified: verified && expected, judged };
}

function row({ curve, name, setup, proved, verified, judged }) {
    const { times_ms: steps, stages_ms: stages } = proved;
    const sums = Object.entries(stages).filter(([stage]) => stage.startsWith('sum'));
    const yes = (value) => (value ? 'yes' : 'NO');
    return [titles[name] ?? name, curve.name, String(setup.constraints), `2^${Math.log2(proved.domain)}`,
        ...[setup.times_ms.total, steps.key_open, steps.points_check, stages.evaluate, stages.quotient,
            sums.reduce((total, [, ms]) => total + ms, 0), stages.finish, stages.verify, steps.prove].map(short),
        yes(verified), yes(judged)];
}

function print(rows) {
    const head = ['circuit', 'curve', 'constraints', 'domain', 'setup', 'open', 'check', 'abc', 'quotient', 'sums',
        'finish', 'verify', 'proof', 'cuzk', 'snarkjs'];
    const width = head.map((title, i) => Math.max(title.length, ...rows.map((r) => r[i].length)));
    const pad = (cell, i) => (i < 2 ? cell.padEnd(width[i]) : cell.padStart(width[i]));
    const line = (cells) => cells.map(pad).join('  ');
    console.log(['', line(head), line(width.map((w) => '-'.repeat(w))), ...rows.map(line)].join('\n'));
}

console.log('Compiling the circuits and computing their witnesses (circom) ...');
await buildFixtures(fixtures, names, (text) => console.log(`  ${text}`));

const results = [];
for (const name of names)
    for (const curve of curves) {
        console.log(`Proving ${titles[name] ?? name} on ${curve.name} ...`);
        results.push(await proveOne(curve, name));
    }
print(results.map(row));
const { threads, cpu } = results[0].proved;
const here = (path) => relative(process.cwd(), path);
const last = results[results.length - 1];
console.log(`
Times in ms, ${threads} threads, CPU path ${cpu}; demo took ${((Date.now() - began) / 1000).toFixed(0)} s.
  setup   a development key (insecure, for trying out)    open, check   the key's checks at its first use
  proof = abc + quotient + sums + finish + verify; the last two columns say who has accepted the proof.
The files are in ${here(join(last.folder, '..'))}.  Your own circuit:
  ${here(cuzkPath)} prove circuit.zkey witness.wtns proof.json public.json`);
await closeJudge();
process.exitCode = results.every(({ verified, judged }) => verified && judged) ? 0 : 1;
