import { jsonOf } from '../../../../analysis/import/collection/requests.js';
import type { Proof } from '../../../../analysis/import/render-report.js';
import type { SourceExample } from '../../../../analysis/import/source-examples.js';
import { analyze } from '../../../../compiler/analyze.js';
import { apiChains } from '../../../../compiler/api/chains/api-chains.js';
import { exampleArgument, exampleResult, isExemplary } from '../../../../compiler/api/examples.js';
import { isRequired } from '../../../../compiler/api/is-required.js';
import { type RestRequest, restRequest } from '../../../../compiler/api/rest-request.js';
import {
  answerType,
  placeArguments,
  type RestRoute,
  restRoute,
  restRoutes,
  streamRoutes,
} from '../../../../compiler/api/rest-routes.js';
import { answerSelection, wholeField } from '../../../../compiler/api/selection.js';
import { federationFragment } from '../../../../compiler/federation-fragment.js';
import type { JsonValue } from '../../../../compiler/graph/json-value.js';
import { baseName, nullable, type TypeRef } from '../../../../compiler/graph/type-ref.js';
import {
  allOperations,
  type GqlArgument,
  type GqlOperation,
  type GqlSchema,
} from '../../../../compiler/schema/gql-schema.js';
import { argumentsIn } from '../../../../compiler/schema/route-path.js';
import { implementersOf, memberNames, namedType, objectFields } from '../../../../compiler/schema/schema-index.js';
import { fromWire, wireView } from '../../../../compiler/schema/wire-view.js';
import { createGqlServer } from '../../../../runtime/server/service.js';

/**
 * Replays the examples of a description against the API that was imported from it, in memory. Its resolvers give the
 * example of the response back. An example is accepted if the answer is a success.
 */
export async function replayExamples(text: string, examples: readonly SourceExample[]): Promise<Proof> {
  const analysis = analyze({ name: 'topology.gg', source: text });
  const schema = withoutRuns(analysis.schema);
  const wire = wireView(schema);
  let answer: SourceExample['answer'];
  const routes = new Map(restRoutes(wire).map((route) => [keyOf(route.method, route.path), route]));
  const resolversOf = (operations: readonly GqlOperation[]) =>
    Object.fromEntries(operations.map((operation) => [operation.name, () => resolve(operation)]));
  const resolve = (operation: GqlOperation): unknown => {
    const type = answerType(operation);
    if (answer === undefined || baseName(type) === 'Boolean')
      return exampleResult(schema, type, answerSelection(schema, operation));
    const told = named(schema, type, answer.value);
    return answer.isPart === true ? completed(schema, type, told) : told;
  };
  const server = createGqlServer({
    topologies: { ...analysis, schema },
    federation: false,
    limits: { masking: false },
    // The proof names what is refused.
    logs: { access: false, logger: { info: () => {}, error: () => {} } },
    authenticate: () => callerOf(schema),
    owners: { exempt: [owner] },
    resolvers: {
      ...abstractTypes(schema),
      Query: resolversOf(schema.queries),
      Mutation: resolversOf(schema.mutations),
    },
  });
  const refused: Proof['refused'][number][] = [];
  // Every server has the routes of the federation, but no topology; a chain needs an answer for each step.
  const others = new Set([
    ...(federationFragment.queries?.map((query) => keyOf('GET', restRoute(query).path)) ?? []),
    ...apiChains(wire).map(({ path }) => keyOf('POST', path)),
  ]);
  const replayed = examples.filter(({ method, path }) => {
    const key = keyOf(method, path);
    return routes.has(key) || !others.has(key);
  });
  const ofStreams = new Map(
    streamRoutes(wire).map(({ path, operation }) => [path, operation.arguments.map(({ name }) => name)]),
  );
  for (const [at, example] of replayed.entries()) {
    const subject = `${example.method} ${example.path}`;
    const refuse = (reason: string) => refused.push({ place: example.place, subject, reason });
    const route = routes.get(keyOf(example.method, example.path));
    if (route === undefined) {
      refuse('The topology has no operation with this route.');
      continue;
    }
    answer = example.answer;
    const { method, target, headers = [], body, form } = requestOf(wire, route, example, ofStreams.get(route.path));
    const fields = new Headers(headers.map(({ name, value }): [string, string] => [name, value]));
    if (route.operation.idempotent) fields.append('idempotency-key', `example-${at}`);
    if (body !== undefined && !form) fields.append('content-type', 'application/json');
    const content = body && { body: form ? formDataOf(form) : JSON.stringify(body) };
    const response = await server.fetch(
      new Request(`http://localhost${target}`, { method, headers: fields, ...content }),
    );
    const answered = await response.text();
    if (!response.ok) refuse(reasonOf(answered) ?? `It answers ${response.status}.`);
  }
  return { examples: replayed.length, refused };
}

