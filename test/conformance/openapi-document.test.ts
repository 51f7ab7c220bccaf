import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import fc from 'fast-check';
import { buildSchema } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { printSelection } from '../../src/compiler/api/print-selection.js';
import { type RestRoute, restRoutes } from '../../src/compiler/api/rest-routes.js';
import { defaultSelection } from '../../src/compiler/api/selection.js';
import { compile } from '../../src/compiler/compile.js';
import { createAlphaServer, createBetaServerAdapter } from '../../src/index.js';
import type { Resolvers } from '../../src/runtime/execute/resolvers/contract.js';
import { type JsonSchema, valuesOf } from '../arbitraries/json-schema.js';
import { runs } from '../arbitraries/runs.js';
import { validator } from '../compiler/emit/validator.js';
import { loadResolvers } from '../docs/load-resolvers.js';

// The OpenAPI document is held against the server: requests that the document allows are answered as it says and as
// GraphQL answers them, and requests that it forbids are refused by both.

const examples = ['docs/examples/service.gg', 'docs/examples/parcel/main.gg', 'docs/examples/bookstore/shop.gg'];

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly required?: boolean;
  readonly style?: 'deepObject';
  readonly schema?: JsonSchema;
  readonly content?: { readonly 'application/json': { readonly schema: JsonSchema } };
}

interface Described {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: JsonSchema } };
  };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: object }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

type Values = Readonly<Record<string, unknown>>;

interface Served {
  fetch(request: Request): Response | Promise<Response>;
}

const engines = {
  Alpha: (file: string, resolvers: Resolvers): Served => createAlphaServer({ topologies: [file], resolvers }),
  Beta: (file: string, resolvers: Resolvers): Served => createBetaServerAdapter({ topologies: [file], resolvers }),
};

describe.each(examples)('the OpenAPI document of %s', (file) => {
  const compiled = compile({ name: file, source: readFileSync(file, 'utf8') }, { readImport: read });
  if (!compiled.ok) throw new Error(`${file} has errors`);
  const { schema } = compiled;
  const document = JSON.parse(compiled.artifacts['openapi.json']) as Document;
  const executable = buildSchema(compiled.artifacts['schema.graphql']);
  const validate = cached(validator(document));

  describe.each(Object.entries(engines))('on %s', (_, createServer) => {
    let server: Served;
    beforeAll(async () => {
      server = createServer(file, await loadResolvers(file.replace(/\.gg$/, '.resolvers.mjs')));
    });

    it.each(restRoutes(schema))('describes the arguments and answers of $method $path', async (route) => {
      const place = new Place(document, route, validate);
      await fc.assert(
        fc.asyncProperty(place.validValues(), async (values) => {
          fc.pre(place.allows(values) && place.canWrite(values));
          const response = await server.fetch(place.request(values));
          const { status } = response;
          const body: unknown = await response.json();
          expect([400, 405, 413, 415, 422], JSON.stringify(body)).not.toContain(status);
          expect(place.misfit(response, body)).toEqual([]);
          if (status >= 400) expect(place.declares(status), JSON.stringify(body)).toBe(true);
          // Another call of a mutation may have another result.
          if (route.method !== 'GET') return;
          const { data, errors } = await ask(route, values);
          expect(errors).toBeUndefined();
          expect(data?.[route.operation.name]).toEqual(status < 400 ? body : null);
        }),
        { numRuns: runs(30) },
      );
    });

    const refusing = restRoutes(schema)
      .map((route) => ({ route, place: new Place(document, route, validate) }))
      .filter(({ place }) => place.canBeBroken);
    it.each(refusing)('describes the errors of $route.method $route.path', async ({ route, place }) => {
      await fc.assert(
        fc.asyncProperty(place.brokenValues(), async (values) => {
          fc.pre(values !== undefined && !place.allows(values) && place.canWrite(values));
          const response = await server.fetch(place.request(values as Values));
          const body: unknown = await response.json();
          expect(response.status, JSON.stringify(body)).toBe(400);
          expect(place.misfit(response, body)).toEqual([]);
          expect((await ask(route, values as Values)).errors).toBeDefined();
        }),
        { numRuns: runs(30), maxSkipsPerRun: 1000 },
      );
    });

    /** The same operation with the same arguments and the default selection over GraphQL. */
    async function ask({ operation }: RestRoute, values: Values): Promise<GraphQLAnswer> {
      const type = operation.kind === 'query' ? executable.getQueryType() : executable.getMutationType();
      const args = type?.getFields()[operation.name]?.args ?? [];
      const list = (items: string[]) => (items.length === 0 ? '' : `(${items.join(', ')})`);
      const selection = defaultSelection(schema, operation.type);
      const given = args.filter(({ name }) => name in values);
      const query = `${operation.kind}${list(given.map((arg) => `$${arg.name}: ${arg.type}`))} {
        ${operation.name}${list(given.map(({ name }) => `${name}: $${name}`))} ${
          selection === undefined ? '' : printSelection(selection)
        }
      }`;
      const response = await server.fetch(
        new Request('http://localhost/graphql', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query, variables: values }),
        }),
      );
      return (await response.json()) as GraphQLAnswer;
    }
  });
});

