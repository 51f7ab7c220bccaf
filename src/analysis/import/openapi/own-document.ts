import type { JsonPlace } from '../../../base/source/json-place.js';
import { accessOf as accessOfWords } from '../../../compiler/graph/access.js';
import { ifGiven } from '../../../compiler/graph/maps.js';
import { capitalized, typeNameOf, uncapitalized } from '../../../compiler/graph/names.js';
import { pageArguments, totalCountHeader } from '../../../compiler/schema/cursor.js';
import {
  bareName,
  type Draft,
  type DraftSetting,
  type DraftTag,
  type DraftValue,
  pageSetting,
} from '../draft/draft.js';
import { accessSettings, addOperationEdges, edgesOfKinds, policySettings } from '../draft/operation-edge.js';
import { givenDescription, isAccessTag, splitDescription } from '../draft/own-text.js';
import { accessOf } from './operations.js';
import { OwnTypes, refOf, typeOf } from './own-types.js';
import { idName } from './schema-parts.js';

interface OwnOperation {
  readonly kind: keyof typeof edgesOfKinds;
  readonly method: string;
  readonly path: string;
  readonly place: JsonPlace;
  readonly edges: readonly { readonly from: readonly string[]; readonly to: string }[];
}

/** Whether gg-svc wrote a document: its operations name their edges. */
export function isOwnDocument(root: JsonPlace): boolean {
  return root.entries('paths').some(([, item]) => item.entries().some(([, place]) => place.has('x-topology')));
}

export function importOwnDocument(root: JsonPlace, draft: Draft): void {
  const operations = listOperations(root, draft);
  const nodes = new Map(
    operations.flatMap(({ edges }) => edges.flatMap(({ from, to }) => [...from, to])).map((id) => [typeNameOf(id), id]),
  );
  const types = new OwnTypes(root, draft, nodes);
  const read = operations.map((operation) => [operation, readResult(operation, types, draft)] as const);
  for (const [{ edges }, { type }] of read) if (type !== undefined) types.addResult(bareName(type), edges[0]?.to ?? '');
  types.addNodes();
  const ids = new Set(operations.map(idOf));
  const known = { ids, linked: linkedParameters(operations), goals: goalsOf(root) };
  for (const [operation, result] of read) addEdges(operation, result, types, draft, known);
  draft.completeOwn();
}

/** A reference from one operation of a document to another. */
interface Known {
  readonly ids: ReadonlySet<string>;
  /** The parameters that get an id by a link, see {@link linkedParameters}. */
  readonly linked: ReadonlySet<string>;
  /** The ids of the operations that are goals of chains, and the places of the chains. */
  readonly goals: ReadonlyMap<string, JsonPlace>;
}

function goalsOf(root: JsonPlace): ReadonlyMap<string, JsonPlace> {
  const posts = root.entries('paths').flatMap(([, item]) => ifGiven(item.at('post'), (post) => post));
  return new Map(posts.flatMap((post) => ifGiven(post.text('x-chain'), (goal) => [goal, post] as const)));
}

function idOf({ place }: Pick<OwnOperation, 'place'>): string {
  return place.text('operationId') ?? '';
}

/** The parameters that a link of a response fills in, as the id of their operation and their name: they are ids. */
function linkedParameters(operations: readonly OwnOperation[]): ReadonlySet<string> {
  const links = operations
    .flatMap(({ place }) => place.entries('responses'))
    .flatMap(([, response]) => response.entries('links'));
  return new Set(
    links.flatMap(([, link]) => link.entries('parameters').map(([name]) => `${link.text('operationId')} ${name}`)),
  );
}

/** The kinds of operations, in the order in which a document has their paths, unless they share one. */
const kinds = Object.keys(edgesOfKinds) as (keyof typeof edgesOfKinds)[];

