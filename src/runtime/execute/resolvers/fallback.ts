import type { GraphQLError } from 'graphql';
import { isPromiseLike } from '../../../base/values/maybe-promise.js';
import { type Deadline, type Lifetime, runUntil } from '../../../base/values/run-until.js';
import { operationCoordinate } from '../../../compiler/api/operation-coordinate.js';
import { singleType } from '../../../compiler/api/reach/reach.js';
import type { GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { codeStatuses, givenStatus } from '../../hooks/refusal.js';
import type { Monitor } from '../../logs/monitor.js';
import { createProblemFinder } from '../errors/declared-errors.js';
import { isGraphQLError } from '../errors/error-marks.js';
import { edgesOf } from '../errors/origin.js';
import { givenSignalOf, withBranchSignal } from './abort-signal.js';
import type { FieldResolver } from './default-resolvers.js';
import { RaceWinner } from './race-winner.js';
import { traceFallback } from './spans.js';

interface FallbackSettings {
  readonly resolveQuery: (query: GqlOperation) => FieldResolver;
  /** The arguments of a query that runs with those of another one. */
  readonly withDefaults: (query: GqlOperation, args: Parameters<FieldResolver>[1]) => Record<string, unknown>;
  readonly monitor: Monitor;
}

/**
 * Gives the resolver of a query its fallback: another query, which answers with the same arguments when the resolver
 * fails. A resolver fails when it throws or rejects with an error, or is late. An error whose status is below 500 is an
 * answer: the caller gets it. Nothing falls back after the operation was cancelled. A failure with a fallback is
 * reported as a fault, because no client gets it.
 */
export function createFallbacks(
  schema: GqlSchema,
  { resolveQuery, withDefaults, monitor }: FallbackSettings,
): (query: GqlOperation, own: FieldResolver) => FieldResolver {
  const findProblem = createProblemFinder(schema);
  const queries = new Map(schema.queries.map((query) => [query.name, query]));
  const isAnswer = ({ throws }: GqlOperation, error: unknown): boolean => {
    const { extensions = {} } = isGraphQLError(error) ? (error as GraphQLError) : {};
    const problem = findProblem(error, extensions.code);
    const isDeclared = problem !== undefined && throws?.includes(problem.name) === true;
    const status = isDeclared ? problem.status : (givenStatus(extensions) ?? codeStatuses.get(extensions.code) ?? 500);
    return status < 500;
  };
  return (query, own) => {
    const fallback = query.vent && queries.get(query.vent.query);
    if (fallback === undefined) return own;
    const first = withinTime(query, own);
    const serve = servedAs(query, fallback);
    return (parent, args, context, info) => {
      const fall = (error: unknown): unknown => {
        if (givenSignalOf(info)?.aborted === true || isAnswer(query, error)) throw error;
        const references = edgesOf(schema, query);
        monitor.fault(error, {
          coordinate: operationCoordinate(query),
          edges: references.map(({ edge }) => edge),
          places: references.map(({ source }) => source),
        });
        const value = traceFallback(query, fallback, () =>
          resolveQuery(fallback)(parent, withDefaults(fallback, args), context, info),
        );
        return isPromiseLike(value) ? Promise.resolve(value).then(serve) : serve(value);
      };
      // graphql-js treats a returned error as a thrown one.
      const check = (value: unknown): unknown => (value instanceof Error ? fall(value) : value);
      let value: unknown;
      try {
        value = first(parent, args, context, info);
      } catch (error) {
        return fall(error);
      }
      return isPromiseLike(value) ? Promise.resolve(value).then(check, fall) : check(value);
    };
  };
}

/** The value of a fallback in place of that of its query: a member of a union says which one it is. */
function servedAs({ type }: GqlOperation, fallback: GqlOperation): (value: unknown) => unknown {
  const member = singleType(fallback.type);
  if (member === undefined || member === singleType(type)) return (value) => value;
  return (value) => (value === null || value === undefined ? null : new RaceWinner(member, value));
}

/** A resolver that fails when it takes longer than the time of its query; then its signal is aborted. */
function withinTime({ name, vent }: GqlOperation, resolver: FieldResolver): FieldResolver {
  const timeout = vent?.timeoutMs;
  if (timeout === undefined) return resolver;
  const giveUp = (why: 'timeout' | 'aborted', lifetime: Lifetime, { client }: Deadline): Promise<never> => {
    const reason: unknown =
      why === 'timeout'
        ? new DOMException(`${name} took longer than ${timeout} ms.`, 'TimeoutError')
        : (client as AbortSignal).reason;
    lifetime.end(reason);
    return Promise.reject(reason);
  };
  return (parent, args, context, info) =>
    runUntil(
      { timeout, client: givenSignalOf(info) },
      (lifetime) => resolver(parent, args, context, withBranchSignal(info, lifetime.signal)),
      giveUp,
    );
}
