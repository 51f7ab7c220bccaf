import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSourceFile } from '../../../src/base/source/source-file.js';
import { generateSchema } from '../../../src/compiler/analyze.js';
import { printSelection } from '../../../src/compiler/api/print-selection.js';
import { defaultSelection } from '../../../src/compiler/api/selection.js';
import { schemaToOpenAPI } from '../../../src/compiler/emit/openapi.js';
import { runs } from '../../arbitraries/runs.js';
import { ask, serve } from '../../runtime/server/topology-server.js';
import { validator } from '../emit/validator.js';
import { parseTopology } from '../syntax/parse-topology.js';

/** A field that holds an object of another type. */
interface Reference {
  readonly to: number;
  readonly isRequired: boolean;
  readonly list: 'none' | 'nullable' | 'required';
}

/** For each type, its references. */
type Graph = readonly (readonly Reference[])[];

const graphs: fc.Arbitrary<Graph> = fc.integer({ min: 1, max: 6 }).chain((count) =>
  fc.array(
    fc.array(
      fc.record({
        to: fc.nat(count - 1),
        isRequired: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.boolean()),
        list: fc.constantFrom('none', 'none', 'nullable', 'required'),
      }),
      { maxLength: 2 },
    ),
    { minLength: count, maxLength: count },
  ),
);

function typeOf({ to, isRequired, list }: Reference): string {
  const inner = list === 'none' ? `T${to}` : `[T${to}${list === 'required' ? '!' : ''}]`;
  return isRequired ? `${inner}!` : inner;
}

function sourceOf(graph: Graph): string {
  const types = graph.map((references, index) => {
    const fields = references.map((reference, at) => `ref${at}: ${typeOf(reference)}`);
    return `(t${index} { id: ID!, note: String, ${fields.join(', ')} })`;
  });
  const queries = graph.flatMap((_, index) => [
    `(root)-[:PROCESS { operation: 'one${index}' }]->(t${index})`,
    `(root)-[:PROCESS { operation: 'all${index}', returns: [T${index}!]! }]->(t${index})`,
  ]);
  return [...types, ...queries].join('\n');
}

/** One object for each type, which hold each other. */
function valuesOf(graph: Graph): readonly object[] {
  const values = graph.map((_, index) => ({ id: `${index}` }) as Record<string, unknown>);
  for (const [index, references] of graph.entries()) {
    for (const [at, { to, list }] of references.entries()) {
      (values[index] as Record<string, unknown>)[`ref${at}`] = list === 'none' ? values[to] : [values[to]];
    }
  }
  return values;
}

/** Whether required fields lead from one type to another. */
function leads(graph: Graph, from: number, to: number): boolean {
  const seen = new Set([from]);
  for (const type of seen) {
    for (const { to: next, isRequired } of graph[type] ?? []) if (isRequired) seen.add(next);
  }
  return seen.has(to);
}

function modelOf(source: string) {
  return generateSchema(parseTopology([createSourceFile('test.gg', source)]).value);
}

describe('for random topologies', () => {
  test('OpenAPI requires the fields that the topology requires, except on a cycle', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const { components } = schemaToOpenAPI(modelOf(sourceOf(graph)), 'Test');
        for (const [index, references] of graph.entries()) {
          const described = components?.schemas?.[`T${index}`] as { readonly required?: readonly string[] };
          const required = new Set(described.required);
          expect(required.has('id')).toBe(true);
          expect(required.has('note')).toBe(false);
          for (const [at, { to, isRequired }] of references.entries()) {
            if (!isRequired) expect(required.has(`ref${at}`)).toBe(false);
            else if (!leads(graph, to, index)) expect(required.has(`ref${at}`)).toBe(true);
          }
        }
      }),
      { numRuns: runs(300) },
    );
  });

  test('every REST answer fits the schema of its response', async () => {
    await fc.assert(
      fc.asyncProperty(graphs, async (graph) => {
        const source = sourceOf(graph);
        const values = valuesOf(graph);
        const resolvers = Object.fromEntries(
          values.flatMap((value, index) => [
            [`one${index}`, () => value],
            [`all${index}`, () => [value]],
          ]),
        );
        const server = serve(source, { resolvers: { Query: resolvers } });
        const document = server.exportOpenAPI();
        const compile = validator(document);
        for (const name of Object.keys(resolvers)) {
          const { status, body } = await ask(server, `/api/${name}`);
          expect(status).toBe(200);
          const fits = compile(`/paths/~1api~1${name}/get/responses/200/content/application~1json/schema`);
          expect(fits(body), JSON.stringify([body, fits.errors])).toBe(true);
        }
      }),
      { numRuns: runs(40) },
    );
  });
});

test('a required object below the last level is returned with its required objects', () => {
  const schema = modelOf(`
    (library { id: ID!, shelf: Shelf })
    (shelf { id: ID!, books: [Book!]! })
    (book { id: ID!, editions: [Edition!]!, sequel: Book })
    (edition { id: ID!, price: Money!, gift: Money })
    (money { minor: Int!, currency: Currency! })
    (currency { code: String!, bank: Bank })
    (bank { name: String! })
    (root)-[:PROCESS]->(library)
  `);
  const selection = defaultSelection(schema, { kind: 'named', name: 'Library' });
  expect(printSelection(selection as never).replace(/\s+/g, ' ')).toBe(
    '{ id shelf { id books { id editions { id price { minor currency { code } } } } } }',
  );
});

test.each([
  ['wide', 3, 12],
  ['long', 1, 60],
])('a %s chain of required objects stays small', (_, width, length) => {
  const types = [...Array(length).keys()].map((index) => {
    const fields = [...Array(width).keys()].map((at) => `ref${at}: T${index + 1}!`);
    return `(t${index} { id: ID!, ${fields.join(', ')} })`;
  });
  const schema = modelOf(`${types.join('\n')}\n(t${length} { id: ID! })\n(root)-[:PROCESS]->(t0)`);
  const selection = defaultSelection(schema, { kind: 'named', name: 'T0' });
  const text = printSelection(selection as never);
  expect(text.split('\n').length).toBeLessThan(2_000);
  expect(Math.max(...text.split('\n').map((line) => line.search(/\S/) / 2))).toBeLessThanOrEqual(11);
});
