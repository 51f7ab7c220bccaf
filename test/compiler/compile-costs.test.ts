import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SourceInput } from '../../src/compiler/analyze.js';
import { compile } from '../../src/compiler/compile.js';
import { generateTopology } from '../bench/generate.js';
import { readParcel } from '../bench/inputs.js';
import { bundlePrograms, withProgramFolder } from '../programs/bundle.mjs';

const root = join(import.meta.dirname, '../..');

function bytesOf(source: string | readonly SourceInput[]): number {
  const { artifacts } = compile(source);
  if (artifacts === undefined) throw new Error('The topology has errors.');
  return Buffer.byteLength(artifacts['openapi.json'] + artifacts['collection.json']);
}

describe('the OpenAPI document and the collection together', () => {
  test('have at most 7 kB an edge at 1k edges', () => {
    expect(bytesOf(generateTopology({ edges: 1_000 })) / 1_000).toBeLessThanOrEqual(7_000);
  });

  test('have at most 308 kB for the parcel example', () => {
    expect(bytesOf(readParcel(root))).toBeLessThanOrEqual(308_000);
  });
});

interface Calls {
  readonly name: string;
  readonly count: number;
}

/** The calls of each function of the compiler, for topologies of these numbers of edges. */
function countCalls(...sizes: readonly number[]): Promise<readonly (readonly Calls[])[]> {
  return withProgramFolder('calls', async (folder: string) => {
    await bundlePrograms(['test/programs/count-calls.ts'], folder);
    const { stdout, stderr } = spawnSync(
      process.execPath,
      // V8 counts a function from its first call only if its feedback is allocated then.
      ['--no-lazy-feedback-allocation', join(folder, 'count-calls.mjs'), ...sizes.map(String)],
      { encoding: 'utf8', maxBuffer: 1 << 26, env: { ...process.env, NODE_V8_COVERAGE: '' } },
    );
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout);
  });
}

test('the number of calls of each function grows linearly with the number of edges', async () => {
  const [edges, times] = [300, 10];
  const [small = [], large = []] = await countCalls(edges, edges * times);
  const before = new Map(small.map(({ name, count }) => [name, count]));
  // Longer names have more letters and digits, each of which is looked at.
  const grown = large.filter(({ name, count }) => count > 1.3 * times * (before.get(name) ?? 0) + edges);
  expect(grown).toEqual([]);
  const total = large.reduce((sum, { count }) => sum + count, 0);
  expect(total / (edges * times)).toBeGreaterThan(500);
  expect(total / (edges * times)).toBeLessThan(2_900);
});
