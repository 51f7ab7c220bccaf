import { describe, expect, test } from 'vitest';
import { printSelection } from '../../src/compiler/api/print-selection.js';
import { defaultSelection } from '../../src/compiler/api/selection.js';
import { baseName } from '../../src/compiler/graph/type-ref.js';
import { defaultPicks, restFields, selectionOf } from '../../web/try/picks.js';
import { operations, schemaOf } from './examples.js';

const schema = schemaOf(`
(maker { id: ID!, name: String! })
(box { id: ID!, size(unit: String!): Int!, maker: Maker })
(crate { id: ID!, size: String })
(shop)-[:PROCESS { id: ID! }]->(box)
(shop)-[:PROCESS]->(store { found: Found })
(box | crate)-[:RACE]->(found)
`);
const printed = (type: string, picks: object) => {
  const selection = selectionOf(schema, type, picks as never);
  return selection && printSelection(selection).replace(/\s+/g, ' ');
};

test.each(operations)('ticks the fields of the default selection of %s', (_, schema, { type }) => {
  const selection = selectionOf(schema, baseName(type), defaultPicks(schema, baseName(type)));
  expect(selection).toEqual(defaultSelection(schema, type));
  expect(restFields(schema, baseName(type), defaultPicks(schema, baseName(type)))).toBeUndefined();
});

describe('the selection of ticked fields', () => {
  test('is in the order of the type, without fields that it does not have', () => {
    expect(printed('Box', { former: true, maker: { name: true }, id: true })).toBe('{ id maker { name } }');
  });

  test('gives the required arguments of a field their examples', () => {
    expect(printed('Box', { size: true })).toMatch(/^\{ size\(unit: ".+"\) \}$/);
  });

  test('gives a field its typed arguments only at its path', () => {
    const selection = selectionOf(
      schema,
      'FoundRace',
      { Box: { size: true }, Crate: { id: true } },
      { 'Box.size': { unit: 'c"m', former: 'x' }, size: { unit: 'elsewhere' } },
    );
    expect(selection && printSelection(selection)).toContain('size(unit: "c\\"m")');
    expect(printed('Box', { size: true })).not.toContain('elsewhere');
  });

  test('is __typename for an object without a ticked field', () => {
    expect(printed('Box', { maker: {} })).toBe('{ maker { __typename } }');
  });

  test('gives fields of members that have different types an alias', () => {
    expect(printed('FoundRace', { Box: { size: true }, Crate: { size: true } })).toMatch(
      /^\{ __typename \.\.\. on Box \{ size\(unit: ".+"\) \} \.\.\. on Crate \{ size_Crate: size \} \}$/,
    );
  });
});

describe('the fields for REST', () => {
  test('are the paths of the ticked leaves', () => {
    expect(restFields(schema, 'Box', { maker: { name: true }, id: true })).toBe('id,maker.name');
  });

  test('omit fields with required arguments, which REST does not pass', () => {
    expect(restFields(schema, 'Box', { id: true, size: true })).toBe('id');
  });

  test('of a union are those of all members, each once', () => {
    expect(restFields(schema, 'FoundRace', { Box: { id: true }, Crate: { id: true, size: true } })).toBe('id,size');
  });

  test('are empty if nothing is ticked: REST then returns the default selection', () => {
    expect(restFields(schema, 'Box', {})).toBeUndefined();
  });
});
