import { expect, it } from 'vitest';
import { diffSchemas } from '../../../src/analysis/diff/diff-schemas.js';
import { schemaFrom } from './schemas.js';

/** `kind level coordinate` of each change. */
function changes(before: string, after: string): string[] {
  return diffSchemas(schemaFrom(before), schemaFrom(after))
    .map(({ kind, level, coordinate }) => `${kind} ${level} ${coordinate}`)
    .filter((line) => !line.startsWith('origin') && !line.startsWith('directive'));
}

const field = (...tags: readonly string[]) =>
  `(a {\n${tags.map((tag) => `/// ${tag}\n`).join('')} n: Int, s: String })(root)-[:PROCESS { like: A }]->(a)`;

it.each([
  [['@minimum 1'], ['@minimum 2'], 'tightened'],
  [['@minimum 2'], ['@minimum 1'], 'loosened'],
  [['@exclusiveMinimum 1'], ['@exclusiveMinimum 2'], 'tightened'],
  [['@exclusiveMaximum 1'], ['@exclusiveMaximum 2'], 'loosened'],
  [['@multipleOf 2'], ['@multipleOf 4'], 'tightened'],
  [['@multipleOf 4'], ['@multipleOf 2'], 'loosened'],
  [[], ['@maximum 9'], 'tightened'],
])('reports a constraint that changes from %j to %j as %s, for given and for read values', (before, after, what) => {
  const [given, read] = what === 'tightened' ? ['breaking', 'safe'] : ['safe', 'dangerous'];
  expect(changes(field(...before), field(...after)).sort()).toEqual(
    [`constraint-${what} ${given} AInput.n`, `constraint-${what} ${read} A.n`].sort(),
  );
});

it('reports tighter and looser constraints of one value separately', () => {
  const found = changes(field('@minimum 1', '@maximum 5'), field('@minimum 2', '@maximum 6'));
  expect(found).toContain('constraint-tightened breaking AInput.n');
  expect(found).toContain('constraint-loosened safe AInput.n');
});

it('compares the documentation and the deprecation of enum values and operations', () => {
  const side = (doc: string, edge: string) =>
    `(e: Enum { values: [\n${doc}\nX, Y] })\n${edge}\n(root)-[:PROCESS]->(a { e: E })`;
  const found = changes(side('/// Old.', '/// @deprecated Use b.'), side('/// New.\n/// @deprecated', '/// Text.'));
  expect(found).toEqual(
    expect.arrayContaining([
      'description-changed safe E.X',
      'deprecation-changed safe E.X',
      'deprecation-changed safe Query.a',
    ]),
  );
});

it('ignores changed examples', () => {
  expect(changes(field('@example 1'), field('@example 2'))).toEqual([]);
});
