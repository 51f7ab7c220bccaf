import { type DocumentNode, type FieldNode, Kind, parse, type SelectionSetNode, valueFromASTUntyped } from 'graphql';
import { placeArguments, restRoute } from '../../src/compiler/api/rest-routes.js';
import type { JsonValue } from '../../src/compiler/graph/json-value.js';
import { baseName, nullable } from '../../src/compiler/graph/type-ref.js';
import type { GqlArgument, GqlOperation, GqlSchema } from '../../src/compiler/schema/gql-schema.js';
import { argumentsIn, matchSegment, segmentsOf, textsOf } from '../../src/compiler/schema/route-path.js';
import { inputTypeOf, isComposite, memberNames, namedType } from '../../src/compiler/schema/schema-index.js';
import { queryParameterStyle } from '../../src/compiler/schema/wire.js';
import { isJsonObject } from '../../src/runtime/limits/parse-json.js';
import { type Draft, type Drafts, draftOf, fitDrafts, parseJson } from './drafts.js';
import { below, fieldsOf, type Picks, pathTo } from './picks.js';
import { answeredType, type CallForm } from './request.js';

/** A request that was recorded. */
export interface RecordedRequest {
  readonly url?: string;
  readonly body?: string;
}

/** The form of a recorded call; undefined if its request does not tell its arguments. */
export function readCall(schema: GqlSchema, operation: GqlOperation, protocol: string, request: RecordedRequest) {
  return protocol === 'rest' ? readRest(schema, operation, request) : readGraphql(schema, operation, request);
}

function readRest(schema: GqlSchema, operation: GqlOperation, { url = '', body }: RecordedRequest) {
  const route = restRoute(operation);
  const [path = '', search = ''] = url.split(/\?(.*)/s);
  const pairs = new URLSearchParams(search);
  const segments = segmentsOf(path);
  const texts = new Map<string, string>();
  segmentsOf(route.path).forEach((segment, at) => {
    const values = matchSegment(textsOf(segment), segments[at] ?? '') ?? [];
    for (const [index, argument] of argumentsIn(segment).entries()) texts.set(argument, decode(values[index] ?? ''));
  });
  const places = placeArguments(route);
  const drafts: Record<string, Draft> = {};
  for (const { name } of places.path) drafts[name] = texts.get(name) ?? '';
  for (const argument of places.query) {
    const draft = readPairs(schema, argument, pairs);
    if (draft !== undefined) drafts[argument.name] = draft;
  }
  if (places.body !== undefined && body !== undefined) {
    const given = parseObject(body);
    if (given === undefined) return undefined;
    Object.assign(drafts, draftsOf(schema, places.body, given));
  }
  return form(schema, operation, 'rest', drafts, readFields(schema, operation, pairs.get('fields')));
}

function readPairs(schema: GqlSchema, argument: GqlArgument, pairs: URLSearchParams): Draft | undefined {
  const { name, type } = argument;
  const values = pairs.getAll(name);
  const [first] = values;
  switch (queryParameterStyle(schema, type)) {
    case 'text':
      return first;
    case 'repeated':
      return first === undefined ? undefined : values.length === 1 && first === '' ? [] : values;
    case 'json': {
      const value = first === undefined ? undefined : parseJson(first);
      return value === undefined ? undefined : draftOf(schema, type, value);
    }
    case 'deepObject': {
      const fields = inputTypeOf(schema, baseName(nullable(type)))?.fields ?? [];
      const members = fields.flatMap((field) => {
        const text = pairs.get(`${name}[${field.name}]`);
        return text === null ? [] : [[field.name, text]];
      });
      return members.length === 0 ? undefined : Object.fromEntries(members);
    }
  }
}

function readFields(schema: GqlSchema, operation: GqlOperation, fields: string | null): Picks | undefined {
  if (fields === null || operation.arguments.some(({ name }) => name === 'fields')) return undefined;
  const tree = (type: string, paths: readonly (readonly string[])[]): Picks => {
    const members = memberNames(namedType(schema, type));
    if (members.length > 0) return Object.fromEntries(members.map((member) => [member, tree(member, paths)]));
    const picks: Record<string, true | Picks> = {};
    for (const field of fieldsOf(schema, type)) {
      const own = paths.filter(([name]) => name === field.name);
      if (own.length === 0) continue;
      const inner = baseName(field.type);
      const below = own.map(([, ...rest]) => rest);
      picks[field.name] = isComposite(schema, inner) ? tree(inner, below) : true;
    }
    return picks;
  };
  const paths = fields.split(',').map((path) => path.trim().split('.'));
  return tree(answeredType(operation, 'rest'), paths);
}

