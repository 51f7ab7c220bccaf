import type { Diagnostic } from '../../base/diagnostics/diagnostic.js';
import { OptionError } from '../../base/diagnostics/option-error.js';
import type { Analysis } from '../../compiler/analyze.js';
import { type EventFormat, eventFormats } from '../../compiler/api/cloud-event.js';
import type { GqlApiInfo } from '../../compiler/schema/gql-schema.js';
import type { SchemaFragment } from '../../compiler/schema/merge-schemas.js';
import { restPrefix } from '../../compiler/schema/server-paths.js';
import type { FederationProjectionLayer } from '../../federation/layer.js';
import type { FederationProjectionSource } from '../../federation/source.js';
import type { Caller } from '../auth/caller.js';
import type { AuthenticateOption } from '../auth/guard.js';
import { type EventBroker, isBroker } from '../brokers/broker.js';
import type { EventSinks, EventTargetLike } from '../brokers/event-hub.js';
import { MemoryEvents } from '../brokers/memory.js';
import type { McpOptions } from '../config/project-config.js';
import type { TrafficOptions } from '../config/traffic-options.js';
import type { Resolvers } from '../execute/resolvers/contract.js';
import type { EnginePlugins } from '../hooks/engine-plugins.js';
import type { OperationGuards } from '../hooks/operation-guards.js';
import type { ServerHooks } from '../hooks/server-hooks.js';
import type { LimitOptions } from '../limits/limits.js';
import type { ImportOptions } from '../load/import-reach.js';
import type { TopologyInput } from '../load/load-topologies.js';
import type { RunsOptions } from '../runs/runs.js';
import type { Store } from '../store/store.js';
import type { TelemetryOptions } from './open-telemetry.js';
import { reservedPaths } from './resources.js';

/**
 * The options of a server. Only `topologies` is required.
 *
 * @typeParam TContext - The third argument of every resolver.
 * @typeParam TResolvers - The type of the resolvers: one that `gg-svc types` wrote, or the untyped default.
 */
export interface GqlServerOptions<TContext = unknown, TResolvers extends Resolvers<TContext> = Resolvers<TContext>>
  extends TrafficOptions,
    TelemetryOptions {
  /**
   * The topology: paths, globs (`topologies/*.gg`) and URLs of `.gg` files, and inline texts as
   * `{ name, source }`. All of them are merged; imported files are loaded too. Or the result of `compile` without its
   * option `federation`, which is not compiled again.
   */
  readonly topologies: readonly TopologyInput[] | Analysis;
  /**
   * The imports that topologies may have beyond the project of the files in `topologies`: the nearest folder upwards with
   * a project file, a `package.json` or a `.git`.
   */
  readonly imports?: ImportOptions;
  /** The resolvers: root type name → field name → resolver, and the same for other types. */
  readonly resolvers?: TResolvers;
  /** The path of GraphQL. Default: `/graphql`. */
  readonly endpoint?: string;
  /** The title of the OpenAPI document and of the start page. Default: that of `info`. */
  readonly title?: string;
  /** The metadata of the API in its documents: version, description, contact, license, servers, tags. */
  readonly info?: GqlApiInfo;
  /** The name of the collection. Default: the title. */
  readonly collectionName?: string;
  /**
   * The base URL of the collection. Default: the origin of the request in a served collection, `http://localhost:4000`
   * in an exported one.
   */
  readonly baseUrl?: string;
  /** Schema fragments with their resolvers, which are added to the schema of the topology. */
  readonly layers?: readonly ProjectionLayer<TContext>[];
  /**
   * The source of the records of the federation layer, or a layer that was built over one. Without it, the federation
   * queries return null; `false` removes the layer.
   */
  readonly federation?: FederationProjectionSource | FederationProjectionLayer | false;
  /**
   * Carries the events of FORK edges between instances: a broker, such as `redisEvents({ url })`, which this server
   * closes, or an EventTarget. Default: `memoryEvents()`, so events stay in this process.
   */
  readonly events?: EventBroker | EventTargetLike | MemoryEvents;
  /**
   * The database that keeps the rows of the nodes with the label `Stored`: `sqliteStore({ file })` or
   * `postgresStore({ url })`. It serves their operations that have no resolver; this server closes it.
   */
  readonly store?: Store;
  /**
   * The database that keeps the runs of durable chains: `{ file }` of SQLite, or the `{ url }` of PostgreSQL. Default: the
   * database of the store, on SQLite a file beside it. Needs `npm install openworkflow`, for PostgreSQL also `postgres`.
   */
  readonly runs?: RunsOptions;
  /** The format of events over REST: the value alone (`json`, the default), or in a CloudEvent (`cloudevents`). */
  readonly eventFormat?: EventFormat;
  /**
   * Finds the caller of each request: a function, a ready-made authenticator, or a list of which the first that returns
   * a principal wins. Invalid credentials are refused with 401. Required if the topology uses `auth` or `scopes`.
   */
  readonly authenticate?: AuthenticateOption;
  /**
   * The third argument of every resolver: a value, or a function that returns one for each request. For an operation in
   * this process, the function gets a request without headers and body. Default: `{ principal, request, publish }`.
   */
  readonly context?: TContext | ((request: Request, caller: Caller) => TContext | Promise<TContext>);
  /** The limits, by name. All limits are on by default. */
  readonly limits?: LimitOptions;
  /**
   * Functions that admit or refuse the callers of an operation by its arguments, on every protocol: root type → operation
   * → guard.
   */
  readonly guards?: OperationGuards<TResolvers>;
  /** Functions that the server calls around its requests, in order. */
  readonly hooks?: readonly ServerHooks[];
  /** The plugins of GraphQL Yoga and Apollo Server, which are passed on unchanged. */
  readonly plugins?: EnginePlugins;
  /**
   * Whether the start page, `/openapi.json`, `/collection.json`, `/asyncapi.json` and `/schema.graphql` are served.
   * Default: the same as introspection, so they are off in production.
   */
  readonly documents?: boolean;
  /**
   * Whether agents can use the API at `/mcp`, over the Model Context Protocol, and with which tools. Needs the package
   * `@modelcontextprotocol/server`. Default: off.
   */
  readonly mcp?: boolean | McpOptions;
}

