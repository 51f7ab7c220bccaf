import { type Draft, type DraftSetting, type DraftValue, nearestName } from '../draft/draft.js';
import { JsonPlace } from '../draft/json-place.js';
import { isTakenByEdges } from '../draft/operation-edge.js';
import { splitReason } from '../draft/own-text.js';
import { pascal, type SchemaTypes } from '../openapi/schema-types.js';
import { type ExampleSchema, schemaOfExample, schemaOfText } from './example-schema.js';
import { type CollectionRequest, jsonOf, type RequestUrl, textOf, urlOf } from './requests.js';

/** The operation that a REST request calls. */
export interface RestCall {
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly name: string;
  readonly arguments: readonly DraftValue[];
  readonly settings: readonly DraftSetting[];
}

/** The arguments of an operation, if another request defines their types. */
type KnownArguments = (kind: RestCall['kind'], name: string) => readonly DraftValue[] | undefined;

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
): RestCall | undefined {
  const method = (request.text('method') ?? 'GET').toUpperCase();
  if (!['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method)) {
    draft.lose(request, `request ${shown}`, `Topologies have no operations with the method ${method}.`);
    return undefined;
  }
  const kind = method !== 'GET' ? 'mutation' : acceptsEvents(request) ? 'subscription' : 'query';
  const url = urlOf(request);
  const name = known
    ? shown
    : (nearestName(shown) ?? nearestName(`${method} ${url.segments.join(' ')}`) ?? 'request');
  reportHeaders(request, draft);
  const typed = known?.(kind, name);
  const args = new ArgumentList(draft, types, `operation ${name}`, pascal(name));
  const segments = url.segments.map((segment) => {
    const given = /^\{(.+)\}$/.exec(segment)?.[1];
    if (given === undefined || typed !== undefined) return segment;
    const argument = args.add(given, { type: 'string' }, `${request.pointer}/url`, { isRequired: true });
    return argument === undefined ? '{}' : `{${argument}}`;
  });
  if (typed === undefined) {
    addQuery(url, request, args);
    if (method !== 'GET') addBody(request, draft, args, shown);
  }
  const values = typed === undefined ? args.values() : withDescriptions(typed, url);
  const settings: DraftSetting[] = [];
  const route = `${method} /${segments.join('/')}`;
  const isDefault = known !== undefined && isDefaultRoute(request, segments, name);
  const isRoute = segments.every(
    (segment) => /^(?:\{\w+\}|[\w.~-]+)$/.test(segment) && !/^\.+$/.test(segment),
  );
  if (!isDefault && kind !== 'subscription' && isRoute)
    settings.push({ key: 'route', text: `'${route}'`, place: request.place });
  else if (!isDefault) {
    const reason =
      kind === 'subscription'
        ? 'A stream of events has the route of its subscription.'
        : 'Routes cannot have this path. The operation has the default route.';
    draft.lose(request, `route ${route}`, reason);
  }
  if (kind === 'subscription') return { kind, name, arguments: values, settings };
  const code = item.list('response')[0]?.at('code')?.value;
  if (typeof code === 'number' && code > 200 && code < 300) {
    settings.push({ key: 'status', text: String(code), place: item.place });
  }
  return { kind, name, arguments: values, settings };
}

/** The arguments with the descriptions that they have in a URL. */
function withDescriptions(
  args: readonly DraftValue[],
  { query, variables }: RequestUrl,
): readonly DraftValue[] {
  return args.map((argument) => {
    const shown = [...variables, ...query].find(({ key }) => key === argument.name);
    if (shown?.description === undefined) return argument;
    return { ...argument, ...splitReason(shown.description) };
  });
}

function acceptsEvents(request: JsonPlace): boolean {
  return request
    .list('header')
    .some(
      (header) =>
        /^accept$/i.test(header.text('key') ?? '') && /event-stream/i.test(header.text('value') ?? ''),
    );
}

function isDefaultRoute(request: JsonPlace, segments: readonly string[], name: string): boolean {
  const raw = request.text('url') ?? request.at('url')?.text('raw') ?? '';
  return segments.join('/') === (raw.startsWith('{{api_url}}') ? name : `api/${name}`);
}

function addQuery({ query }: RequestUrl, request: JsonPlace, args: ArgumentList): void {
  const values = new Map<string, { texts: string[]; description: string | undefined }>();
  for (const { key, value, description } of query) {
    const before = values.get(key);
    if (before === undefined) values.set(key, { texts: [value], description });
    else before.texts.push(value);
  }
  for (const [key, { texts, description }] of values) {
    const [first = ''] = texts;
    const schema = first.includes('{{') ? { type: 'string' } : schemaOfText(first);
    const all = texts.length > 1 ? { type: 'array', items: schema } : schema;
    args.add(key, all, `${request.pointer}/url`, { description });
  }
}

function addBody(request: JsonPlace, draft: Draft, args: ArgumentList, shown: string): void {
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
        args.add(member, schemaOfExample(place.value), place.pointer);
    } else if (example !== undefined) {
      draft.lose(
        content,
        `body of ${shown}`,
        'It is not an object with members, so callers pass it as the member “body”.',
      );
      args.add('body', schemaOfExample(example), pointer);
    } else if (text.trim() !== '') draft.lose(content, `body of ${shown}`, 'It is not JSON.');
    return;
  }
  if (mode !== 'urlencoded' && mode !== 'formdata') {
    draft.lose(`#${pointer}`, `body of ${shown}`, `The server reads JSON, not ${mode}.`);
    return;
  }
  draft.lose(
    `#${pointer}`,
    `body of ${shown}`,
    'The server reads JSON, so the parameters of the form become its members.',
  );
  for (const pair of body.list(mode)) {
    const key = pair.text('key');
    const schema = schemaOfText(pair.text('value') ?? '');
    if (key === undefined) continue;
    if (pair.text('type') === 'file') draft.lose(pair, `file ${key} of ${shown}`, 'JSON cannot carry files.');
    else args.add(key, schema, pair.pointer, { description: textOf(pair.at('description')) });
  }
}