function readGraphql(schema: GqlSchema, operation: GqlOperation, request: RecordedRequest): CallForm | undefined {
  const query = new URLSearchParams(request.url?.split(/\?(.*)/s)[1] ?? '');
  const sent: { readonly [name: string]: JsonValue } = parseObject(request.body ?? '') ?? {
    query: query.get('query'),
    variables: parseObject(query.get('variables') ?? '') ?? {},
  };
  if (typeof sent.query !== 'string') return undefined;
  const document = parseDocument(sent.query);
  const found = document && findField(document, operation.name);
  if (document === undefined || found === undefined) return undefined;
  const variables = isJsonObject(sent.variables) ? sent.variables : {};
  const reading: Reading = { schema, document, variables, fieldDrafts: {} };
  const picks = found.selectionSet && readPicks(reading, baseName(operation.type), found.selectionSet, '');
  const drafts = readArguments(reading, operation.arguments, found);
  const { fieldDrafts } = reading;
  return {
    ...form(schema, operation, 'graphql', drafts, picks),
    ...(Object.keys(fieldDrafts).length === 0 ? {} : { fieldDrafts }),
  };
}

/** A document that is read, and the arguments of its fields by their paths. */
interface Reading {
  readonly schema: GqlSchema;
  readonly document: DocumentNode;
  readonly variables: { readonly [name: string]: JsonValue };
  readonly fieldDrafts: Record<string, Drafts>;
}

function readArguments({ schema, variables }: Reading, args: readonly GqlArgument[], node: FieldNode): Drafts {
  const given: Record<string, JsonValue> = {};
  for (const { name, value } of node.arguments ?? []) {
    if (value.kind === Kind.VARIABLE && !Object.hasOwn(variables, value.name.value)) continue;
    given[name.value] = valueFromASTUntyped(value, variables) as JsonValue;
  }
  return draftsOf(schema, args, given);
}

function form(
  schema: GqlSchema,
  operation: GqlOperation,
  protocol: 'rest' | 'graphql',
  drafts: Readonly<Record<string, Draft>>,
  picks: Picks | undefined,
): CallForm {
  return {
    protocol,
    drafts: fitDrafts(schema, operation.arguments, drafts),
    picks: picks === undefined ? {} : { [answeredType(operation, protocol)]: picks },
  };
}

function draftsOf(schema: GqlSchema, args: readonly GqlArgument[], given: { readonly [name: string]: JsonValue }) {
  const known = args.filter(({ name }) => Object.hasOwn(given, name));
  return Object.fromEntries(known.map(({ name, type }) => [name, draftOf(schema, type, given[name] as JsonValue)]));
}

function findField(document: DocumentNode, name: string): FieldNode | undefined {
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const fields = definition.selectionSet.selections.filter((node) => node.kind === Kind.FIELD);
    const found = fields.find((field) => field.name.value === name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The fields that a selection selects, through fragments; a field of an interface is selected in each member. */
function readPicks(reading: Reading, type: string, set: SelectionSetNode, path: string, open: readonly string[] = []) {
  const { schema, document } = reading;
  const members = memberNames(namedType(schema, type));
  const picks: Record<string, true | Picks> = {};
  const merge = (name: string, more: true | Picks) => {
    const former = picks[name];
    picks[name] = typeof former === 'object' && typeof more === 'object' ? mergePicks(former, more) : more;
  };
  const add = (condition: string, inner: SelectionSetNode, fragments: readonly string[]) => {
    const isMember = members.includes(condition);
    const read = readPicks(reading, condition, inner, isMember ? pathTo(path, condition) : path, fragments);
    if (isMember) merge(condition, read);
    else for (const [name, more] of Object.entries(read)) merge(name, more);
  };
  for (const node of set.selections) {
    if (node.kind === Kind.INLINE_FRAGMENT) {
      const condition = node.typeCondition?.name.value ?? type;
      if (isComposite(schema, condition)) add(condition, node.selectionSet, open);
    } else if (node.kind === Kind.FRAGMENT_SPREAD) {
      const name = node.name.value;
      const fragment = document.definitions.find(
        (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
      );
      if (fragment?.kind !== Kind.FRAGMENT_DEFINITION || open.includes(name)) continue;
      const condition = fragment.typeCondition.name.value;
      if (isComposite(schema, condition)) add(condition, fragment.selectionSet, [...open, name]);
    } else if (members.length > 0) {
      for (const member of members) {
        const own: SelectionSetNode = { kind: Kind.SELECTION_SET, selections: [node] };
        merge(member, readPicks(reading, member, own, pathTo(path, member), open));
      }
    } else {
      const field = fieldsOf(schema, type).find(({ name }) => name === node.name.value);
      if (field === undefined) continue;
      const inner = node.selectionSet;
      const at = pathTo(path, field.name);
      if (field.arguments !== undefined && (node.arguments?.length ?? 0) > 0)
        reading.fieldDrafts[at] = readArguments(reading, field.arguments, node);
      merge(field.name, inner === undefined ? true : readPicks(reading, baseName(field.type), inner, at, open));
    }
  }
  return picks;
}

function mergePicks(one: Picks, other: Picks): Picks {
  const merged: Record<string, true | Picks> = { ...one };
  for (const [name, more] of Object.entries(other))
    merged[name] = more === true ? true : mergePicks(below(one, name), more);
  return merged;
}

function parseDocument(text: string): DocumentNode | undefined {
  try {
    return parse(text, { noLocation: true });
  } catch {
    return undefined;
  }
}

function parseObject(text: string): { readonly [name: string]: JsonValue } | undefined {
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