function listOperations(root: JsonPlace, draft: Draft): readonly OwnOperation[] {
  const operations = root.entries('paths').flatMap(([path, item]) =>
    item
      .entries()
      .flatMap(withStream)
      .flatMap(([method, place]): OwnOperation[] => {
        if (place.has('x-chain') || place.has('x-run')) return [];
        const edges = place.list('x-topology').flatMap((edge) => {
          const to = edge.text('to') ?? '';
          const from = edge.texts('from');
          return [...from, to].every((id) => /^\w+$/.test(id)) && from.length > 0 ? [{ from, to }] : [];
        });
        const kind = kinds.find((one) => edgesOfKinds[one] === place.list('x-topology')[0]?.text('edge'));
        if (kind === undefined || edges.length === 0) {
          const reason = 'It comes from a layer, which every server adds itself.';
          draft.lose(place, `${method.toUpperCase()} ${path}`, reason);
          return [];
        }
        return [{ kind, method: method.toUpperCase(), path, place, edges }];
      }),
  );
  return kinds.flatMap((kind) => operations.filter((one) => one.kind === kind));
}

/** A query that shares its path with a subscription describes both. */
function withStream([method, place]: readonly [string, JsonPlace]): (readonly [string, JsonPlace])[] {
  return [[method, place], ...ifGiven(place.at('x-stream'), (stream) => [method, stream] as const)];
}

function readResult({ kind, place }: OwnOperation, types: OwnTypes, draft: Draft) {
  const settings: DraftSetting[] = [];
  const throws: string[] = [];
  let type: string | undefined;
  let [isPaged, isCounted] = [false, false];
  for (const [code, response] of place.entries('responses')) {
    if (/^2/.test(code) && kind !== 'subscription') {
      if (code !== '200') settings.push({ key: 'status', text: code, place: response.place });
      const schema = response.at('content')?.at('application/json')?.at('schema');
      type = schema === undefined ? 'Boolean' : typeOf(schema, types.nameOf);
      const reason = 'The document does not type a response without content, so it is Boolean.';
      if (schema === undefined) draft.lose(response, `result of ${place.text('operationId')}`, reason);
      isPaged = response.at('headers')?.has('Link') === true;
      isCounted = response.at('headers')?.has(totalCountHeader) === true;
    } else if (/^[45]/.test(code) && !response.has('$ref') && !response.flag('x-stream')) {
      if (response.flag('x-no-result')) settings.push({ key: 'null', text: code, place: response.place });
      const schema = response.at('content')?.at('application/problem+json')?.at('schema');
      const given = schema === undefined ? [] : schema.has('anyOf') ? schema.list('anyOf') : [schema];
      for (const name of given.map(refOf)) if (name !== undefined && types.isProblem(name)) throws.push(name);
    }
  }
  const hasNullStatus = settings.some(({ key }) => key === 'null');
  if (throws.length > 0) settings.push({ key: 'throws', text: `[${throws.join(', ')}]`, place: place.place });
  return { type: hasNullStatus ? type?.replace(/!$/, '') : type, isPaged, isCounted, settings };
}

function addEdges(
  operation: OwnOperation,
  { type, isPaged, isCounted, settings: ofResponses }: ReturnType<typeof readResult>,
  types: OwnTypes,
  draft: Draft,
  known: Known,
): void {
  const { kind, method, path, place, edges } = operation;
  const name = nameOf(operation, known.ids);
  const subject = `${kind} ${name}`;
  const { values, page } = argumentsOf(operation, types, draft, { isPaged, linked: known.linked }, subject);
  const settings: DraftSetting[] = [];
  const to = edges[0]?.to ?? '';
  const isDefault =
    kind === 'subscription' || (path === `/api/${name}` && method === (kind === 'query' ? 'GET' : 'POST'));
  if (!isDefault) settings.push({ key: 'route', text: `'${method} ${ownPath(operation)}'`, place: place.place });
  if (isPaged) settings.push(pageSetting(page, isCounted, place.place));
  settings.push(
    ...ofResponses,
    ...keyOf(place),
    ...etagOf(place),
    ...fieldsOf(place),
    ...ifGiven(known.goals.get(idOf(operation)), (chain) => ({ key: 'chain', text: 'true', place: chain.place })),
    ...ifGiven(known.goals.get(idOf(operation))?.at('responses')?.at('202'), (run) => ({
      key: 'durable',
      text: 'true',
      place: run.place,
    })),
    ...policySettings((key) => place.at(`x-${key}`), place.place),
    ...accessOfOperation(draft, place, name),
  );
  const text = withoutStreamNote(place) ?? place.text('summary');
  const { description, tags } = splitDescription(text, place.flag('deprecated'));
  const named = place.texts('tags');
  const isDefaultTag = named.length === 1 && named[0] === kind;
  const given = isDefaultTag ? [] : named.map((one) => ({ name: 'tag', text: one }));
  addOperationEdges(draft, {
    kind,
    name,
    sources: edges.map(({ from }) => from),
    to,
    result: type,
    targetResult: types.resultOf(to),
    arguments: values,
    settings,
    tags: [...given, ...tags.filter((tag) => !isAccessTag(tag))],
    description: givenDescription(description),
    subject,
    place: place.place,
  });
}

