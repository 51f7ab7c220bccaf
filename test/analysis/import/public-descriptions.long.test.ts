import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importDescription } from '../../../src/analysis/import/import-description.js';
import { createSourceFile } from '../../../src/base/source/source-file.js';
import { compile } from '../../../src/compiler/compile.js';
import { formatTopology } from '../../../src/compiler/format/format-topology.js';
import { replayExamples } from '../../../src/tools/cli/commands/import/replay.js';
import { lintOpenAPI } from '../../compiler/emit/redocly.js';
import { ask, post, serve } from '../../runtime/server/topology-server.js';

/** Public descriptions that ship inside packages. */
const descriptions: Readonly<Record<string, string>> = {
  'GitHub, GraphQL': '@octokit/graphql-schema/schema.graphql',
  'Dialogporten, GraphQL': '@digdir/dialogporten-schema/schema.verified.graphql',
  'Dialogporten, OpenAPI 3.0': '@digdir/dialogporten-schema/swagger.verified.json',
  'ReadMe, OpenAPI 3.1': '@readme/oas-examples/3.1/json/readme.json',
  'ReadMe (old), OpenAPI 3.0': '@readme/oas-examples/3.0/json/readme-legacy.json',
  'Star Trek, OpenAPI 3.0': '@readme/oas-examples/3.0/json/star-trek.json',
  'Train Travel, OpenAPI 3.1': '@readme/oas-examples/3.1/json/train-travel.json',
  'Petstore, OpenAPI 3.0': '@readme/oas-examples/3.0/json/petstore.json',
  'Petstore, OpenAPI 3.1': '@readme/oas-examples/3.1/json/petstore.json',
  'USPTO, OpenAPI 3.0': '@readme/oas-examples/3.0/json/uspto.json',
  'Schema types, OpenAPI 3.1': '@readme/oas-examples/3.1/json/schema-types.json',
  'Circular schemas, OpenAPI 3.0': '@readme/oas-examples/3.0/json/schema-circular.json',
};

const page = readFileSync('docs/import.md', 'utf8');
const documents: object[] = [];
const rows: string[] = [];

interface PathItem {
  readonly get?: { readonly parameters?: readonly Parameter[]; readonly tags?: readonly string[] };
}

interface Parameter {
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly example?: unknown;
}

/** The URL of a call with the examples of its document. */
function exampleUrl(path: string, parameters: readonly Parameter[] = []): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name = '', in: place, required, example } of parameters) {
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(String(example)));
    else if (required === true && place === 'query')
      for (const value of [example].flat()) query.append(name, String(value));
  }
  return `${filled}?${query}`;
}

describe('a public description', () => {
  test.each(Object.entries(descriptions))('imports, compiles and serves: %s', async (name, file) => {
    const text = readFileSync(join('node_modules', file), 'utf8');
    const { value, diagnostics } = importDescription(createSourceFile(file, text));
    expect(diagnostics).toEqual([]);
    const { text: topology = '', operations = 0, types = 0, losses = [], examples = [] } = value ?? {};
    expect(formatTopology(createSourceFile('api.gg', topology)).value).toBe(topology);
    expect(compile(topology).ok).toBe(true);
    const { refused } = await replayExamples(topology, examples);
    const share = examples.length === 0 ? '' : `${examples.length - refused.length} of ${examples.length}`;
    rows.push(`| ${name} | ${operations} | ${types} | ${losses.length} | ${share} |`);

    const server = serve(topology, { authenticate: () => ({ id: 'a' }) });
    await server.ready;
    const document = await ask(server, '/openapi.json');
    expect(document.status).toBe(200);
    // Redocly takes minutes for the largest ones.
    if (operations + types < 40) documents.push(document.body);
    const statuses = new Set<number>();
    for (const [path, { get }] of Object.entries<PathItem>(document.body.paths).slice(0, 20)) {
      // An event stream does not end.
      if (get !== undefined && get.tags?.includes('subscription') !== true)
        statuses.add((await ask(server, exampleUrl(path, get.parameters))).status);
    }
    // Nothing has a resolver; a call without a scope, or whose example breaks a limit of the description, is refused.
    expect([...statuses].filter((status) => ![200, 400, 403, 501].includes(status))).toEqual([]);
    expect(statuses.size === 0 || [200, 403, 501].some((status) => statuses.has(status))).toBe(true);
    const { body } = await post(server, '/graphql', { query: '{ __typename }' });
    expect(body).toEqual({ data: { __typename: 'Query' } });
  });

  test('becomes an OpenAPI document without errors', () => {
    const named = Object.fromEntries(documents.map((document, at) => [`d${at}`, document]));
    const errors = Object.values(lintOpenAPI(named))
      .flat()
      .filter(({ severity }) => severity === 'error');
    expect(errors).toEqual([]);
  });

  test('has the numbers in the documentation', () => {
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });
});
