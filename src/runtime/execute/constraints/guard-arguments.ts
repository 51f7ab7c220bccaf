import { formatCheck } from '../../../base/json-schema/formats.js';
import { createArgumentChecks } from '../../../compiler/api/argument-checks.js';
import type { GqlArgument, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { argumentError } from '../errors/argument-error.js';
import type { FieldResolver } from '../resolvers/default-resolvers.js';

/**
 * Compiles the constraints of a schema. A guarded resolver throws one error with the code BAD_USER_INPUT, which names the
 * path of the first value that breaks its constraints, `“input.lines[2].quantity” must be at least 1.`, and lists all.
 * Without constraints, it is the resolver itself.
 */
export function createArgumentGuard(schema: GqlSchema) {
  const checksOf = createArgumentChecks(schema, formatCheck);
  return (args: readonly GqlArgument[] | undefined, resolver: FieldResolver): FieldResolver => {
    const check = args === undefined ? undefined : checksOf(args);
    if (check === undefined) return resolver;
    return (parent, values, context, info) => {
      const found = check(values);
      if (found.length === 0) return resolver(parent, values, context, info);
      throw argumentError(found);
    };
  };
}
