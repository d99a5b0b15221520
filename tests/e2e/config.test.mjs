// `cuzk config`: what it refuses, and that what was made from the table of options is up to date.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { cuzk, cuzkOk, scratch } from './lib/cuzk.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const file = join(scratch, 'cuzkd.toml');

function check(text, ...options) {
    writeFileSync(file, text);
    return cuzk('config', 'check', file, ...options);
}

test('docs/configuration.md is what `cuzk config options` prints', () => {
    assert.equal(readFileSync(join(root, 'docs/configuration.md'), 'utf8'), cuzkOk('config', 'options').stdout);
});

test('packaging/cuzkd.example.toml is what `cuzk config print` prints, and passes the check', () => {
    const example = cuzkOk('config', 'print').stdout;
    assert.equal(readFileSync(join(root, 'packaging/cuzkd.example.toml'), 'utf8'), example);
    assert.equal(check(example).status, 0);
});

test('a good file: status 0, its settings with --json', () => {
    const text = '[gpus]\ndevices = [1, 0]\n[store]\nresult_age = "2h"\n';
    const { status, stdout, stderr } = check(text);
    assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: `OK! ${file}\n`, stderr: '' });
    const settings = JSON.parse(check(text, '--json').stdout);
    assert.deepEqual(settings.gpus.devices, [1, 0]);
    assert.equal(settings.store.result_age, 2 * 3600 * 1000);
    assert.equal(settings.memory.total_budget, 'auto');
    const defaults = JSON.parse(cuzkOk('config', 'print', '--json').stdout);
    assert.deepEqual(Object.keys(settings), Object.keys(defaults));
});

test('an obsolete key: status 0 and a warning', () => {
    const { status, stderr } = check('[memory]\npinned_budget = "50GiB"\n');
    assert.equal(status, 0);
    assert.equal(stderr,
        'cuzk: warning: memory.pinned_budget has no effect any more; instead: memory.total_budget\n');
});

test('a bad file: status 2 with file, line, column, key and what was expected', () => {
    const { status, stderr } = check('[gpus]\ngpu_threads = "many"\n');
    assert.equal(status, 2);
    assert.equal(stderr, `cuzk: configuration ${file}, field gpus.gpu_threads, offset 0x15: line 2, column 15: ` +
        'is a string (expected a number from 0 to 1024)\n');
    const { error } = JSON.parse(check('[deamon]\n', '--json').stderr);
    assert.equal(error.class, 'input');
    assert.equal(error.text, 'line 1, column 2: unknown table deamon: did you mean daemon?');
    assert.equal(cuzk('config', 'check', join(scratch, 'absent.toml')).status, 4);
});

test('every option as JSON has a name, a variable and either a default or what replaces it', () => {
    const { options } = JSON.parse(cuzkOk('config', 'options', '--json').stdout);
    assert.ok(options.length > 30);
    for (const { name, variable, takes, instead, ...more } of options) {
        assert.equal(variable, `CUZKD_${name.replace('.', '_').toUpperCase()}`);
        assert.ok(takes);
        assert.equal(instead === undefined, more.default !== undefined && Boolean(more.help));
    }
});
