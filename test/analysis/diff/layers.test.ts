import { describe, expect, it } from 'vitest';
import { diffSchemas } from '../../../src/analysis/diff/diff-schemas.js';
import { named, nonNull } from '../../../src/compiler/graph/type-ref.js';
import type { GqlObjectType, GqlOperation, GqlSchema } from '../../../src/compiler/schema/gql-schema.js';
import { mergeSchemas, type SchemaFragment } from '../../../src/compiler/schema/merge-schemas.js';
import { briefly, changesBetween, schemaFrom } from './schemas.js';

const place = { description: undefined, span: undefined };

/** What a layer adds: types that no node made, an input that refers to an object type, a query without edges. */
function layer(change: (object: GqlObjectType) => GqlObjectType = (it) => it): SchemaFragment {
  const hop: GqlObjectType = change({
    name: 'Hop',
    description: undefined,
    node: undefined,
    fields: [{ ...place, name: 'index', type: nonNull(named('Int')), fallback: undefined }],
  });
  const query: GqlOperation = {
    kind: 'query',
    name: 'hop',
    description: undefined,
    arguments: [{ ...place, name: 'near', type: named('Hop'), fallback: undefined }],
    type: named('Hop'),
    edges: [],
  };
  return {
    objects: [hop],
    inputs: [
      {
        name: 'HopInput',
        description: undefined,
        of: 'Hop',
        fields: [{ ...place, name: 'next', type: named('Hop'), fallback: undefined }],
      },
    ],
    queries: [query],
  };
}

function withLayer(fragment: SchemaFragment): GqlSchema {
  return mergeSchemas(schemaFrom('(root)-[:PROCESS]->(hello { text: String })'), fragment).value;
}

describe('the parts of a layer', () => {
  it('are compared like others, without places', () => {
    const changes = diffSchemas(schemaFrom('(root)-[:PROCESS]->(hello { text: String })'), withLayer(layer()));
    expect(briefly(changes)).toEqual([
      'safe operation-added Query.hop',
      'safe route-added GET /api/hop',
      'safe type-added Hop',
      'safe type-added HopInput',
    ]);
    for (const { before, after } of changes) expect([before, after]).toEqual([undefined, undefined]);
  });

  it('reach operations through the inputs of object types', () => {
    const after = withLayer({
      ...layer(),
      inputs: (layer().inputs ?? []).map((input) => ({
        ...input,
        fields: [...input.fields, { ...place, name: 'extra', type: named('Int'), fallback: undefined }],
      })),
    });
    const [change] = diffSchemas(withLayer(layer()), after);
    expect(change).toMatchObject({
      kind: 'input-field-added',
      coordinate: 'HopInput.extra',
      reach: { queries: ['hop'] },
    });
  });

  it('have changes of fields, constants and operations without places', () => {
    const after = withLayer({
      ...layer((hop) => ({ ...hop, fields: hop.fields.map((field) => ({ ...field, fallback: 1 })) })),
      queries: (layer().queries ?? []).map((query) => ({
        ...query,
        type: nonNull(named('Hop')),
        arguments: [],
      })),
    });
    expect(briefly(diffSchemas(withLayer(layer()), after))).toEqual([
      'breaking argument-removed Query.hop(near:)',
      'safe operation-type-changed Query.hop',
      'safe constant-added Hop.index',
    ]);
  });

  it('are distinguished from types and operations of the topology with the same names', () => {
    const after = schemaFrom(
      '(root)-[:PROCESS]->(hello { text: String }) (root)-[:PROCESS { near: Hop }]->(hop { index: Int! })',
    );
    const changes = briefly(diffSchemas(withLayer(layer()), after));
    expect(changes).toContain('safe origin-changed Query.hop');
    expect(changes).toContain('safe origin-changed Hop');
    expect(diffSchemas(withLayer(layer()), after).find(({ coordinate }) => coordinate === 'Hop')?.message).toBe(
      'The origin of Hop changed from a layer to (hop).',
    );
  });

  it('add the first and remove the last operation of a root type', () => {
    const mutation: GqlOperation = {
      ...(layer().queries?.[0] as GqlOperation),
      kind: 'mutation',
      name: 'jump',
    };
    const found = diffSchemas(withLayer(layer()), withLayer({ ...layer(), mutations: [mutation] }));
    expect(briefly(found)).toContain('safe root-type-added Mutation');
  });
});

describe('a scalar that becomes an input', () => {
  it('is encoded differently, alone and in a list', () => {
    const text = (type: string, node: string) => `${node}(root)-[:PROCESS { a: ${type} }]->(user { id: ID! })`;
    for (const [type, was] of [
      ['SizeInput', 'a=…'],
      ['[SizeInput]', 'a=…&a=…'],
    ] as const) {
      const changes = changesBetween(
        text(type, '(size_input: Scalar)'),
        text(type.replace('Input', ''), '(size { w: Int })'),
      );
      const change = changes.find(({ kind }) => kind === 'parameter-style-changed');
      expect(change?.message).toContain(`instead of ${was}.`);
    }
  });
});

describe('a standard scalar', () => {
  const uses = '(root)-[:PROCESS]->(seen { at: DateTime, n: Int })';
  const url = 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6';

  it('is reported as dangerous if a node replaces it, because its JSON may differ', () => {
    const declared = `(date_time: Scalar { specifiedBy: '${url}' })\n${uses}`;
    const changes = changesBetween(uses, declared).map(({ kind, message }) => [kind, message]);
    expect(changes).toContainEqual([
      'scalar-specification-changed',
      `The specification of the scalar DateTime changed from that of the standard scalar to ${url}.`,
    ]);
    expect(changes).toContainEqual([
      'origin-changed',
      'The origin of DateTime changed from a standard scalar to (date_time:Scalar).',
    ]);
  });

  it('is added and removed with its first and last use, and compared like others', () => {
    const text = '(root)-[:PROCESS]->(seen { at: String, n: Int })';
    const kinds = (before: string, after: string) => changesBetween(before, after).map(({ kind }) => kind);
    expect(kinds(text, uses)).toContain('type-added');
    expect(kinds(uses, text)).toContain('type-removed');
    expect(kinds(uses, uses)).toEqual([]);
  });
});
