import * as formats from '@hyperjump/json-schema-formats';
import { GraphQLError } from 'graphql';
import { createArgumentChecks, type Violation } from '../../api/argument-checks.js';
import type { GqlArgument, GqlSchema } from '../../schema/gql-schema.js';
import type { FieldResolver } from '../resolvers/default-resolvers.js';

/** Puts the check of a field's arguments before its resolver. Without constraints, it is the resolver itself. */
export type ArgumentGuard = (
  args: readonly GqlArgument[] | undefined,
  resolver: FieldResolver,
) => FieldResolver;

/**
 * Compiles the constraints of a schema. A guarded resolver throws one error with the code BAD_USER_INPUT for the first
 * value that breaks its constraints, and names its path: `“input.lines[2].quantity” must be at least 1.`
 */
export function createArgumentGuard(schema: GqlSchema): ArgumentGuard {
  const checksOf = createArgumentChecks(schema, formatCheck);
  return (args, resolver) => {
    const check = args === undefined ? undefined : checksOf(args);
    if (check === undefined) return resolver;
    return (parent, values, context, info) => {
      const found = check(values);
      if (found === undefined) return resolver(parent, values, context, info);
      throw argumentError(found);
    };
  };
}

/** The error of an argument that breaks a constraint. */
export function argumentError({ path, reason }: Violation): GraphQLError {
  return new GraphQLError(`“${path}” ${reason}.`, {
    extensions: { code: 'BAD_USER_INPUT', parameter: path },
  });
}

/**
 * The formats that are checked, by their names in JSON Schema (Validation 2020-12, section 7.3). Any other format
 * only annotates.
 */
const checks: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['date', formats.isDate],
  ['date-time', formats.isDateTime],
  ['duration', formats.isDuration],
  ['email', isEmail],
  ['hostname', formats.isHostname],
  ['ipv4', formats.isIPv4],
  ['ipv6', formats.isIPv6],
  ['json-pointer', formats.isJsonPointer],
  ['time', formats.isTime],
  ['uri', formats.isUri],
  ['uri-reference', formats.isUriReference],
  ['uuid', formats.isUuid],
]);

/** The check of a format; undefined for a format that only annotates. */
export function formatCheck(format: string): ((text: string) => boolean) | undefined {
  return checks.get(format);
}

/** The package throws at an address in brackets of an unknown kind (`ada@[tag:x]`). */
function isEmail(text: string): boolean {
  try {
    return formats.isEmail(text);
  } catch {
    return false;
  }
}
