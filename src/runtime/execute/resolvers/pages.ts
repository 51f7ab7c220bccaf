import { proceed } from '../../../base/values/maybe-promise.js';
import { readProperty } from '../../../base/values/read-property.js';
import type { Violation } from '../../../compiler/api/argument-checks.js';
import { type Cursor, decodeCursor, encodeCursor } from '../../../compiler/schema/cursor.js';
import type { GqlPage } from '../../../compiler/schema/gql-schema.js';
import { argumentError } from '../errors/argument-error.js';
import type { FieldResolver } from './default-resolvers.js';

/**
 * Makes the resolver of an operation or a field with pages. It checks the arguments before it calls the given resolver, and makes
 * a connection of its value:
 *
 * - a list of all items, of which the page is cut out;
 * - `{ items, hasNextPage, hasPreviousPage, cursors, totalCount }`, the items of the page. Without `hasNextPage`, an item more than
 *   requested means that there is a next page;
 * - a connection.
 *
 * The resolver gets the number of items as `first` or `last`, and the key of an item as `after` or `before`: what
 * `cursors` or a connection gave for it, else its `id`.
 */
export function pagedResolver({ name, page }: PagedPlace, resolver: FieldResolver, largest: number): FieldResolver {
  const read = pageReader({ name, page }, largest);
  return (parent, args, context, info) => {
    const { wanted, given } = read(args);
    return proceed(resolver(parent, given, context, info), (value) => connectionOf(name, value, wanted));
  };
}

/** Makes the function that checks the arguments of a page, and gives those of its resolver. */
export function pageReader({ name, page }: PagedPlace, largest: number) {
  const usual = Math.min(page?.size ?? largest, largest);
  return (args: Readonly<Record<string, unknown>>) => {
    const wanted = readWindow({ name, page }, args, usual, largest);
    const given: Record<string, unknown> = { ...args };
    for (const key of ['first', 'last', 'after', 'before']) delete given[key];
    if (wanted.isBackward) given.last = wanted.count;
    else given.first = wanted.count;
    if (wanted.after !== undefined) given.after = wanted.after.key;
    if (wanted.before !== undefined) given.before = wanted.before.key;
    return { wanted, given };
  };
}

/** An operation or a field with pages. */
export interface PagedPlace {
  readonly name: string;
  readonly page?: GqlPage | undefined;
}

type Window = ReturnType<typeof readWindow>;

function readWindow(
  place: PagedPlace,
  { first, last, after, before }: Readonly<Record<string, unknown>>,
  usual: number,
  largest: number,
) {
  const found = pageMistakes(place, { first, last, after, before }, largest);
  if (found.length > 0) throw argumentError(found);
  // Then the items are counted from the end.
  const isBackward = typeof last === 'number';
  return {
    count: isBackward ? last : typeof first === 'number' ? first : usual,
    isBackward,
    after: readCursor(place, after),
    before: readCursor(place, before),
  };
}

interface ReadCursor {
  readonly name: string;
  readonly text: string;
  readonly cursor: Cursor | undefined;
}

/** The cursor that was read last of a page: it is checked for the call, and again for its field, and then read. */
const lastCursors = new WeakMap<GqlPage, ReadCursor>();

function readCursor({ name, page }: PagedPlace, text: unknown): Cursor | undefined {
  if (typeof text !== 'string') return undefined;
  const last = page && lastCursors.get(page);
  if (last?.text === text && last.name === name) return last.cursor;
  const cursor = decodeCursor(name, text);
  if (page !== undefined) lastCursors.set(page, { name, text, cursor });
  return cursor;
}

/** The mistakes in the arguments of a page of an operation or a field. */
export function pageMistakes(
  place: PagedPlace,
  args: Readonly<Record<string, unknown>>,
  largest: number,
): readonly Violation[] {
  const found: Violation[] = [];
  for (const path of ['first', 'last']) {
    const count = args[path];
    if (typeof count !== 'number') continue;
    if (path === 'last' && typeof args.first === 'number')
      found.push({ path, reason: 'cannot be given together with “first”' });
    else if (count < 0) found.push({ path, reason: 'must not be negative' });
    else if (count > largest) found.push({ path, reason: `must be at most ${largest}` });
  }
  for (const path of ['after', 'before']) {
    const text = args[path];
    if (typeof text === 'string' && readCursor(place, text) === undefined)
      found.push({ path, reason: `is not a cursor of ${place.name}` });
  }
  return found;
}

