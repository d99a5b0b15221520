// Small circuits of other people's systems (tests/vectors/foreign): gnark's and arkworks' examples as .r1cs and .wtns.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { closeJudge, setupProveJudge, snarkjsProves } from './lib/judge.mjs';

const vectors = join(dirname(fileURLToPath(import.meta.url)), '../vectors/foreign');
after(closeJudge);

for (const system of readdirSync(vectors).filter((name) => !name.includes('.')))
    for (const curve of readdirSync(join(vectors, system)))
        for (const name of readdirSync(join(vectors, system, curve)))
            test(`${system} ${name} on ${curve}`, async () => {
                const at = (file) => join(vectors, system, curve, name, file);
                const { files, vk } = await setupProveJudge(`${system}-${curve}-${name}`, at('circuit.r1cs'),
                    at('circuit.wtns'));
                await snarkjsProves(files, at('circuit.wtns'), vk);
            });
