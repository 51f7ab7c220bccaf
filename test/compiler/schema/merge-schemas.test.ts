import { describe, expect, it } from 'vitest';
import { named } from '../../../src/compiler/graph/type-ref.js';
import type {
  GqlIoBinding,
  GqlObjectType,
  GqlOperation,
  OperationKind,
} from '../../../src/compiler/schema/gql-schema.js';
import { mergeSchemas, type SchemaFragment } from '../../../src/compiler/schema/merge-schemas.js';
import { describeSchema, project } from './check.js';

const objectType = (name: string): GqlObjectType => ({
  name,
  description: undefined,
  fields: [{ name: 'head', description: undefined, type: named('String'), fallback: undefined, span: undefined }],
  node: undefined,
});

const operation = (kind: OperationKind, name: string): GqlOperation => ({
  kind,
  name,
  description: undefined,
  arguments: [],
  type: named('Chain'),
  edges: [],
});

const layer: SchemaFragment = {
  objects: [objectType('Chain')],
  inputs: [{ name: 'ChainInput', description: undefined, of: 'Chain', fields: [] }],
  queries: [operation('query', 'chain')],
};

/** The texts that the findings of a merge point at. */
const clashes = (text: string, fragment: SchemaFragment = layer): string[] => {
  const { value, diagnostics } = mergeSchemas(project(text).schema, fragment);
  const names = [...value.objects, ...value.inputs, ...value.enums, ...value.scalars, ...value.unions].map(
    ({ name }) => name,
  );
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(value.queries.map(({ name }) => name)).size).toBe(value.queries.length);
  return diagnostics.map(({ code, message, span }) => {
    return `${code} ${message.slice(0, message.indexOf(','))} «${text.slice(span.start, span.end)}»`;
  });
};

describe('a layer', () => {
  it('adds its types and operations after those of the topology', () => {
    const { schema } = project('(a)-[:PROCESS]->(b)');
    const { value, diagnostics } = mergeSchemas(schema, {
      ...layer,
      mutations: [operation('mutation', 'cut')],
      subscriptions: [operation('subscription', 'watch')],
    });
    expect(diagnostics).toEqual([]);
    expect(value.sources).toBe(schema.sources);
    expect(describeSchema(value)).toEqual([
      'type A { id: ID! = "a" }',
      'type B { id: ID! = "b" }',
      'type Chain { head: String }',
      'input AInput { id: ID }',
      'input BInput { id: ID }',
      'input ChainInput {  }',
      'query b: B',
      'query chain: Chain',
      'mutation cut: Chain',
      'subscription watch: Chain',
    ]);
  });

  it('adds types of every kind, and its channels after those of the base', () => {
    const { schema } = project('(a)');
    const { schema: other } = project('(e: Enum { values: [X] }) (s: Scalar) (x | y)-[:RACE]->(z)');
    const channel = (node: string): GqlIoBinding => ({
      node,
      direction: 'in',
      transport: 'http',
      operations: [],
    });
    const first = mergeSchemas(schema, { ...other, io: [channel('x')] }).value;
    expect(describeSchema(first)).toEqual(
      expect.arrayContaining(['enum E { X }', 'scalar S', 'union ZRace = X | Y for Z']),
    );
    expect(first.io).toEqual([channel('x')]);
    expect(mergeSchemas(first, { io: [channel('y')] }).value.io).toEqual([channel('x'), channel('y')]);
    expect(mergeSchemas(first, {}).value.io).toEqual([channel('x')]);
    expect(mergeSchemas(schema, {}).value).not.toHaveProperty('io');
  });

  it.each(['mutation', 'subscription'] as const)('that has a %s of the topology is reported', (kind) => {
    const { schema } = project('(a)-[:FOLD]->(chain)-[:FORK]->(chain)');
    const { diagnostics } = mergeSchemas(schema, { [`${kind}s`]: [operation(kind, 'chain')] });
    expect(diagnostics.map(({ message }) => message)).toEqual([
      expect.stringContaining(`The topology has a ${kind} chain,`),
    ]);
  });

  it('that declares a scalar with a standard name replaces the standard scalar', () => {
    const { schema } = project('(a)-[:PROCESS]->(b { at: DateTime })');
    expect(schema.scalars).toMatchObject([{ name: 'DateTime', standard: true }]);
    const own = { name: 'DateTime', description: 'Own.', specifiedBy: undefined, node: undefined };
    const { value, diagnostics } = mergeSchemas(schema, { scalars: [own] });
    expect([value.scalars, diagnostics]).toEqual([[own], []]);
  });

  it('without content has no effect', () => {
    const { schema } = project('(a)-[:PROCESS]->(b)');
    expect(mergeSchemas(schema, { objects: [] }).value).toEqual(schema);
  });

  it('may be a whole schema', () => {
    const { value } = mergeSchemas(project('(a)').schema, project('(b)').schema);
    expect(value.objects.map(({ name }) => name)).toEqual(['A', 'B']);
  });

  it.each([
    ['(chain)', ['GG3018 The topology has a type Chain «chain»']],
    ['(chain: Enum { values: [A] })', ['GG3018 The topology has a type Chain «chain»']],
    [
      "(a)-[:RACE]->(t) (x | y)-[:RACE { union: 'Chain' }]->(z)",
      ["GG3018 The topology has a type Chain «(x | y)-[:RACE { union: 'Chain' }]->(z)»"],
    ],
    [
      "(a)-[:PROCESS { operation: 'chain' }]->(b)",
      ["GG3018 The topology has a query chain «(a)-[:PROCESS { operation: 'chain' }]->(b)»"],
    ],
    ["(a)-[:FOLD { operation: 'chain' }]->(b)", []],
  ])('and %s collide only if they share a name', (text, expected) => {
    expect(clashes(text)).toEqual(expected);
  });

  it('that has the name of an input is reported at the node of that input', () => {
    expect(clashes('(user)', { objects: [objectType('UserInput')] })).toEqual([
      'GG3018 The topology has a type UserInput «user»',
    ]);
  });

  it('cannot share a name with another layer', () => {
    const { value } = mergeSchemas(project('(a)').schema, layer);
    expect(() => mergeSchemas(value, { objects: [objectType('Chain')] })).toThrow(
      'Two layers have a type called Chain. Rename it in one of them',
    );
    expect(() => mergeSchemas(value, { queries: [operation('query', 'chain')] })).toThrow(
      'Two layers have a query called chain. Rename it in one of them',
    );
    expect(() => mergeSchemas(value, { objects: [objectType('ChainInput')] })).toThrow(
      'Two layers have a type called ChainInput. Rename it in one of them',
    );
  });
});