/** Headers that the server or the authentication sets. */
const ordinaryHeaders: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);

function reportHeaders(request: JsonPlace, draft: Draft): void {
  for (const header of request.list('header')) {
    const key = header.text('key') ?? '';
    if (ordinaryHeaders.has(key.toLowerCase())) continue;
    draft.loseOnce(
      header,
      `header ${key}`,
      'Arguments are in the path, the query string or the JSON of the body.',
    );
  }
}

/** The arguments of one request, each name once. */
class ArgumentList {
  readonly #draft: Draft;
  readonly #types: SchemaTypes;
  readonly #of: string;
  readonly #hint: string;
  readonly #values = new Map<string, DraftValue>();

  constructor(draft: Draft, types: SchemaTypes, of: string, hint: string) {
    this.#draft = draft;
    this.#types = types;
    this.#of = of;
    this.#hint = hint;
  }

  /** Adds an argument, and returns the name that it has. */
  add(
    name: string,
    schema: ExampleSchema,
    pointer: string,
    { description, isRequired = false }: { description?: string | undefined; isRequired?: boolean } = {},
  ): string | undefined {
    const place = new JsonPlace(schema, pointer);
    const hint = `${this.#hint}${pascal(name)}`;
    const value = this.#types.valueOf(name, place, { of: this.#of, use: 'input', isRequired, hint });
    if (value === undefined) return undefined;
    const subject = `argument ${name} of ${this.#of}`;
    if (isTakenByEdges(this.#draft, value, subject)) return undefined;
    if (this.#values.has(value.name)) {
      this.#draft.lose(place, subject, 'Another argument has this name.');
      return undefined;
    }
    this.#values.set(value.name, { ...value, description, tags: [] });
    return value.name;
  }

  values(): readonly DraftValue[] {
    return [...this.#values.values()];
  }
}
