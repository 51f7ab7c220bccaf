import { JsonPlace } from '../../../base/source/json-place.js';
import { appendTo } from '../../../compiler/graph/maps.js';
import { whyInvalidSegment } from '../../../compiler/schema/route-path.js';
import { type Draft, type DraftSetting, type DraftValue, nearestName } from '../draft/draft.js';
import { addArgument, placesOfArguments, singleFile, wholeBody } from '../draft/operation-edge.js';
import { splitReason } from '../draft/own-text.js';
import { fileFormat } from '../openapi/schema-parts.js';
import { pascal, type SchemaTypes } from '../openapi/schema-types.js';
import { type ExampleSchema, schemaOfExample, schemaOfText, unite } from './example-schema.js';
import {
  type CollectionCall,
  type CollectionRequest,
  jsonOf,
  type RequestUrl,
  type ShownCall,
  textOf,
  urlOf,
} from './requests.js';

/** The arguments of an operation, if another request defines their types. */
type KnownArguments = (kind: string, name: string) => readonly DraftValue[] | undefined;

/** Adds an argument, and returns the name that it has; undefined, and reported, if it cannot be one. */
type AddArgument = (
  name: string,
  schema: ExampleSchema,
  pointer: string,
  more?: { readonly description?: string | undefined; readonly isRequired?: boolean },
) => string | undefined;

/**
 * The call of a REST request; undefined, and reported, if a topology has no such operation.
 *
 * @param known - Given if gg-svc wrote the collection; then the requests have the names of operations.
 */
