// circom and its witness calculators.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { circomlibFor } from './edwards.mjs';

const require = createRequire(import.meta.url);
const run = promisify(execFile);

/** Lays the folder out for a compilation: main.circom and a circomlib made right for the curve. */
function layOut(folder, curve, source) {
    const library = join(dirname(require.resolve('circomlib/package.json')), 'circuits');
    mkdirSync(folder, { recursive: true });
    cpSync(library, join(folder, 'circomlib'), { recursive: true });
    for (const file of readdirSync(join(folder, 'circomlib')).filter((name) => name.endsWith('.circom'))) {
        const path = join(folder, 'circomlib', file);
        writeFileSync(path, circomlibFor(curve, file, readFileSync(path, 'utf8')));
    }
    writeFileSync(join(folder, 'main.circom'), source);
}

/** Compiles a circuit; returns the paths of its .r1cs and of its witness calculator.  Leaves them in folder. */
export async function compile(folder, curve, source) {
    layOut(folder, curve, source);
    const compiler = join(dirname(require.resolve('circom2/package.json')), 'cli.js');
    const args = [compiler, 'main.circom', '--r1cs', '--wasm', '--O2', '--prime', curve.circom, '-o', '.'];
    try {
        await run(process.execPath, args, { cwd: folder, maxBuffer: 1 << 24 });
    } catch (error) {
        throw new Error(`circom: ${error.stdout}${error.stderr}`);
    }
    rmSync(join(folder, 'circomlib'), { recursive: true });
    return { r1cs: join(folder, 'main.r1cs'), calculator: join(folder, 'main_js') };
}

/** The .wtns that a circuit's own wasm computes from inputs; calculator: the folder that circom wrote. */
export async function calculate(calculator, inputs) {
    const builder = require(join(calculator, 'witness_calculator.js'));
    const wasm = await builder(readFileSync(join(calculator, 'main.wasm')));
    return Buffer.from(await wasm.calculateWTNSBin(inputs, true));
}
