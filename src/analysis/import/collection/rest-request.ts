import { JsonPlace } from '../../../base/source/json-place.js';
import { appendTo } from '../../../compiler/graph/maps.js';
import { whyInvalidSegment } from '../../../compiler/schema/route-path.js';
import { type Draft, type DraftSetting, type DraftValue, nearestName } from '../draft/draft.js';
import { addArgument, placesOfArguments, wholeBody } from '../draft/operation-edge.js';
import { splitReason } from '../draft/own-text.js';
import { pascal, type SchemaTypes } from '../openapi/schema-types.js';
import { type ExampleSchema, schemaOfExample, schemaOfText } from './example-schema.js';
import {
  type CollectionCall,
  type CollectionRequest,
  jsonOf,
  type RequestUrl,
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
  { name: shown, item, request }: CollectionRequest,
  draft: Draft,
  types: SchemaTypes,
  known: KnownArguments | undefined,
): CollectionCall | undefined {
  const method = (request.text('method') ?? 'GET').toUpperCase();
  if (!['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
    return draft.lose(
      request,
      `request ${shown}`,
      `Topologies have no operations with the method ${method}.`,
    );
  const kind = method !== 'GET' ? 'mutation' : acceptsEvents(request) ? 'subscription' : 'query';
  const url = urlOf(request);
  const name = known
    ? shown
    : (nearestName(shown) ?? nearestName(`${method} ${url.segments.join(' ')}`) ?? 'request');
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
    typed === undefined
      ? segment.replace(/\{([^{}]+)\}/g, (_, given: string) => `{${addSegment(given)}}`)
      : segment,
  );
  if (typed === undefined) {
    addQuery(url, request, add);
    if (method !== 'GET') addBody(request, draft, add, shown);
  }
  const values = typed === undefined ? [...args.values()] : withDescriptions(typed, url);
  const settings: DraftSetting[] = [];
  const route = `${method} /${segments.join('/')}`;
  const isDefault = known !== undefined && isDefaultRoute(request, segments, name);
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
  const code = item.list('response')[0]?.at('code')?.value;
  if (kind !== 'subscription' && typeof code === 'number' && code > 200 && code < 300)
    settings.push({ key: 'status', text: String(code), place: item.place });
  return { kind, name, arguments: values, settings };
}

/** The arguments with the descriptions that they have in a URL. */
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

function isDefaultRoute(request: JsonPlace, segments: readonly string[], name: string): boolean {
  const raw = request.text('url') ?? request.at('url')?.text('raw') ?? '';
  return segments.join('/') === (raw.startsWith('{{api_url}}') ? name : `api/${name}`);
}

function addQuery({ query }: RequestUrl, request: JsonPlace, add: AddArgument): void {
  const pairs = new Map<string, RequestUrl['query'][number][]>();
  for (const pair of query) appendTo(pairs, pair.key, pair);
  for (const [key, [first, second]] of pairs) {
    const { value = '', description } = first ?? {};
    const schema = value.includes('{{') ? { type: 'string' } : schemaOfText(value);
    const all = second === undefined ? schema : { type: 'array', items: schema };
    add(key, all, `${request.pointer}/url`, { description });
  }
}

function addBody(request: JsonPlace, draft: Draft, add: AddArgument, name: string): undefined {
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
        add(member, schemaOfExample(place.value), place.pointer);
    } else if (example !== undefined) {
      draft.lose(content, shown, wholeBody);
      add('body', schemaOfExample(example), pointer);
    } else if (text.trim() !== '') draft.lose(content, shown, 'It is not JSON.');
    return;
  }
  if (mode !== 'urlencoded' && mode !== 'formdata')
    return draft.lose(`#${pointer}`, shown, `The server reads JSON, not ${mode}.`);
  const reason = 'The server reads JSON, so the parameters of the form become its members.';
  draft.lose(`#${pointer}`, shown, reason);
  for (const pair of body.list(mode)) {
    const key = pair.text('key');
    const schema = schemaOfText(pair.text('value') ?? '');
    if (key === undefined) continue;
    if (pair.text('type') === 'file') draft.lose(pair, `file ${key} of ${name}`, 'JSON cannot carry files.');
    else add(key, schema, pair.pointer, { description: textOf(pair.at('description')) });
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