export function readRestRequest(
  { name: shown, request, calls }: CollectionRequest,
  draft: Draft,
  types: SchemaTypes,
  known: KnownArguments | undefined,
): CollectionCall | undefined {
  const method = (request.text('method') ?? 'GET').toUpperCase();
  if (!['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
    return draft.lose(request, `request ${shown}`, `Topologies have no operations with the method ${method}.`);
  const kind = method !== 'GET' ? 'mutation' : acceptsEvents(request) ? 'subscription' : 'query';
  const url = urlOf(request);
  const name = known ? shown : (nearestName(shown) ?? nearestName(`${method} ${url.segments.join(' ')}`) ?? 'request');
  reportHeaders(request, draft);
  const typed = known?.(kind, name);
  const of = `operation ${name}`;
  const args = new Map<string, DraftValue>();
  const add: AddArgument = (given, schema, pointer, { description, isRequired = false } = {}) => {
    const hint = `${pascal(name)}${pascal(given)}`;
    const place = new JsonPlace(schema, pointer);
    const value = types.valueOf(given, place, { of, use: 'input', isRequired, hint });
    if (value === undefined) return undefined;
    return addArgument(draft, args, { ...value, description, tags: [] }, of, given);
  };
  const addSegment = (given: string) =>
    add(given, { type: 'string' }, `${request.pointer}/url`, { isRequired: true }) ?? '';
  const segments = url.segments.map((segment) =>
    typed === undefined ? segment.replace(/\{([^{}]+)\}/g, (_, given: string) => `{${addSegment(given)}}`) : segment,
  );
  if (typed === undefined) {
    addQuery(calls, add);
    if (method !== 'GET') addBody(calls, draft, add, shown);
  }
  const values = typed === undefined ? [...args.values()] : withDescriptions(typed, url);
  const settings: DraftSetting[] = [];
  const route = `${method} /${segments.join('/')}`;
  const raw = request.text('url') ?? request.at('url')?.text('raw') ?? '';
  const usual = raw.startsWith('{{api_url}}') ? name : `api/${name}`;
  const isDefault = known !== undefined && segments.join('/') === usual;
  const isRoute = segments.every((segment) => whyInvalidSegment(segment) === undefined);
  if (!isDefault && kind !== 'subscription' && isRoute)
    settings.push({ key: 'route', text: `'${route}'`, place: request.place });
  else if (!isDefault) {
    const reason =
      kind === 'subscription'
        ? 'A stream of events has the route of its subscription.'
        : 'Routes cannot have this path. The operation has the default route.';
    draft.lose(request, `route ${route}`, reason);
  }
  const success = calls.find(({ response }) => response !== undefined)?.response;
  const code = success?.at('code')?.value ?? 200;
  if (kind !== 'subscription' && success !== undefined && code !== 200)
    settings.push({ key: 'status', text: String(code), place: success.place });
  return { kind, name, arguments: values, settings };
}

function withDescriptions(args: readonly DraftValue[], { query, variables }: RequestUrl) {
  return args.map((argument) => {
    const shown = [...variables, ...query].find(({ key }) => key === argument.name);
    if (shown?.description === undefined) return argument;
    return { ...argument, ...splitReason(shown.description) };
  });
}

/** Whether a request asks for a stream of events. */
export function acceptsEvents(request: JsonPlace): boolean {
  const isAccept = (header: JsonPlace) => /^accept$/i.test(header.text('key') ?? '');
  return request.list('header').some((one) => isAccept(one) && /event-stream/i.test(one.text('value') ?? ''));
}

/** The values of an argument that several calls show. */
interface Shown {
  readonly schema: ExampleSchema;
  readonly pointer: string;
  readonly description?: string | undefined;
}

/** The arguments of calls, each with a schema of all its values. */
class ShownArguments {
  readonly #shown = new Map<string, Shown>();

  take(name: string, shown: Shown): void {
    const known = this.#shown.get(name);
    const united = known && { ...known, schema: unite(known.schema, shown.schema) };
    this.#shown.set(name, united ?? shown);
  }

  addTo(add: AddArgument): void {
    const files = [...this.#shown.values()].filter(({ schema }) => schema.format === fileFormat);
    for (const [name, { schema, pointer, description }] of this.#shown) {
      // A form has several files only if it requires each (GG3097).
      const isRequired = files.length > 1 && schema.format === fileFormat;
      add(name, schema, pointer, { description, isRequired });
    }
  }
}

function addQuery(calls: readonly ShownCall[], add: AddArgument): void {
  const shown = new ShownArguments();
  for (const { request } of calls) {
    const pairs = new Map<string, RequestUrl['query'][number][]>();
    for (const pair of urlOf(request).query) appendTo(pairs, pair.key, pair);
    for (const [key, [first, second]] of pairs) {
      const { value = '', description } = first ?? {};
      const schema = value.includes('{{') ? { type: 'string' } : schemaOfText(value);
      const all = second === undefined ? schema : { type: 'array', items: schema };
      shown.take(key, { schema: all, pointer: `${request.pointer}/url`, description });
    }
  }
  shown.addTo(add);
}

function addBody(calls: readonly ShownCall[], draft: Draft, add: AddArgument, name: string): void {
  const shown = new ShownArguments();
  for (const { request } of calls) readBody(request, draft, shown, name);
  shown.addTo(add);
}

function readBody(request: JsonPlace, draft: Draft, args: ShownArguments, name: string): undefined {
  const shown = `body of ${name}`;
  const body = request.at('body');
  const mode = body?.text('mode');
  if (body === undefined || mode === undefined) return;
  const pointer = `${body.pointer}/${mode}`;
  if (mode === 'raw') {
    const text = body.text('raw') ?? '';
    const example = jsonOf(text);
    const content = new JsonPlace(example, pointer);
    if (content.isObject) {
      for (const [member, place] of content.entries())
        args.take(member, { schema: schemaOfExample(place.value), pointer: place.pointer });
    } else if (example !== undefined) {
      draft.loseOnce(content, shown, wholeBody);
      args.take('body', { schema: schemaOfExample(example), pointer });
    } else if (text.trim() !== '') draft.loseOnce(content, shown, 'It is not JSON.');
    return;
  }
  if (mode !== 'urlencoded' && mode !== 'formdata')
    return draft.loseOnce(`#${pointer}`, shown, `The server reads JSON, not ${mode}.`);
  const pairs = body.list(mode);
  const files = pairs.filter((pair) => pair.text('type') === 'file');
  const reason = 'The server reads JSON, so the parameters of the form become its members.';
  if (files.length === 0) draft.loseOnce(`#${pointer}`, shown, reason);
  const sent = new Set<string>();
  for (const pair of pairs) {
    const key = pair.text('key');
    if (key === undefined) continue;
    const isFile = pair.text('type') === 'file';
    if (isFile && sent.has(key)) draft.lose(pair, `file ${key}`, singleFile);
    if (isFile) sent.add(key);
    if (isFile && request.text('method')?.toUpperCase() === 'DELETE') {
      draft.lose(pair, `file ${key}`, 'DELETE has no body.');
      continue;
    }
    const schema = isFile ? { type: 'string', format: fileFormat } : schemaOfText(pair.text('value') ?? '');
    args.take(key, { schema, pointer: pair.pointer, description: textOf(pair.at('description')) });
  }
}

/** Headers that the server or the authentication sets. */
const ordinaryHeaders: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);

function reportHeaders(request: JsonPlace, draft: Draft): void {
  for (const header of request.list('header')) {
    const key = header.text('key') ?? '';
    if (!ordinaryHeaders.has(key.toLowerCase())) draft.loseOnce(header, `header ${key}`, placesOfArguments);
  }
}