/** A schema fragment with its resolvers, which is added to the schema of a topology. */
export interface ProjectionLayer<TContext = unknown> {
  /** The types and operations that it adds. A topology with a type or operation of the same name is refused. */
  readonly schema: SchemaFragment;
  /** The resolvers of the fragment. Resolvers of the user take precedence. */
  readonly resolvers?: Resolvers<TContext>;
  /** Consumers of the events of FORK edges, in addition to subscribers. */
  readonly sinks?: EventSinks;
  /** Findings about the layer itself. A server refuses a layer with errors. */
  readonly diagnostics?: readonly Diagnostic[];
}

/** Checks the options at run time, for programs without type checking. */
export function checkOptions<TContext>(options: GqlServerOptions<TContext>): void {
  const { topologies, resolvers, endpoint, events, eventFormat, authenticate } = options;
  const isInput = (input: unknown): boolean => {
    if (typeof input === 'string') return true;
    const { name, source } = (input ?? {}) as Record<string, unknown>;
    return typeof name === 'string' && typeof source === 'string';
  };
  const isTopology = Array.isArray(topologies)
    ? topologies.length > 0 && topologies.every(isInput)
    : (topologies as Partial<Analysis> | undefined)?.ir !== undefined;
  if (!isTopology) {
    throw new OptionError(
      'topologies',
      'be a list of paths, globs, URLs or { name, source }, and not empty; or the result of compile()',
    );
  }
  if (resolvers !== undefined && (typeof resolvers !== 'object' || resolvers === null)) {
    throw new OptionError('resolvers', 'be an object: { Query: { field: (parent, args) => … } }');
  }
  const isTarget = typeof (events as Partial<EventTargetLike> | undefined)?.dispatchEvent === 'function';
  if (events !== undefined && !isBroker(events) && !(events instanceof MemoryEvents) && !isTarget) {
    throw new OptionError('events', 'be an EventTarget or a broker, such as redisEvents({ url })');
  }
  const authenticators = [authenticate].flat();
  if (authenticate !== undefined && !(authenticators.length > 0 && authenticators.every(isFunction))) {
    throw new OptionError('authenticate', 'be a function, or a list of functions that is not empty');
  }
  if (eventFormat !== undefined && !eventFormats.includes(eventFormat)) {
    throw new OptionError('eventFormat', `be ${eventFormats.join(' or ')}`);
  }
  if (endpoint === undefined) return;
  const isPath = typeof endpoint === 'string' && /^(\/[\w.~-]+)+$/.test(endpoint);
  if (!isPath || reservedPaths.includes(endpoint)) {
    throw new OptionError('endpoint', `be a path that is not in use, such as /graphql or ${restPrefix}graphql`);
  }
}

export function isFunction<T>(value: T): value is T & ((request: Request, caller: Caller) => unknown) {
  return typeof value === 'function';
}