/** The path with the names of the arguments of its operation. */
function ownPath({ path, place }: OwnOperation): string {
  const names = new Map<string, string>();
  for (const parameter of place.list('parameters')) {
    const own = parameter.text('x-argument');
    if (own !== undefined) names.set(parameter.text('name') ?? '', own);
  }
  return path.replace(/\{(\w+)\}/g, (_, name: string) => `{${names.get(name) ?? name}}`);
}

/** The description of an operation, without the sentence about the stream that a query shares its path with. */
function withoutStreamNote(place: JsonPlace): string | undefined {
  const description = place.text('description');
  if (!place.has('x-stream')) return description;
  const own = description?.replace(/(?:^|\n\n)With `accept: text\/event-stream`[^\n]*$/, '');
  return own === '' ? undefined : own;
}

/** The name of an operation: its id, without the method that distinguishes two operations of one name. */
function nameOf({ path, method, place }: OwnOperation, allIds: ReadonlySet<string>): string {
  const own = place.text('x-operation');
  if (own !== undefined) return own;
  const id = idOf({ place });
  const prefix = method.toLowerCase();
  const last = /^\/api\/(\w+)$/.exec(path)?.[1];
  if (last !== undefined && id.replace(/_+$/, '') === `${prefix}${capitalized(last)}`) return last;
  const rest = id.startsWith(prefix) ? id.slice(prefix.length).replace(/_+$/, '') : '';
  const bare = uncapitalized(rest);
  return rest !== '' && /^[A-Z]/.test(rest) && allIds.has(bare) ? bare : id;
}

/** The arguments in the path, the query string and the body, without those that `page` adds. */
function argumentsOf(
  { place, kind }: OwnOperation,
  types: OwnTypes,
  draft: Draft,
  { isPaged, linked }: Pick<Known, 'linked'> & { readonly isPaged: boolean },
  subject: string,
) {
  let page = '20';
  const values = place.list('parameters').flatMap((parameter): DraftValue[] => {
    const name = parameter.text('x-argument') ?? parameter.text('name');
    const schema = parameter.at('schema') ?? parameter.at('content')?.at('application/json')?.at('schema');
    if (name === undefined || schema === undefined || isCondition(parameter)) return [];
    const said = parameter.text('description') ?? '';
    if (kind === 'query' && /For the event stream(?: only|, which requires it)\.$/.test(said)) return [];
    if (isPaged && pageArguments.has(name)) {
      page = /(\d+)\.$/.exec(said)?.[1] ?? page;
      return [];
    }
    const isInPath = parameter.text('in') === 'path';
    const header = parameter.text('in') === 'header' ? [{ name: 'header', text: parameter.text('name') ?? '' }] : [];
    const isRequired = isInPath || parameter.flag('required');
    // Only JSON text in a query string can be null.
    const value = types.argumentOf(name, schema, subject, isRequired || parameter.has('schema'));
    const bare = value.type.replace(/!$/, '');
    const text = said.replace(/(?:^|\n\n)An empty list is sent as `\w+=`\.$/, '');
    const { description, tags } = splitDescription(text, parameter.flag('deprecated'));
    const isImplied = (tag: DraftTag) => isInPath && tag.name === 'minLength' && tag.text === '1';
    const own = value.tags.filter((tag) => !isImplied(tag));
    // Query strings cannot carry null, so the document does not show whether null can replace a default.
    const isLinked = linked.has(`${idOf({ place })} ${parameter.text('name')}`);
    const example = String(parameter.at('example')?.value ?? '');
    const isId = bare === 'String' && (isLinked || ['1', ''].includes(example));
    const type = `${isId ? 'ID' : bare}${isRequired || value.fallback !== undefined ? '!' : ''}`;
    return [{ ...value, type, description, tags: [...header, ...tags, ...own] }];
  });
  const content = place.at('requestBody')?.at('content');
  const body = content?.at('application/json')?.at('schema');
  for (const [name, schema] of body?.entries('properties') ?? [])
    values.push(types.argumentOf(name, schema, subject, body?.texts('required').includes(name) === true));
  const form = content?.at('multipart/form-data')?.at('schema');
  // A route with JSON beside its form describes all arguments there.
  if (body === undefined && form !== undefined) values.push(...formArguments(form, types, draft, subject));
  return { values, page };
}

