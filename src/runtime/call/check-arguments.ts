import { GraphQLError } from 'graphql';
import { formatCheck } from '../../base/json-schema/formats.js';
import { createArgumentChecks } from '../../compiler/api/argument-checks.js';
import { rootTypeOf } from '../../compiler/api/operation-coordinate.js';
import { allOperations, type GqlSchema } from '../../compiler/schema/gql-schema.js';
import { argumentError } from '../execute/constraints/guard-arguments.js';
import type { Execution } from '../execute/execution.js';
import type { ArgumentsCheck } from './call.js';
import { rootCallsOf } from './root-calls.js';

/**
 * Compiles the constraints of the arguments of operations. A call with an argument that breaks one does not run at all:
 * each operation gives the error of its first such value. Arguments of fields of objects are checked where they are read.
 */
export function createArgumentsCheck(
  model: GqlSchema,
  { schema }: Pick<Execution, 'schema'>,
): ArgumentsCheck {
  const checksOf = createArgumentChecks(model, formatCheck);
  const checks = new Map(
    allOperations(model).flatMap((operation) => {
      const check = checksOf(operation.arguments);
      return check === undefined ? [] : [[`${rootTypeOf(operation.kind)}.${operation.name}`, check] as const];
    }),
  );
  if (checks.size === 0) return undefined;
  return (call) => {
    const { kind, called = [] } = call.reach ?? {};
    if (kind === undefined) return [];
    const type = rootTypeOf(kind);
    if (!called.some((name) => checks.has(`${type}.${name}`))) return [];
    return rootCallsOf(call, schema).flatMap(({ name, key, node, args }) => {
      const found = checks.get(`${type}.${name}`)?.(args);
      if (found === undefined) return [];
      const { message, extensions } = argumentError(found);
      return [new GraphQLError(message, { nodes: [node], path: [key], extensions })];
    });
  };
}