interface GraphQLAnswer {
  readonly data?: Values | null;
  readonly errors?: readonly unknown[];
}

/** One route in the document: what it allows, and how a request for it is written. */
class Place {
  readonly #document: Document;
  readonly #route: RestRoute;
  readonly #validate: (pointer: string) => ValidateFunction;
  readonly #described: Described;
  readonly #pointer: string;
  /** The schemas of the arguments, by name. */
  readonly #schemas = new Map<string, { readonly schema: JsonSchema; readonly pointer: string }>();
  readonly #required: readonly string[];

  constructor(document: Document, route: RestRoute, validate: (pointer: string) => ValidateFunction) {
    const method = route.method.toLowerCase();
    this.#document = document;
    this.#route = route;
    this.#validate = validate;
    this.#described = document.paths[route.path]?.[method] as Described;
    this.#pointer = `/paths/${route.path.replaceAll('/', '~1')}/${method}`;
    const body = this.#described.requestBody?.content['application/json'].schema;
    if (body !== undefined) {
      const pointer = `${this.#pointer}/requestBody/content/application~1json/schema`;
      for (const [name, schema] of Object.entries(body.properties ?? {})) {
        this.#schemas.set(name, { schema, pointer: `${pointer}/properties/${name}` });
      }
    }
    const parameters = this.#parameters();
    for (const [index, parameter] of parameters) {
      const { name, schema, content } = parameter;
      const place = schema === undefined ? 'content/application~1json/schema' : 'schema';
      const pointer = `${this.#pointer}/parameters/${index}/${place}`;
      const own = schema ?? content?.['application/json'].schema;
      if (own !== undefined) this.#schemas.set(name, { schema: own, pointer });
    }
    const inQuery = parameters.flatMap(([, { name, required }]) => (required === true ? [name] : []));
    this.#required = [...inQuery, ...(body?.required ?? [])];
  }

