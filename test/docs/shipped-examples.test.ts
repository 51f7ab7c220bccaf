import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Analysis, analyze } from '../../src/compiler/analyze.js';
import { exampleArguments } from '../../src/compiler/api/examples.js';
import { printSelection } from '../../src/compiler/api/print-selection.js';
import { type RestRoute, restRoutes } from '../../src/compiler/api/rest-routes.js';
import { defaultSelection } from '../../src/compiler/api/selection.js';
import { compile } from '../../src/compiler/compile.js';
import { queryPairs } from '../../src/compiler/schema/wire.js';
import { createGqlServer } from '../../src/runtime/server/service.js';
import { loadResolvers } from './load-resolvers.js';

const examples = ['docs/examples/service.gg', 'docs/examples/parcel/main.gg'];

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function compileFile(file: string) {
  return compile({ name: file, source: read(file) ?? '' }, { readImport: read });
}

const analyses = new Map<string, Analysis>();

/** A server of an example. Nearly every test has one of its own; they share what they are made of. */
async function serve(file: string) {
  const resolvers = await loadResolvers(file.replace(/\.gg$/, '.resolvers.mjs'));
  const topologies = analyses.get(file) ?? analyze({ name: file, source: read(file) ?? '' }, { readImport: read });
  analyses.set(file, topologies);
  return createGqlServer({ topologies, resolvers });
}

describe.each(examples)('%s', (file) => {
  const document = compileFile(file);
  const { schema, diagnostics } = document;

  it('compiles without an error and without a warning', () => {
    expect(diagnostics.filter(({ severity }) => severity !== 'information')).toEqual([]);
  });

  it('has the same findings in strict mode', () => {
    const source = { name: file, source: read(file) ?? '' };
    const strict = compile(source, { readImport: read, strict: true });
    expect(strict.diagnostics).toEqual(diagnostics);
  });

  it.each(restRoutes(schema))('answers $method $path with data', async ({ method, path, operation }) => {
    const server = await serve(file);
    const response = await server.fetch(requestOf({ method, path, operation }));
    expect(response.status).toBe(200);
    const value: unknown = await response.json();
    expect(value).not.toBeNull();
    expect(value).not.toEqual([]);
  });

  it.each(restRoutes(schema))('answers $operation.name over GraphQL with the same data', async (route) => {
    const rest = await (await (await serve(file)).fetch(requestOf(route))).json();
    const { operation } = route;
    const declared = operation.arguments.map(({ name, type }) => ({ name, type }));
    const selection = defaultSelection(schema, operation.type);
    if (!document.ok) throw new Error(`${file} has errors`);
    // The types of the variables are those of the SDL, where an object type stands as its input.
    const sdl = document.artifacts['schema.graphql'];
    const typeOf = (name: string) =>
      new RegExp(`\\b${operation.name}\\([^)]*?\\b${name}: ([\\w\\[\\]!]+)`).exec(sdl)?.[1] ?? '';
    const variables = declared.map(({ name }) => `$${name}: ${typeOf(name)}`);
    const passed = declared.map(({ name }) => `${name}: $${name}`);
    const list = (items: string[]) => (items.length === 0 ? '' : `(${items.join(', ')})`);
    const query = `${operation.kind}${list(variables)} { ${operation.name}${list(passed)} ${
      selection === undefined ? '' : printSelection(selection)
    } }`;
    const server = await serve(file);
    const result = await server.executeOperation({
      query,
      variables: exampleArguments(schema, operation.arguments),
    });
    expect(result.errors).toBeUndefined();
    expect(JSON.parse(JSON.stringify(result.data?.[operation.name]))).toEqual(rest);
  });

  function requestOf({ method, path, operation }: RestRoute): Request {
    const args = exampleArguments(schema, operation.arguments);
    const url = new URL(path, 'http://localhost');
    if (method === 'POST') {
      const headers = { 'content-type': 'application/json' };
      return new Request(url, { method, headers, body: JSON.stringify(args) });
    }
    for (const argument of operation.arguments) {
      for (const [key, text] of queryPairs(schema, argument, args[argument.name] ?? null)) {
        url.searchParams.append(key, text);
      }
    }
    return new Request(url);
  }
});

describe('the example of the product', () => {
  const { schema } = compileFile('docs/examples/service.gg');

  it('has exactly readUser, scanResult and saveUser, a FORK and a RACE', () => {
    expect(schema.queries.map(({ name, description }) => [name, description])).toEqual([
      ['readUser', 'Query from topology edge root to read_user'],
      ['scanResult', 'Query from topology edge request to scan_result'],
    ]);
    expect(schema.mutations.map(({ name, description }) => [name, description])).toEqual([
      ['saveUser', 'Mutation (fold) from input_user to save_user'],
    ]);
    expect(schema.subscriptions.length).toBe(1);
    expect(schema.unions.length).toBe(1);
  });

  it('reads a saved user', async () => {
    const server = await serve('docs/examples/service.gg');
    const save = 'mutation { saveUser(input: { id: "7", name: "Mary" }) { id name } }';
    expect((await server.executeOperation({ query: save })).errors).toBeUndefined();
    const response = await server.fetch(new Request('http://localhost/api/readUser?id=7'));
    expect(await response.json()).toMatchObject({ id: '7', name: 'Mary' });
  });
});

describe('the larger example', () => {
  const { ast, schema } = compileFile('docs/examples/parcel/main.gg');

  it('has at least 20 nodes in at least 4 files, all kinds of operations and two races', () => {
    expect(ast.documents.length).toBeGreaterThanOrEqual(4);
    expect(schema.objects.length).toBeGreaterThanOrEqual(20);
    expect(schema.enums.length).toBeGreaterThan(2);
    expect(schema.scalars.length).toBe(1);
    expect(schema.subscriptions.length).toBeGreaterThan(2);
    expect(schema.unions.length).toBe(2);
  });
});
