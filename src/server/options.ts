import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { LimitOptions } from '../execute/limits/limits.js';
import type { EventSinks, EventTargetLike, Resolvers } from '../execute/resolvers/contract.js';
import type { FederationProjectionLayer } from '../federation/layer.js';
import type { FederationProjectionSource } from '../federation/source.js';
import type { TopologyInput } from '../load/load-topologies.js';
import type { SchemaFragment } from '../schema/merge-schemas.js';

/**
 * What a server is made from. Only `topologies` must be given.
 *
 * @typeParam TContext - The third argument of every resolver.
 * @typeParam TResolvers - The type of the resolvers: one that `gg-svc types` made, or the loose one.
 */
export interface GqlServerOptions<
  TContext = unknown,
  TResolvers extends Resolvers<TContext> = Resolvers<TContext>,
> {
  /**
   * The topology: paths, globs (`topologies/*.gg`) and URLs of `.gg` files, and inline texts as
   * `{ name, source }`. All of them are merged; imported files are loaded too.
   */
  readonly topologies: readonly TopologyInput[];
  /** The resolvers: root type name → field name → resolver, and the same for other types. */
  readonly resolvers?: TResolvers;
  /** The path at which GraphQL is answered. `/graphql` unless given. */
  readonly endpoint?: string;
  /** The title of the OpenAPI document and of the start page. */
  readonly title?: string;
  /** The name of the collection; the title unless given. */
  readonly collectionName?: string;
  /**
   * The base URL of the collection. Unless given, a served collection has the origin of its request, and an
   * exported one `http://localhost:4000`.
   */
  readonly baseUrl?: string;
  /** Schema fragments with resolvers of their own that join the projection of the topology. */
  readonly layers?: readonly ProjectionLayer<TContext>[];
  /**
   * The source of the records of the federation layer, or the layer that was built over one. Without either,
   * its queries answer null; `false` leaves the layer out.
   */
  readonly federation?: FederationProjectionSource | FederationProjectionLayer | false;
  /**
   * Carries the events of FORK edges. Unless given, they stay in this process; an EventTarget over Redis, for
   * instance, carries them from every instance of a service to the subscribers of all.
   */
  readonly events?: EventTargetLike;
  /**
   * The third argument of every resolver: a value, or a function that makes one for each request. For an
   * operation that did not come over HTTP, the function gets a request without headers and body.
   */
  readonly context?: TContext | ((request: Request) => TContext | Promise<TContext>);
  /** What is refused, by name: all limits are on unless one is switched off here. */
  readonly limits?: LimitOptions;
  /**
   * Whether the start page, `/openapi.json`, `/collection.json` and `/schema.graphql` are served. Unless given, they
   * are served where introspection is on, so that production serves neither.
   */
  readonly documents?: boolean;
}

/** A schema fragment with its resolvers that joins the projection of a topology. */
export interface ProjectionLayer<TContext = unknown> {
  /** The types and operations that it adds. A topology that has one of them already is refused. */
  readonly schema: SchemaFragment;
  /** The resolvers of the fragment. A resolver that the user gives for the same field goes first. */
  readonly resolvers?: Resolvers<TContext>;
  /** Consumers of the events of FORK edges, beside subscribers. */
  readonly sinks?: EventSinks;
  /** Findings about the layer itself. A server refuses a layer with errors. */
  readonly diagnostics?: readonly Diagnostic[];
}
