// The official Semaphore keys: memberships proved, accepted with the official verification keys.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import assert from 'node:assert/strict';

import { readJson } from './lib/cuzk.mjs';
import { closeJudge, exportVk, proofFiles, proveAndJudge, refuseTampered } from './lib/judge.mjs';
import { semaphoreFiles } from './lib/semaphore.mjs';
import { buildFixtures, fixturesFolder, semaphoreDepths } from './fixtures.mjs';

const fixtures = fixturesFolder();
const nameOf = (depth) => `semaphore-${depth}`;
await buildFixtures(fixtures, semaphoreDepths.map(nameOf), (line) => console.error(`fixture ${line}`));
after(closeJudge);

for (const depth of semaphoreDepths) {
    test(`semaphore depth ${depth}: a membership under the official key`, async () => {
        const official = semaphoreFiles(depth);
        const files = { ...proofFiles(nameOf(depth)), key: official.zkey };
        const at = (file) => join(fixtures, 'bn254', nameOf(depth), file);

        const exported = await exportVk(files);
        const vk = readJson(official.json);
        for (const member of ['vk_alpha_1', 'vk_beta_2', 'vk_gamma_2', 'vk_delta_2', 'IC'])
            assert.deepEqual(exported[member], vk[member], member);
        writeFileSync(files.vk, readFileSync(official.json));
        await proveAndJudge(files, at('circuit.wtns'), vk, readJson(at('publics.json')));
        await refuseTampered(files, vk);
    });
}
