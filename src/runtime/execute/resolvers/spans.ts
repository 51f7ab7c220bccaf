import { type ExecutionResult, type GraphQLFieldResolver, getOperationAST } from 'graphql';
import { describePlace } from '../../../base/source/span.js';
import type { SvcAttributes } from '../../../base/tracing/span.js';
import { isTracing, withSvcSpan } from '../../../base/tracing/svc-tracing.js';
import { activeTraceId } from '../../../base/tracing/trace-context.js';
import { operationCoordinate } from '../../../compiler/api/operation-coordinate.js';
import type { GqlEdgeOrigin, GqlField, GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import type { ExecutedOperation } from '../errors/declared-errors.js';
import { edgesOf } from '../errors/origin.js';
import type { RaceWinner } from './race-winner.js';

/**
 * The spans of execution. While tracing is off, each function here costs the check of one boolean.
 *
 * - `gg.operation`: one GraphQL operation or one call of a REST route, which runs as an operation.
 * - `gg.resolve {Type}.{field}`: one call of a resolver: of an operation, or given for another field.
 * - `gg.race {Union}`: one race, with the winner.
 * - `gg.fallback {Query}.{field}`: the fallback of a query that failed.
 */

type FieldResolver = GraphQLFieldResolver<unknown, unknown>;

export function traceOperation<Result>(
  { document, operationName, tracked }: ExecutedOperation,
  run: () => Promise<Result>,
): Promise<Result> {
  if (!isTracing()) return run();
  return withSvcSpan('gg.operation', async (span) => {
    const operation = getOperationAST(document, operationName);
    if (tracked !== undefined) tracked.traceId = activeTraceId();
    span.setAttributes({
      'graphql.operation.type': operation?.operation,
      'graphql.operation.name': operation?.name?.value,
    });
    const result = await run();
    const { errors } = result as ExecutionResult;
    if (errors !== undefined && errors.length > 0) {
      span.setAttribute('graphql.errors', errors.length);
      span.setStatus({ code: 2, message: errors[0]?.message ?? '' });
    }
    return result;
  });
}

export function traceResolver(schema: GqlSchema, operation: GqlOperation, resolve: FieldResolver) {
  return traced(operationCoordinate(operation), resolve, () => edgeAttributes(schema, operation.edges));
}

export function traceField(
  schema: GqlSchema,
  owner: string,
  { name, span }: GqlField,
  resolve: FieldResolver,
): FieldResolver {
  return traced(`${owner}.${name}`, resolve, () =>
    span === undefined ? {} : { 'gg.source': describePlace(schema.sources, span) },
  );
}

export function traceRace(schema: GqlSchema, union: string, run: () => Promise<RaceWinner | null>) {
  if (!isTracing()) return run();
  return withSvcSpan(`gg.race ${union}`, async (span) => {
    const found = schema.unions.find(({ name }) => name === union);
    span.setAttributes({ 'gg.union': union, ...edgeAttributes(schema, found?.edges ?? []) });
    const winner = await run();
    // A race without a winner has no such attribute; each branch has its own span.
    if (winner !== null) span.setAttribute('gg.race.winner', winner.typeName);
    return winner;
  });
}

export function traceFallback(query: GqlOperation, fallback: GqlOperation, run: () => unknown): unknown {
  return withSvcSpan(`gg.fallback ${operationCoordinate(query)}`, (span) => {
    span.setAttribute('gg.fallback', fallback.name);
    return run();
  });
}

function traced(field: string, resolve: FieldResolver, originOf: () => SvcAttributes): FieldResolver {
  // Computed for the first span, because finding the lines of a large topology takes time.
  let attributes: SvcAttributes | undefined;
  // A function of its own: a closure over the parameters would cost each call an object, also while tracing is off.
  const inSpan: FieldResolver = (parent, args, context, info) =>
    withSvcSpan(`gg.resolve ${field}`, (span) => {
      attributes ??= { 'gg.field': field, ...originOf() };
      span.setAttributes(attributes);
      return resolve(parent, args, context, info);
    });
  return (parent, args, context, info) => (isTracing() ? inSpan : resolve)(parent, args, context, info);
}

/** The edges as text, joined by `; `, and their places in the same order. */
function edgeAttributes(schema: GqlSchema, edges: readonly GqlEdgeOrigin[]): SvcAttributes {
  if (edges.length === 0) return {};
  const references = edgesOf(schema, { edges });
  return {
    'gg.edge': references.map(({ edge }) => edge).join('; '),
    'gg.source': references.map(({ source }) => source).join('; '),
  };
}
