import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importDescription } from '../../../../../src/analysis/import/import-description.js';
import { createSourceFile } from '../../../../../src/base/source/source-file.js';
import { compile } from '../../../../../src/compiler/compile.js';
import { replayExamples } from '../../../../../src/tools/cli/commands/import/replay.js';
import { topologies } from '../../../../arbitraries/topology.js';

const files = ['collection.json', 'openapi.json'] as const;

/** Undefined for a document without operations or without examples. */
async function proofOf(file: string, document: string) {
  const { value } = importDescription(createSourceFile(file, document));
  if (value === undefined || value.examples.length === 0) return undefined;
  return { ...(await replayExamples(value.text, value.examples)), losses: value.losses };
}

describe('the proof of the documents of gg-svc', () => {
  // No object has a type that is an interface without types.
  const named = readdirSync('golden').filter((name) => name !== 'GG2034-interface-without-types');
  const goldens = named.flatMap((name) =>
    files.flatMap((file) => (existsSync(join('golden', name, file)) ? [[name, file] as const] : [])),
  );

  test.each(goldens)('accepts all examples of %s/%s', async (name, file) => {
    const proof = await proofOf(file, readFileSync(join('golden', name, file), 'utf8'));
    expect(proof?.refused ?? []).toEqual([]);
  });

  test('accepts all of random topologies, except for members of inputs that the documents do not define', async () => {
    let replayed = 0;
    await fc.assert(
      fc.asyncProperty(topologies(), async ({ text }) => {
        const { artifacts } = compile(text);
        for (const file of files) {
          const proof = await proofOf(file, artifacts?.[file] ?? '');
          replayed += proof?.examples ?? 0;
          for (const { reason } of proof?.refused ?? []) {
            expect(reason).toMatch(/^There is no parameter “\w+(?:\[0\])?\./);
            expect(proof?.losses).not.toEqual([]);
          }
        }
      }),
      { numRuns: 200 },
    );
    expect(replayed).toBeGreaterThan(500);
  });
});
