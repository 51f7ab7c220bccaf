import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compile } from '../../src/compiler/compile.js';
import { camelCaseOf, typeNameOf } from '../../src/compiler/graph/names.js';
import { codeBlocks } from './markdown.js';

const page = readFileSync('docs/mapping.md', 'utf8');

describe.each(['docs/mapping.md', 'docs/inputs.md'])('%s', (file) => {
  const blocks = codeBlocks(readFileSync(file, 'utf8'));

  /** Each output on the page, with the topology that stands before it. */
  const outputs = blocks.flatMap(({ language, text, line }, at) => {
    if (language !== 'graphql') return [];
    const input = blocks.slice(0, at).findLast((block) => block.language === 'gg');
    if (input === undefined) throw new Error(`line ${line} shows an output before any input`);
    return [{ line, input: input.text, definitions: text.split('\n\n') }];
  });

  it('shows an output for each topology', () => {
    expect(outputs.length).toBe(blocks.filter(({ language }) => language === 'gg').length);
  });

  it.each(outputs)('shows the actual output on line $line', ({ input, definitions }) => {
    const result = compile(input);
    if (!result.ok) throw new Error('the topology has errors');
    const real = result.artifacts['schema.graphql'].split(/\n\n(?=\S)/).map((text) => text.trim());
    for (const definition of definitions) expect(real).toContain(definition);
  });
});

describe('the page of the mapping', () => {
  const names = [...page.matchAll(/^\| `(\w+)` \| `(\w+)` \| `(\w+)` \|$/gm)].map(([, id, type, operation]) => ({
    id: id ?? '',
    type,
    operation,
  }));

  it.each(names)('lists the names of $id', ({ id, type, operation }) => {
    expect([typeNameOf(id), camelCaseOf(typeNameOf(id))]).toEqual([type, operation]);
  });

  it('lists some ids', () => {
    expect(names.length).toBeGreaterThan(4);
  });
});