/** A page (GraphQL Cursor Connections); its items are JSON where it is a result. */
export interface Connection<Item = unknown> {
  readonly edges: readonly { readonly node: Item; readonly cursor: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  /** The number of items on all pages, or, of a resolver, a function that gives it. */
  readonly totalCount?: unknown;
}

function connectionOf(operation: string, value: unknown, wanted: Window): Connection | null {
  if (value === null || value === undefined) return null;
  const { items, cursors, totalCount, ...has } = pageOf(operation, value, wanted);
  const edges = items.map((node, at) => ({ node, cursor: encodeCursor(operation, cursors[at] as Cursor) }));
  const startCursor = edges[0]?.cursor ?? null;
  const endCursor = edges.at(-1)?.cursor ?? null;
  return { edges, pageInfo: { ...has, startCursor, endCursor }, totalCount };
}

interface Page {
  readonly items: readonly unknown[];
  readonly cursors: readonly Cursor[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly totalCount: unknown;
}

function pageOf(operation: string, value: unknown, wanted: Window): Page {
  if (Array.isArray(value)) return cutOut(value, wanted);
  const items = readProperty(value, 'items');
  if (Array.isArray(items)) return ofItems(operation, items, value, wanted);
  const edges = readProperty(value, 'edges');
  if (!Array.isArray(edges))
    throw new TypeError(`The resolver of ${operation} must return a list, { items } or a connection.`);
  const pageInfo = readProperty(value, 'pageInfo');
  return {
    items: edges.map((edge) => readProperty(edge, 'node')),
    cursors: edges.map((edge) => ({ position: null, key: String(readProperty(edge, 'cursor')) })),
    hasNextPage: readProperty(pageInfo, 'hasNextPage') === true,
    hasPreviousPage: readProperty(pageInfo, 'hasPreviousPage') === true,
    totalCount: readProperty(value, 'totalCount'),
  };
}

/** The page of a whole list. An item that has gone leaves its place to the next one. */
function cutOut(list: readonly unknown[], wanted: Window): Page {
  const { after, before, count, isBackward } = wanted;
  let start = after === undefined ? 0 : indexOfCursor(list, after, 1);
  let end = before === undefined ? list.length : Math.max(start, indexOfCursor(list, before, 0));
  if (isBackward) start = Math.max(start, end - count);
  else end = Math.min(end, start + count);
  const items = list.slice(start, end);
  const cursors = items.map((item, at) => ({ position: start + at, key: keyOf(item) }));
  const totalCount = list.length;
  return { items, cursors, hasNextPage: end < list.length, hasPreviousPage: start > 0, totalCount };
}

/** The position of the item of a cursor, plus `behind` if it is still there. */
function indexOfCursor(list: readonly unknown[], { position, key }: Cursor, behind: 0 | 1): number {
  const at = Math.min(position ?? 0, list.length);
  if (key === '') return Math.min(at + behind, list.length);
  if (at < list.length && keyOf(list[at]) === key) return at + behind;
  const found = list.findIndex((item) => keyOf(item) === key);
  return found === -1 ? at : found + behind;
}

function ofItems(operation: string, given: readonly unknown[], value: unknown, wanted: Window): Page {
  const { after, before, count, isBackward } = wanted;
  const hasMore = given.length > count;
  const from = isBackward ? Math.max(0, given.length - count) : 0;
  const items = given.slice(from, from + count);
  const keys = readProperty(value, 'cursors');
  const cursors = items.map((item, at) => {
    const key = Array.isArray(keys) ? String(keys[from + at]) : keyOf(item);
    if (key === '') throw new TypeError(`The items of ${operation} have no id, so their page needs cursors.`);
    return { position: null, key };
  });
  const [hasNext, hasPrevious] = isBackward ? [before !== undefined, hasMore] : [hasMore, after !== undefined];
  const told = (name: string, otherwise: boolean): boolean => {
    const said = readProperty(value, name);
    return typeof said === 'boolean' ? said : otherwise;
  };
  const hasNextPage = told('hasNextPage', hasNext);
  const hasPreviousPage = told('hasPreviousPage', hasPrevious);
  return { items, cursors, hasNextPage, hasPreviousPage, totalCount: readProperty(value, 'totalCount') };
}

function keyOf(item: unknown): string {
  const id = typeof item === 'object' && item !== null ? readProperty(item, 'id') : undefined;
  return typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint' ? String(id) : '';
}
