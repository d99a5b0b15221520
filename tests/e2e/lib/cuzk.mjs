// The tool under test, as a person runs it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');

export const cuzkPath = resolve(process.env.CUZK ?? join(root, 'build/cuzk'));
export const oraclePath = resolve(process.env.CUZK_ORACLE ?? join(root, 'build/oracle'));

/** A folder of this process's own, gone when it ends; it also holds the tool's cache. */
export const scratch = mkdtempSync(join(tmpdir(), 'cuzk-e2e-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** Runs `cuzk args...`; returns {status, signal, stdout, stderr, ms}. */
export function cuzk(...args) {
    if (!existsSync(cuzkPath)) throw new Error(`${cuzkPath} is not there: build first, or set CUZK`);
    const began = process.hrtime.bigint();
    const { status, signal, stdout, stderr, error } = spawnSync(cuzkPath, args.map(String), {
        encoding: 'utf8', maxBuffer: 1 << 26, env: { ...process.env, XDG_CACHE_HOME: join(scratch, 'cache') },
    });
    if (error) throw error;
    return { status, signal, stdout, stderr, ms: Number(process.hrtime.bigint() - began) / 1e6 };
}

/** The same, for a run that must succeed. */
export function cuzkOk(...args) {
    const result = cuzk(...args);
    if (result.status !== 0) {
        const { status, signal, stdout, stderr } = result;
        throw new Error(`cuzk ${args.join(' ')}: ${signal ?? `status ${status}`}\n${stdout}${stderr}`);
    }
    return result;
}

export const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
