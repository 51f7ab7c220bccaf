import type { GraphQLResolveInfo } from 'graphql';
import { type Diagnostic, hasErrors } from '../../../base/diagnostics/diagnostic.js';
import { type Analysis, analyzeDocuments } from '../../../compiler/analyze.js';
import { rootTypeOf } from '../../../compiler/api/operation-coordinate.js';
import { answerType } from '../../../compiler/api/rest-routes.js';
import { pageArguments } from '../../../compiler/schema/cursor.js';
import type { GqlIoBinding, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import type { SchemaFragment } from '../../../compiler/schema/merge-schemas.js';
import type { GraphAST } from '../../../compiler/syntax/ast.js';
import type { EventSinks } from '../../brokers/event-hub.js';
import { signalOf } from '../../execute/resolvers/abort-signal.js';
import type { Resolver, Resolvers, SubscriptionResolver } from '../../execute/resolvers/contract.js';
import { lastStep } from '../../execute/subscriptions/results.js';
import type { ProjectionLayer } from '../options.js';
import { bindChannels, type ChannelRoute } from './binding/bind-channels.js';
import { type ChannelCall, ChannelError, isChannelError, type RuntimeIoChannel } from './binding/channel.js';
import { eventRecord, isMany, jsonArguments, matchOf, recordOf } from './binding/records.js';
import { eventError, operationError, workWithin } from './call-channel.js';
import { type BadRecords, createBadRecords, createReadChecks, inputError, requireFit } from './check-records.js';

/** The input of the runtime I/O layer. */
export interface RuntimeIoProjectionSource {
  /** The topology: the result of `compile`, or its `ast`, which is compiled again. */
  readonly graph: Analysis | GraphAST;
  /** The channels, each with the id of its node. */
  readonly channels: readonly RuntimeIoChannel[];
}

/** A layer that serves operations through channels, for the option `layers` of a server. */
export interface RuntimeIoProjectionLayer extends ProjectionLayer {
  /** The table of bindings, for the documents; no types. */
  readonly schema: SchemaFragment & { readonly io: readonly GqlIoBinding[] };
  readonly resolvers: Resolvers;
  readonly sinks: EventSinks;
  /** The table of nodes, channels and operations. */
  readonly bindings: readonly GqlIoBinding[];
  /** The number of records that queries skipped because they do not fit, by the id of the node. */
  readonly badRecords: ReadonlyMap<string, number>;
  /** Findings about the channels (GG5006 to GG5010). A server refuses a layer with errors. */
  readonly diagnostics: readonly Diagnostic[];
  /** Closes all channels. Later operations may open them again. */
  close(): Promise<void>;
}

/**
 * Binds the nodes of a topology to channels. `read` resolves the queries that end in the node of a channel, `write` the
 * mutations, `subscribe` the subscriptions; at a root, those that begin there. `write` also takes the events of FORK
 * edges. Resolvers of the server take precedence. If a channel fails, only its operation fails.
 *
 * @throws {TypeError} If `graph` or `channels` has the wrong type. Mistakes in a channel are diagnostics of the layer.
 *
 * @example
 * ```ts
 * import { buildRuntimeIoProjectionLayer, compile, createGqlServer } from 'gg-svc';
 * import { createTimerChannel } from 'gg-svc/channels';
 *
 * const source = '(clock)-[:FORK]->(tick: Event { count: Int!, at: String! })';
 * const topology = compile(source);
 * const layer = buildRuntimeIoProjectionLayer({
 *   graph: topology,
 *   channels: [createTimerChannel({ node: 'clock', interval: 1_000 })],
 * });
 * console.log(layer.bindings); // [{ node: 'clock', direction: 'in', transport: 'timer', … }]
 * const server = createGqlServer({ topologies: topology, layers: [layer] });
 * ```
 */
export function buildRuntimeIoProjectionLayer(source: RuntimeIoProjectionSource): RuntimeIoProjectionLayer {
  const { graph, channels } = source;
  if (!Array.isArray(channels)) throw new TypeError('channels must be a list of channels.');
  const { ir, schema, diagnostics: faults } = analysisOf(graph);
  // If the topology has errors, findings about channels would be guesses.
  const { bindings, routes, diagnostics } = hasErrors(faults)
    ? { bindings: [], routes: [], diagnostics: faults }
    : bindChannels(ir, schema, channels);
  const badRecords = createBadRecords();
  return {
    schema: { io: bindings },
    resolvers: resolversOf(schema, routes, badRecords),
    sinks: sinksOf(schema, routes),
    bindings,
    badRecords: badRecords.counts,
    diagnostics,
    close: async () => {
      await Promise.all(channels.map((channel: RuntimeIoChannel) => channel.close?.()));
    },
  };
}

function analysisOf(graph: Analysis | GraphAST): Pick<Analysis, 'ir' | 'schema' | 'diagnostics'> {
  if (graph !== null && typeof graph === 'object') {
    if ('ir' in graph) return graph;
    if (graph.kind === 'GraphAST')
      return analyzeDocuments({ documents: graph.documents, unreadable: new Map(), diagnostics: [] }, {});
  }
  throw new TypeError('graph must be a topology: the result of compile(), or its `ast`.');
}

function resolversOf(schema: GqlSchema, routes: readonly ChannelRoute[], badRecords: BadRecords): Resolvers {
  const roots: Record<string, Record<string, Resolver | SubscriptionResolver>> = {};
  for (const route of routes) {
    const { access, operation } = route;
    const root = rootTypeOf(operation.kind);
    // The events of FORK edges go to the sinks.
    if (access === 'write' && root === 'Subscription') continue;
    roots[root] ??= {};
    roots[root][operation.name] =
      access === 'read'
        ? readResolver(schema, ofList(route), badRecords)
        : access === 'write'
          ? writeResolver(schema, route)
          : subscriptionResolver(schema, route);
  }
  return roots;
}

/** A channel reads the whole list of which a page is cut out. */
function ofList(route: ChannelRoute): ChannelRoute {
  const { operation } = route;
  if (operation.page === undefined) return route;
  const own = operation.arguments.filter(({ name }) => !pageArguments.has(name));
  return { ...route, operation: { ...operation, arguments: own, type: answerType(operation) } };
}

function readResolver(schema: GqlSchema, route: ChannelRoute, badRecords: BadRecords): Resolver {
  return (_parent, args, context, info) =>
    work(schema, route, args, context, signalOf(info), async (call) => {
      const { checked, ...checks } = createReadChecks(route, info, badRecords);
      return checked((await route.channel.read?.({ ...call, ...checks })) ?? null);
    });
}

function writeResolver(schema: GqlSchema, route: ChannelRoute): Resolver {
  const { channel, operation } = route;
  return async (_parent, args, context, info) => {
    const given = recordOf(schema, operation, jsonArguments(schema, operation, args));
    const error = await inputError(schema, route, given, info);
    if (error !== undefined) throw error;
    return work(schema, route, args, context, signalOf(info), async (call) => {
      const value = await channel.write?.(given.record, call);
      const result = value === undefined ? given.record : value;
      requireFit(route, info, result);
      return result;
    });
  };
}

/** Calls a channel for an operation, and turns its failure into the error of the operation. */
async function work<T>(
  schema: GqlSchema,
  route: ChannelRoute,
  args: Args,
  context: unknown,
  outer: AbortSignal,
  run: (call: ChannelCall) => Promise<T>,
): Promise<T> {
  try {
    return await workWithin(route, outer, (signal) => run(callOf(schema, route, args, context, signal)));
  } catch (error) {
    // The operation was cancelled, so this is not a failure of the channel.
    if (outer.aborted) throw outer.reason;
    throw await operationError(route, error);
  }
}

function subscriptionResolver(schema: GqlSchema, route: ChannelRoute): SubscriptionResolver {
  const { channel } = route;
  return {
    joins: channel.echoes !== true || channel.write === undefined,
    async subscribe(_parent, args, context, info) {
      const ending = new AbortController();
      const signal = AbortSignal.any([signalOf(info as GraphQLResolveInfo), ending.signal]);
      try {
        const records = await work(schema, route, args, context, signal, async (call) => {
          const given = await channel.subscribe?.({ ...call, signal });
          if (given !== undefined && Symbol.asyncIterator in given) return given;
          throw new ChannelError('unreadable', 'subscribe did not return an async iterable');
        });
        return guardRecords(records, ending, (error) => operationError(route, error));
      } catch (error) {
        ending.abort();
        throw error;
      }
    },
    resolve: async (event, _args, _context, info) => {
      try {
        if (isChannelError(event)) throw event;
        requireFit(route, info, event);
        return event;
      } catch (error) {
        throw await operationError(route, error);
      }
    },
  };
}

function sinksOf(schema: GqlSchema, routes: readonly ChannelRoute[]): EventSinks {
  const never = new AbortController().signal;
  const sinks = routes
    .filter(({ access, operation }) => access === 'write' && operation.kind === 'subscription')
    .map((route) => {
      const { channel, operation } = route;
      const sink = async (event: unknown, problem?: string): Promise<void> => {
        try {
          if (problem !== undefined) throw new ChannelError('unreadable', problem);
          const record = eventRecord(schema, operation, event);
          await workWithin(route, never, (signal) =>
            channel.write?.(record, callOf(schema, route, {}, undefined, signal)),
          );
        } catch (error) {
          throw await eventError(route, error);
        }
      };
      return [operation.name, sink] as const;
    });
  return Object.fromEntries(sinks);
}

type Args = Readonly<Record<string, unknown>>;

function callOf(
  schema: GqlSchema,
  { node, operation }: ChannelRoute,
  args: Args,
  context: unknown,
  signal: AbortSignal,
): ChannelCall {
  const json = jsonArguments(schema, operation, args);
  return {
    node: node.id,
    operation: operation.name,
    args: json,
    match: matchOf(schema, operation, json),
    many: isMany(operation),
    accepts: () => true,
    skip: () => undefined,
    context,
    signal,
  };
}

/**
 * The records of a channel for one subscriber, requested one by one, so that a slow subscriber slows its source. Not an
 * async generator, because a generator that waits for the next record cannot be ended before it arrives.
 */
function guardRecords(
  records: AsyncIterable<unknown>,
  ending: AbortController,
  explain: (error: unknown) => Promise<Error>,
): AsyncIterableIterator<unknown, void> {
  const source = records[Symbol.asyncIterator]();
  const end = (): void => {
    if (ending.signal.aborted) return;
    ending.abort();
    // A source that is waiting settles this later; its result no longer matters.
    source.return?.()?.then(undefined, () => undefined);
  };
  return {
    async next() {
      if (ending.signal.aborted) return lastStep;
      try {
        const step = await source.next();
        if (ending.signal.aborted) return lastStep;
        if (step.done !== true) return { done: false, value: step.value };
        end();
        return lastStep;
      } catch (error) {
        if (ending.signal.aborted) return lastStep;
        end();
        throw await explain(error);
      }
    },
    async return() {
      end();
      return lastStep;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
