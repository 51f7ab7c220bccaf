import type { JsonValue } from '../../graph/json-value.js';
import { baseName } from '../../graph/type-ref.js';
import type { GqlArgument, GqlSchema } from '../../schema/gql-schema.js';
import { namedType } from '../../schema/schema-index.js';
import { queryParameterStyle } from '../../schema/wire.js';
import { isRequired } from './coerce.js';

/** Reads the arguments out of a query string; undefined where it does not see at once what they are. */
export type QuickReader = (query: string) => Record<string, JsonValue> | undefined;

/** Whether a query string means what it looks like: nothing in it is encoded, and no fragment follows it. */
const plain = /^[^#%+\u0080-\uffff]*$/;

/**
 * Makes the reader of the query strings that most requests have: each argument a scalar or an enum, given once,
 * with nothing to decode. What it reads `readQueryArguments` reads the same; whatever it does not read is for
 * that one to read, or to refuse.
 */
export function createQuickReader(schema: GqlSchema, declarations: readonly GqlArgument[]): QuickReader {
  const readers = new Map<string, (text: string) => JsonValue | undefined>();
  const required: string[] = [];
  for (const argument of declarations) {
    const read = textReader(schema, argument);
    // Where one argument is of another kind every query string goes the long way.
    if (read === undefined) return () => undefined;
    readers.set(argument.name, read);
    if (isRequired(argument.type, argument.fallback)) required.push(argument.name);
  }
  return (query) => {
    if (!plain.test(query)) return undefined;
    const args: Record<string, JsonValue> = {};
    for (let at = 0; at < query.length; ) {
      const next = query.indexOf('&', at);
      const end = next === -1 ? query.length : next;
      const equals = query.indexOf('=', at);
      if (equals === -1 || equals > end) return undefined;
      const name = query.slice(at, equals);
      const value = readers.get(name)?.(query.slice(equals + 1, end));
      if (value === undefined || Object.hasOwn(args, name)) return undefined;
      args[name] = value;
      at = end + 1;
    }
    for (const name of required) if (!Object.hasOwn(args, name)) return undefined;
    return args;
  };
}

function textReader(
  schema: GqlSchema,
  { name, type }: GqlArgument,
): ((text: string) => JsonValue | undefined) | undefined {
  // A plain object takes such a name for its prototype.
  if (name === '__proto__' || queryParameterStyle(schema, type) !== 'text') return undefined;
  const found = namedType(schema, baseName(type));
  if (found.kind === 'builtin') return found.wire.fromText;
  if (found.kind !== 'enum') return undefined;
  const values = new Set(found.type.values);
  return (text) => (values.has(text) ? text : undefined);
}