function keyOf(place: JsonPlace): readonly DraftSetting[] {
  const isKey = (parameter: JsonPlace) => /\/RequiredIdempotencyKey$/.test(parameter.text('$ref') ?? '');
  const key = place.list('parameters').find(isKey);
  return ifGiven(key, (given) => ({ key: 'idempotent', text: "'required'", place: given.place }));
}

function fieldsOf(place: JsonPlace): readonly DraftSetting[] {
  const paths = place.texts('x-fields').map((path) => `'${path}'`);
  return paths.length === 0 ? [] : [{ key: 'fields', text: `[${paths.join(', ')}]`, place: place.place }];
}

/** The header that `etag` adds. An argument in this header has `x-argument`. */
function isCondition(parameter: JsonPlace): boolean {
  return /^If-(?:None-)?Match$/.test(parameter.text('name') ?? '') && !parameter.has('x-argument');
}

function etagOf(place: JsonPlace): readonly DraftSetting[] {
  return ifGiven(place.list('parameters').find(isCondition), (given) => {
    const text = given.flag('required') ? "'required'" : 'true';
    return { key: 'etag', text, place: given.place };
  });
}

function accessOfOperation(draft: Draft, place: JsonPlace, name: string): readonly DraftSetting[] {
  const access = place.at('x-access');
  if (access !== undefined) {
    const auth = access.text('auth') === 'optional' ? 'optional' : access.has('auth') ? 'required' : undefined;
    const [scopes, anyScope, roles] = ['scopes', 'anyScope', 'roles'].map((word) => access.texts(word));
    const [owner, open] = ['owner', 'open'].map((word) => access.text(word));
    return accessSettings(accessOfWords({ auth, scopes, anyScope, roles, owner, open }), place.place);
  }
  const requirements = place.list(place.has('x-security') ? 'x-security' : 'security');
  return requirements.length === 0 ? [] : accessOf(draft, place, requirements, name);
}

/** The arguments of a route that takes a form only: each of its files is required (docs/uploads.md). */
function formArguments(form: JsonPlace, types: OwnTypes, draft: Draft, subject: string): readonly DraftValue[] {
  const parts = new Map(form.entries('properties'));
  const names = new Set([...parts.keys()].map((part) => part.split('.')[0] as string));
  return [...names].flatMap((name): DraftValue[] => {
    const text = parts.get(name);
    const files = [...parts].filter(([part]) => part.startsWith(`${name}.`));
    const [first] = files;
    if (first === undefined) return text ? [textArgument(name, text)] : [];
    // The files of an input are parts of their own, and the text has its other fields.
    const ofFiles = files.map(([part, schema]) => [part.slice(name.length + 1), schema] as const);
    const [input, twin] = types.inputsWith(new Map([...(text?.entries('properties') ?? []), ...ofFiles]));
    const { place } = first[1];
    const shown = `argument ${name} of ${subject}`;
    if (input === undefined) return draft.lose(place, shown, 'No input has the fields of these parts.') ?? [];
    if (twin !== undefined) draft.lose(place, shown, `It is a ${input}: ${twin} has the same fields.`);
    return [{ name, type: `${input}!`, description: text?.text('description'), tags: [], place }];
  });

  function textArgument(name: string, schema: JsonPlace): DraftValue {
    const value = types.argumentOf(name, schema, subject, true);
    const bare = value.type.replace(/!$/, '');
    const isSure = form.texts('required').includes(name) || value.fallback !== undefined;
    return { ...value, type: `${bare === 'String' && idName.test(name) ? 'ID' : bare}${isSure ? '!' : ''}` };
  }
}
