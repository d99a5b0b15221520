// One run of the tool under measure: status, signal, processor time, peak memory, output.
import { spawn } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { cuzkPath, scratch } from './cuzk.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const measuredPath = resolve(process.env.CUZK_MEASURED ?? join(root, 'build/measured'));

/** Runs `cuzk args...` in folder; resolves to {status, signal, cpuMs, wallMs, peakKib, stdout, stderr}. */
export function measured(folder, ...args) {
    return new Promise((done, failed) => {
        const run = spawn(measuredPath, [cuzkPath, ...args], {
            cwd: folder, stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
            env: { ...process.env, XDG_CACHE_HOME: join(scratch, 'cache') },
        });
        const text = ['', '', '', ''];
        for (const fd of [1, 2, 3]) run.stdio[fd].on('data', (data) => { text[fd] += data; });
        run.on('error', failed);
        run.on('close', () => {
            const [status, signal, cpuMs, wallMs, peakKib] = text[3].trim().split(' ').map(Number);
            done({ status, signal, cpuMs, wallMs, peakKib, stdout: text[1], stderr: text[2] });
        });
    });
}