/** A schema whose chains are not durable: their runs would need a database. */
function withoutRuns(schema: GqlSchema): GqlSchema {
  const plain = ({ durable: _, ...operation }: GqlOperation): GqlOperation => operation;
  return { ...schema, queries: schema.queries.map(plain), mutations: schema.mutations.map(plain) };
}

function formDataOf(form: NonNullable<RestRequest['form']>): FormData {
  const data = new FormData();
  for (const { name, text } of form) data.append(name, text ?? new Blob(['']));
  return data;
}

/** A value of an example as a resolver returns it: the values of enums have their names. */
function named(schema: GqlSchema, type: TypeRef, value: unknown): unknown {
  return fromWire(schema, type)?.(value as JsonValue) ?? value;
}

/** A route without the names of the parameters in its path. */
function keyOf(method: string, path: string): string {
  return `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`;
}

/** A value with made-up fields in place of the required ones that its objects lack. */
function completed(schema: GqlSchema, type: TypeRef, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => completed(schema, itemOf(type), item));
  if (typeof value !== 'object' || value === null) return value;
  const given = value as Readonly<Record<string, unknown>>;
  const options = memberNames(namedType(schema, baseName(type)));
  const own = options.find((option) => option === given.__typename) ?? baseName(type);
  const members = objectFields(schema, own).flatMap((field) => {
    const { name, type: of } = field;
    if (Object.hasOwn(given, name)) return [[name, completed(schema, of, given[name])]];
    return of.kind === 'nonNull' ? [[name, exampleResult(schema, of, wholeField(schema, field))]] : [];
  });
  return { ...given, ...Object.fromEntries(members) };
}

function itemOf(type: TypeRef): TypeRef {
  const bare = nullable(type);
  return bare.kind === 'list' ? bare.of : type;
}

/**
 * The request of an example. Required values without an example are made up; names that the route lacks are sent as they
 * are. A body that is null is none.
 *
 * @param ofStream - The arguments of the event stream with this path, which a description has among those of the query.
 */
function requestOf(
  schema: GqlSchema,
  route: RestRoute,
  { path, values, headers, body }: SourceExample,
  ofStream: readonly string[] = [],
) {
  const places = placeArguments(route);
  const given: Record<string, JsonValue> = {};
  const named = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name as string);
  for (const [at, argument] of argumentsIn(route.path).entries())
    if (values.has(named[at] as string)) given[argument] = values.get(named[at] as string) as JsonValue;
  const { operation } = route;
  // Of the arguments of a page, some exclude others, and cursors are those of another server.
  const isSent = (name: string) =>
    !named.includes(name) &&
    isExemplary(operation, { name } as GqlArgument) &&
    (!ofStream.includes(name) || operation.arguments.some((one) => one.name === name));
  const others = joinMembers([...values].filter(([name]) => isSent(name)));
  const isObject = typeof body?.value === 'object' && body.value !== null && !Array.isArray(body.value);
  const members: Record<string, unknown> = isObject
    ? { ...body.value }
    : body === undefined || body.value === null
      ? {}
      : { body: body.value };
  const take = (argument: GqlArgument, from: ReadonlyMap<string, unknown>): void => {
    const { name } = argument;
    if (from.get(name) !== undefined) given[name] = asValue(argument, from.get(name));
    else if (isRequired(argument)) given[name] ??= exampleArgument(schema, argument);
  };
  for (const argument of places.path) given[argument.name] ??= exampleArgument(schema, argument);
  for (const argument of places.header)
    take(argument, new Map([[argument.name, headers?.get((argument.header ?? '').toLowerCase())]]));
  for (const argument of places.query) take(argument, new Map([...Object.entries(members), ...others]));
  for (const argument of places.body ?? []) take(argument, new Map([...others, ...Object.entries(members)]));
  const request = restRequest(schema, route, given);
  const unknown = (from: Iterable<readonly [string, unknown]>) =>
    [...from].filter(([name]) => !Object.hasOwn(given, name));
  const inQuery = unknown(others).map(([name, value]) => [name, String(value)]);
  const search = `${new URLSearchParams(inQuery)}`;
  return {
    ...request,
    target: search === '' ? request.target : `${request.target}${request.target.includes('?') ? '&' : '?'}${search}`,
    body: request.body && { ...request.body, ...Object.fromEntries(unknown(Object.entries(members))) },
    // Texts precede files.
    form: request.form && [
      ...unknown(Object.entries(members)).map(([name, value]) => ({ name, text: String(value) })),
      ...request.form,
    ],
  };
}

