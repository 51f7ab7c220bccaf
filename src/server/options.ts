import type { ExecutionResult } from 'graphql';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { schemaToCollection } from '../emit/collection.js';
import type { schemaToOpenAPI } from '../emit/openapi.js';
import type { LimitOptions } from '../execute/limits/limits.js';
import type {
  EventSinks,
  EventTargetLike,
  OperationRequest,
  Resolvers,
} from '../execute/resolvers/contract.js';
import type { FederationProjectionLayer } from '../federation/layer.js';
import type { FederationProjectionSource } from '../federation/source.js';
import type { TopologyInput } from '../load/load-topologies.js';
import type { GqlSchema } from '../schema/gql-schema.js';
import type { SchemaFragment } from '../schema/merge-schemas.js';
import type { SourceFile } from '../source/source-file.js';

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
   * The topology: paths, globs (`topologies/*.gg`) and URLs of `.gg` files, and texts given directly as
   * `{ name, source }`. All of them are merged; files that they import are followed.
   */
  readonly topologies: readonly TopologyInput[];
  /** Where the values come from: root type name → field name → resolver, and the same for other types. */
  readonly resolvers?: TResolvers;
  /** The path at which GraphQL is answered. `/graphql` unless given. */
  readonly endpoint?: string;
  /** The title of the OpenAPI document and of the start page. */
  readonly title?: string;
  /** The name of the collection; the title unless given. */
  readonly collectionName?: string;
  /**
   * The base URL that the collection is written for. Unless given, a served collection takes the origin
   * that it was asked at, and an exported one `http://localhost:4000`.
   */
  readonly baseUrl?: string;
  /** Schema fragments with resolvers of their own that join the projection of the topology. */
  readonly layers?: readonly ProjectionLayer<TContext>[];
  /**
   * Where the records of the federation layer come from: a source, or the layer that was built over one.
   * Without either its queries answer null; `false` leaves the layer out.
   */
  readonly federation?: FederationProjectionSource | FederationProjectionLayer | false;
  /**
   * Where the events of FORK edges go through. Unless given, they stay in this process; an EventTarget over
   * Redis, for instance, carries them from every instance of a service to the subscribers of all.
   */
  readonly events?: EventTargetLike;
  /**
   * The third argument of every resolver: a value, or a function that makes one for each request. An
   * operation that did not come over HTTP is given a request without headers or body.
   */
  readonly context?: TContext | ((request: Request) => TContext | Promise<TContext>);
  /** What is refused, by name: all limits are on unless one is switched off here. */
  readonly limits?: LimitOptions;
}

/** A schema fragment with its resolvers that joins the projection of a topology. */
export interface ProjectionLayer<TContext = unknown> {
  /** The types and operations that it brings; a topology that has one of them already is refused. */
  readonly schema: SchemaFragment;
  /** The resolvers of the fragment. A resolver that the user gives for the same field goes first. */
  readonly resolvers?: Resolvers<TContext>;
  /** What takes the events of FORK edges, beside those who subscribe to them. */
  readonly sinks?: EventSinks;
  /** What is wrong with the layer itself; a server refuses one with errors. */
  readonly diagnostics?: readonly Diagnostic[];
}

/** Anything that answers a request: our server, an engine, another framework's. */
export interface FetchCompatibleGraphQLServer {
  /** Answers one request. */
  fetch(request: Request): Response | Promise<Response>;
}

/** The names of the subscriptions that resolvers are declared for; any text where they are not. */
export type SubscriptionName<TResolvers> = string extends keyof TResolvers
  ? string
  : TResolvers extends { readonly Subscription?: infer Fields }
    ? keyof NonNullable<Fields> & string
    : string;

/**
 * What a subscription brings, as the types that `gg-svc types` made say it; anything without them. One form
 * of a resolver makes the payload out of an event; what that returns is the payload.
 */
export type SubscriptionPayload<TResolvers, Name> = string extends keyof TResolvers
  ? unknown
  : TResolvers extends { readonly Subscription?: infer Fields }
    ? Name extends keyof NonNullable<Fields>
      ? NonNullable<Fields>[Name] extends infer Form
        ? Form extends {
            /** Makes the payload out of an event. */
            resolve(...args: never): infer Payload;
          }
          ? Exclude<Payload, PromiseLike<unknown>>
          : never
        : never
      : unknown
    : unknown;

/**
 * A topology that runs.
 *
 * @typeParam TContext - The third argument of every resolver.
 * @typeParam TResolvers - The type of the resolvers, which knows what subscriptions bring.
 */
export interface GqlServer<TContext = unknown, TResolvers = Resolvers<TContext>>
  extends FetchCompatibleGraphQLServer {
  /**
   * Settles when every topology is loaded. That is so from the start unless one is behind a URL. It
   * rejects with a {@link TopologyError} when the topology cannot be served.
   */
  readonly ready: Promise<void>;
  /** The projection that is served, layers included. Throws before `ready`. */
  readonly schema: GqlSchema;
  /** What the compiler had to say: warnings and information. Throws before `ready`. */
  readonly diagnostics: readonly Diagnostic[];
  /** The files of the topology, imported ones included. Throws before `ready`. */
  readonly sources: readonly SourceFile[];
  /**
   * Runs a query or a mutation in this process, without HTTP. Mistakes in the request are errors of the
   * result; it rejects only when the topology cannot be loaded.
   *
   * @param context - Stands in for what the option `context` gives.
   */
  executeOperation(request: OperationRequest, context?: TContext): Promise<ExecutionResult>;
  /**
   * Starts a subscription in this process. Gives its results one after another, or one result that holds
   * the errors why it did not start.
   *
   * @param context - Stands in for what the option `context` gives.
   */
  subscribe(
    request: OperationRequest,
    context?: TContext,
  ): Promise<AsyncGenerator<ExecutionResult, void, void> | ExecutionResult>;
  /**
   * Publishes an event to the subscribers of a subscription, as a mutation does along its FORK edges.
   *
   * @param name - The name of the subscription field.
   * @param payload - The value of the field. With `events` over a network it travels as JSON.
   * @throws {TypeError} When there is no such subscription.
   * @throws {Error} Before `ready`.
   */
  publish<Name extends SubscriptionName<TResolvers>>(
    name: Name,
    payload: SubscriptionPayload<TResolvers, Name>,
  ): void;
  /** Answers a request: GraphQL, REST, the documents, health and the start page. Never rejects. */
  fetch(request: Request): Promise<Response>;
  /**
   * Prepares for the end: from now on readiness fails, subscriptions complete, and every answer asks to close
   * its connection. Requests are answered as before. {@link drainHttpServer} calls it and stops the rest.
   */
  drain(): void;
  /** The SDL text. Throws before `ready`. */
  exportGraphQL(): string;
  /** The OpenAPI 3.1 document. Throws before `ready`. */
  exportOpenAPI(): ReturnType<typeof schemaToOpenAPI>;
  /** The Postman collection. Throws before `ready`. */
  exportCollection(): ReturnType<typeof schemaToCollection>;
}
