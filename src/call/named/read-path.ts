import type { JsonValue } from '../../graph/json-value.js';
import { baseName } from '../../graph/type-ref.js';
import type { GqlArgument } from '../../schema/gql-schema.js';
import { argumentOfSegment, segmentsOf } from '../../schema/route-path.js';
import { ProblemError } from '../problem.js';
import { type CoercionContext, readText } from './coerce.js';

/** Reads the arguments in the path of a request that matches its route. */
export type PathReader = (context: CoercionContext, path: string) => Record<string, JsonValue>;

/**
 * Makes the reader of the arguments in a path; undefined if it has none. A segment is percent-decoded after the path is
 * split, so that `%2F` is a slash in an argument (RFC 3986, section 2.4).
 */
export function createPathReader(
  template: string,
  declarations: readonly GqlArgument[],
): PathReader | undefined {
  if (declarations.length === 0) return undefined;
  const names = segmentsOf(template).map(argumentOfSegment);
  const places = declarations.map(({ name, type }) => ({
    name,
    type: baseName(type),
    at: names.indexOf(name),
  }));
  return (context, path) => {
    const segments = segmentsOf(path);
    return Object.fromEntries(
      places.map(({ name, type, at }) => [
        name,
        readText(context, type, decode(segments[at] as string), name),
      ]),
    );
  };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ProblemError({ status: 400, detail: 'The path is not percent-encoded UTF-8.' });
  }
}