/** The parameters with those such as `by[isbn]` in one object. */
function joinMembers(parameters: readonly (readonly [string, unknown])[]): ReadonlyMap<string, unknown> {
  const joined = new Map<string, unknown>();
  for (const [key, value] of parameters) {
    const [, name, member] = /^(\w+)\[(\w+)\]$/.exec(key) ?? [];
    if (name === undefined || member === undefined) joined.set(key, value);
    else joined.set(name, { ...(joined.get(name) as object | undefined), [member]: value });
  }
  return joined;
}

/** The value of a text in a query string: JSON, or the text itself. A list there may be one value, or several with commas between them. */
function asValue({ type }: GqlArgument, value: unknown): JsonValue {
  const bare = nullable(type);
  if (typeof value === 'string' && /^[[{]/.test(value) && !/^(?:String|ID)$/.test(baseName(type))) {
    const json = jsonOf(value);
    if (json !== undefined) return json as JsonValue;
  }
  if (bare.kind === 'list' && !Array.isArray(value))
    return (typeof value === 'string' ? value.split(',') : [value]) as JsonValue;
  const isText = typeof value === 'string' && bare.kind === 'named';
  if (isText && bare.name === 'Boolean' && /^(?:true|false)$/.test(value)) return value === 'true';
  const isNumber = isText && ['Int', 'SafeInt', 'Float'].includes(bare.name);
  return isNumber && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : (value as JsonValue);
}

/** The role of a caller that may name every owner. */
const owner = 'owner of all';

/** A caller with every scope and every role. */
function callerOf(schema: GqlSchema) {
  const all = allOperations(schema);
  return {
    id: 'example',
    scopes: [...new Set(all.flatMap(({ scopes = [], anyScope = [] }) => [...scopes, ...anyScope]))],
    roles: [owner, ...new Set(all.flatMap(({ roles = [] }) => roles))],
  };
}

/** The resolvers of interfaces: a value is of the type that its members fit best. */
function abstractTypes(schema: GqlSchema) {
  return Object.fromEntries(
    (schema.interfaces ?? []).map(({ name }) => {
      const members = implementersOf(schema, name);
      const __resolveType = (value: object): string | undefined =>
        members
          .map((type) => ({ type, misfits: misfitsOf(schema, type, value, 3) }))
          .toSorted((one, other) => one.misfits - other.misfits)[0]?.type;
      return [name, { __resolveType }];
    }),
  );
}

/** How many members of a value a type lacks, and how many required fields of the type the value lacks, to some levels. */
function misfitsOf(schema: GqlSchema, type: string, value: object, levels: number): number {
  const fields = new Map(objectFields(schema, type).map((field) => [field.name, field.type]));
  if (levels === 0 || fields.size === 0) return 0;
  const missing = [...fields].filter(([name, of]) => of.kind === 'nonNull' && !Object.hasOwn(value, name));
  return Object.entries(value).reduce((sum, [name, member]) => {
    const of = fields.get(name);
    if (of === undefined) return sum + 1;
    const isObject = typeof member === 'object' && member !== null && !Array.isArray(member);
    return isObject ? sum + misfitsOf(schema, baseName(of), member, levels - 1) : sum;
  }, missing.length);
}

/** The mistake that a problem details document (RFC 9457) names. */
function reasonOf(text: string): string | undefined {
  try {
    const { detail, title } = JSON.parse(text) as { readonly detail?: string; readonly title?: string };
    return detail ?? title;
  } catch {
    return undefined;
  }
}
