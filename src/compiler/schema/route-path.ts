import type { GqlOperation, GqlRoute } from './gql-schema.js';
import { restPrefix } from './server-paths.js';

/** The route of an operation: the one that the topology gives, else the default one: `GET /api/readUser`. */
export function routeOf({ kind, name, route }: Pick<GqlOperation, 'kind' | 'name' | 'route'>): GqlRoute {
  return route ?? { method: kind === 'mutation' ? 'POST' : 'GET', path: `${restPrefix}${name}` };
}

/** The route of an operation as people write it: `GET /api/readUser`. */
export function routeText(operation: Pick<GqlOperation, 'kind' | 'name' | 'route'>): string {
  const { method, path } = routeOf(operation);
  return `${method} ${path}`;
}

/** The route of an operation in reports: `GET /api/readUser`; `SSE /api/userSaved` for a stream, which may share its path with a query. */
export function routeCoordinate(operation: Pick<GqlOperation, 'kind' | 'name' | 'route'>): string {
  const { method, path } = routeOf(operation);
  return `${operation.kind === 'subscription' ? 'SSE' : method} ${path}`;
}

/** The segments of the path of a route: `['books', '{isbn}']`. */
export function segmentsOf(path: string): readonly string[] {
  return path.slice(1).split('/');
}

/** The names of the arguments in a path or a segment: `['base', 'head']` of `{base}...{head}`. */
export function argumentsIn(path: string): readonly string[] {
  return path.includes('{') ? Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name as string) : [];
}

/** A path without the names of its arguments: `/books/{}`. Paths of one shape match the same requests. */
export function shapeOf(path: string): string {
  return path.replace(/\{\w+\}/g, '{}');
}

/** The texts of a segment around its arguments: `['', '.json']` of `{sid}.json`; one text without arguments. */
export function textsOf(segment: string): readonly string[] {
  return shapeOf(segment).split('{}');
}

/**
 * The values of the arguments of a segment in the segment of a request; undefined if it does not match. A value has at
 * least one character, and ends where the text after it occurs first.
 */
export function matchSegment(texts: readonly string[], given: string): readonly string[] | undefined {
  // Most arguments are a segment of their own.
  if (texts.length === 2 && texts[0] === '' && texts[1] === '') return given === '' ? undefined : [given];
  const [first = '', ...others] = texts;
  const last = others.pop();
  if (last === undefined) return given === first ? [] : undefined;
  if (!given.startsWith(first) || !given.endsWith(last)) return undefined;
  const values: string[] = [];
  let start = first.length;
  for (const text of others) {
    const end = given.indexOf(text, start + 1);
    if (end === -1) return undefined;
    values.push(given.slice(start, end));
    start = end + text.length;
  }
  const end = given.length - last.length;
  return start < end ? [...values, given.slice(start, end)] : undefined;
}

/**
 * Compares paths with as many segments by the precedence of their first segments that differ: literals, then segments
 * with texts and arguments, those with more text first, then arguments.
 */
export function comparePrecedence(one: string, other: string): number {
  const others = segmentsOf(other);
  for (const [at, segment] of segmentsOf(one).entries()) {
    const order = compareSegments(segment, others[at] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

function compareSegments(one: string, other: string): number {
  const [left, right] = [shapeOf(one), shapeOf(other)];
  const isOpen = [left.includes('{}'), right.includes('{}')];
  if (!isOpen[0] || !isOpen[1]) return Number(isOpen[0]) - Number(isOpen[1]);
  const length = (shape: string) => shape.replaceAll('{}', '').length;
  return length(right) - length(left) || (left === right ? 0 : left < right ? -1 : 1);
}

/** Why a path cannot have a segment, whatever the arguments of its operation; undefined if it can. */
export function whyInvalidSegment(segment: string): string | undefined {
  if (segment === '') return 'no segment of a path is empty';
  const shape = shapeOf(segment);
  if (shape.includes('{}{}')) return `there is no text between two arguments of “${segment}”`;
  if (segment.startsWith(':')) return `“${segment}” begins with a colon; arguments are in braces`;
  // Dots alone would be resolved by clients, and other characters would have to be percent-encoded.
  if (/^[\w.~!$&()+,;=:@-]*$/.test(segment.replace(/\{\w+\}/g, '')) && !/^\.+$/.test(segment)) return undefined;
  return `“${segment}” has more than arguments in braces, letters, digits and - . _ ~ ! $ & ( ) + , ; = : @`;
}
