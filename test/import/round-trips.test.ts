import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compile } from '../../src/compile.js';
import { importDescription } from '../../src/import/import-description.js';
import { createSourceFile } from '../../src/source/source-file.js';
import { topologies } from '../arbitraries/topology.js';

const golden = fileURLToPath(new URL('../../golden', import.meta.url));
const cases = readdirSync(golden).filter((name) => existsSync(join(golden, name, 'schema.graphql')));

/** The topology that an import makes of a text. */
function imported(text: string): string {
  const { value, diagnostics } = importDescription(createSourceFile('description', text));
  expect(diagnostics).toEqual([]);
  return value?.text ?? '';
}

/** An SDL lists the standard scalars of declared errors and of internal parts, too, but not these parts. */
function withoutUnusedScalars(sdl: string): string {
  return sdl.replace(/(?:"""[^"\n]*"""\n)?scalar (\w+)[^\n]*\n\n/g, (definition, name: string) =>
    definition.includes('@node') || new RegExp(`: \\[*${name}\\b`).test(sdl) ? definition : '',
  );
}

describe('the SDL of a topology', () => {
  test.each(cases)('is the SDL of its import: %s', (name) => {
    const sdl = readFileSync(join(golden, name, 'schema.graphql'), 'utf8');
    const isEmpty = !/@topology\(edge: "(?:PROCESS|FOLD|FORK)/.test(sdl);
    if (isEmpty) expect(importDescription(createSourceFile('sdl', sdl)).diagnostics[0]?.code).toBe('GG4023');
    else expect(compile(imported(sdl)).artifacts?.['schema.graphql']).toBe(sdl);
  });

  test('is the SDL of its import, whatever the topology', () => {
    fc.assert(
      fc.property(topologies(), ({ text }) => {
        const sdl = compile(text).artifacts?.['schema.graphql'];
        fc.pre(sdl !== undefined && /@topology\(edge: "(?:PROCESS|FOLD|FORK)/.test(sdl));
        const again = compile(imported(sdl)).artifacts?.['schema.graphql'] ?? '';
        expect(again).toBe(withoutUnusedScalars(sdl));
      }),
      { numRuns: 200 },
    );
  });
});