  /** The own parameters with their positions; shared ones are not arguments. */
  #parameters(): readonly (readonly [number, Parameter])[] {
    const all = [...(this.#described.parameters ?? []).entries()];
    return all.filter(([, { $ref }]) => $ref === undefined);
  }

  validValues(): fc.Arbitrary<Values> {
    const each = [...this.#schemas].map(([name, { schema }]) => [name, valuesOf(schema, this.#resolve)] as const);
    return fc.record(Object.fromEntries(each), { requiredKeys: [...this.#required] });
  }

  /** Valid values of which one is left out, or one part is another value; undefined where no part can be wrong. */
  brokenValues(): fc.Arbitrary<Values | undefined> {
    const wrong = fc.constantFrom<unknown>('x y', '', 1.5, -1e12, true, {}, { zzz: 1 }, [], [[{}]], 'a'.repeat(5000));
    return fc.tuple(this.validValues(), wrong, fc.nat(), fc.boolean()).map(([values, value, pick, leavesOut]) => {
      const names = Object.keys(values);
      const name = names[pick % Math.max(1, names.length)];
      if (name === undefined) return undefined;
      if (leavesOut) return Object.fromEntries(Object.entries(values).filter(([other]) => other !== name));
      // A path and a query string have text only.
      const isText = this.#parameters().some(([, parameter]) => parameter.name === name);
      return { ...values, [name]: isText ? 'x y' : replacePart(values[name], value, pick) };
    });
  }

  /** Whether there are values that the document forbids: a text alone is always one. */
  get canBeBroken(): boolean {
    const isText = ({ schema }: { readonly schema: JsonSchema }) =>
      schema.type === 'string' && Object.keys(schema).every((key) => /type|description|example|minLength/.test(key));
    const canBeWrong = [...this.#schemas.values()].some((one) => !isText(one));
    const inPath = this.#parameters().flatMap(([, parameter]) => (parameter.in === 'path' ? [parameter.name] : []));
    return canBeWrong || this.#required.some((name) => !inPath.includes(name));
  }

  /** Whether the topology declares the status of a response without a result. */
  declares(status: number): boolean {
    return status !== 500 && status in this.#described.responses;
  }

  /** Whether the document allows the values. */
  allows(values: Values): boolean {
    if (!this.#required.every((name) => name in values)) return false;
    return Object.entries(values).every(([name, value]) => {
      const pointer = this.#schemas.get(name)?.pointer;
      return pointer !== undefined && this.#validate(pointer)(value);
    });
  }

  /** Whether a query string can express the values: only JSON has null, and an empty object. */
  canWrite(values: Values): boolean {
    return this.#parameters().every(([, { name, content, in: place }]) => {
      const value = values[name];
      // An address without the segment is none of this route, and clients drop `.` and `..`.
      if (place === 'path') return value !== undefined && !/^\.{0,2}$/.test(String(value));
      if (value === undefined || content !== undefined || Array.isArray(value)) return true;
      return typeof value !== 'object' || Object.values(value ?? {}).some((inner) => inner !== null);
    });
  }

  request(values: Values): Request {
    let path = this.#route.path;
    const search = new URLSearchParams();
    const body: Record<string, unknown> = {};
    const parameters = new Map(this.#parameters().map(([, parameter]) => [parameter.name, parameter]));
    for (const [name, value] of Object.entries(values)) {
      const parameter = parameters.get(name);
      if (parameter === undefined) body[name] = value;
      else if (parameter.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
      else if (parameter.content !== undefined) search.append(name, JSON.stringify(value));
      else if (Array.isArray(value) && value.length === 0) search.append(name, '');
      else if (Array.isArray(value)) for (const item of value) search.append(name, String(item));
      else if (parameter.style === 'deepObject' && typeof value === 'object' && value !== null) {
        for (const [key, inner] of Object.entries(value)) {
          if (inner !== null) search.append(`${name}[${key}]`, String(inner));
        }
      } else if (value !== null) search.append(name, String(value));
    }
    const url = `http://localhost${path}${search.size === 0 ? '' : `?${search}`}`;
    const { method } = this.#route;
    if (this.#described.requestBody === undefined) return new Request(url, { method });
    const headers = { 'content-type': 'application/json' };
    return new Request(url, { method, headers, body: JSON.stringify(body) });
  }

  /** The ways in which a response is not as the document describes it. */
  misfit(response: Response, body: unknown): readonly unknown[] {
    const described = this.#described.responses[response.status] ?? this.#described.responses.default;
    const key = this.#described.responses[response.status] === undefined ? 'default' : String(response.status);
    if (described === undefined) return [`status ${response.status} is not described`];
    const pointer = described.$ref?.slice(1) ?? `${this.#pointer}/responses/${key}`;
    const type = response.headers.get('content-type')?.split(';')[0] ?? '';
    const isValid = this.#validate(`${pointer}/content/${type.replaceAll('/', '~1')}/schema`);
    return isValid(body) ? [] : (isValid.errors ?? []);
  }

  readonly #resolve = (reference: string): JsonSchema => {
    let found: unknown = this.#document;
    for (const part of reference.slice(2).split('/')) {
      found = (found as Record<string, unknown>)[part.replaceAll('~1', '/').replaceAll('~0', '~')];
    }
    return found as JsonSchema;
  };
}

/** The value with one of its parts replaced. */
function replacePart(value: unknown, by: unknown, pick: number): unknown {
  // GraphQL takes a single value for a list of one (October 2021, section 3.11); the document does not say so.
  const mayBeList = value === null || Array.isArray(value);
  if (mayBeList && (value === null || value.length === 0 || pick % 3 === 0)) return [[{}]];
  if (typeof value !== 'object' || pick % 3 === 0) return by;
  const keys = Object.keys(value);
  if (keys.length === 0) return by;
  const key = keys[pick % keys.length] as string;
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[key] = replacePart(copy[key], by, Math.floor(pick / 3));
  return copy;
}

function cached(compileAt: (pointer: string) => ValidateFunction): (pointer: string) => ValidateFunction {
  const known = new Map<string, ValidateFunction>();
  return (pointer) => {
    const before = known.get(pointer) ?? compileAt(pointer);
    known.set(pointer, before);
    return before;
  };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
