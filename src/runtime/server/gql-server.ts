import type { ExecutionResult } from 'graphql';
import type { Kysely } from 'kysely';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.js';
import type { SourceFile } from '../../base/source/source-file.js';
import type { MaybePromise } from '../../base/values/maybe-promise.js';
import type { schemaToCollection } from '../../compiler/emit/collection.js';
import type { schemaToOpenAPI } from '../../compiler/emit/openapi.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import type { Credentials, Principal } from '../auth/principal.js';
import type { Calls } from '../call/calls.js';
import type { Environment } from '../call/environment.js';
import type { OperationRequest, Resolvers } from '../execute/resolvers/contract.js';
import type { Hooks } from '../hooks/server-hooks.js';
import type { Exchange } from '../http/exchange.js';
import type { OpenRuns } from '../http/rest/runs.js';
import type { AnswerWriter } from '../http/steps.js';
import type { Telemetry } from '../http/telemetry/telemetry.js';
import type { StoreRows } from '../store/store.js';
import type { Traffic } from '../traffic/create-traffic.js';
import type { ChainInputs, ChainOptions, ChainResult } from './run-for-program.js';

/** Anything with a `fetch` method: a server of this package, an engine, another framework. */
export interface FetchCompatibleGraphQLServer {
  /** Answers one request. */
  fetch(request: Request): Response | Promise<Response>;
}

/** The names of the subscriptions that resolvers are declared for; any string without such types. */
export type SubscriptionName<TResolvers> = string extends keyof TResolvers
  ? string
  : TResolvers extends { readonly Subscription?: infer Fields }
    ? keyof NonNullable<Fields> & string
    : string;

/**
 * The payload of a subscription, from the types that `gg-svc types` wrote; `unknown` without them. If the resolver has
 * `resolve`, the payload is its result.
 */
export type SubscriptionPayload<TResolvers, Name> = string extends keyof TResolvers
  ? unknown
  : TResolvers extends { readonly Subscription?: infer Fields }
    ? Name extends keyof NonNullable<Fields>
      ? NonNullable<Fields>[Name] extends infer Form
        ? Form extends {
            /** Returns the payload of an event. */
            resolve(...args: never): infer Payload;
          }
          ? Exclude<Payload, PromiseLike<unknown>>
          : never
        : never
      : unknown
    : unknown;

/**
 * A server of a topology.
 *
 * @typeParam TContext - The third argument of every resolver.
 * @typeParam TResolvers - The type of the resolvers, which has the payloads of subscriptions.
 */
export interface GqlServer<TContext = unknown, TResolvers = Resolvers<TContext>> extends FetchCompatibleGraphQLServer {
  /**
   * Settles when every topology is loaded: at once, unless one is behind a URL. It rejects with a
   * {@link TopologyError} if the topology cannot be served.
   */
  readonly ready: Promise<void>;
  /** The served schema, including layers. Throws before `ready`. */
  readonly schema: GqlSchema;
  /** The findings of the compiler: warnings and information. Throws before `ready`. */
  readonly diagnostics: readonly Diagnostic[];
  /** The files of the topology, including imported ones. Throws before `ready`. */
  readonly sources: readonly SourceFile[];
  /**
   * Runs a query or a mutation in this process, without HTTP. Errors in the request are errors of the result; the
   * promise rejects only if the topology cannot be loaded.
   *
   * @param context - Replaces the option `context`.
   */
  executeOperation(request: OperationRequest, context?: TContext): Promise<ExecutionResult>;
  /**
   * Starts a subscription in this process. Returns an iterator of its results, or a result with the errors if it did
   * not start.
   *
   * @param context - Replaces the option `context`.
   */
  subscribe(
    request: OperationRequest,
    context?: TContext,
  ): Promise<AsyncGenerator<ExecutionResult, void, void> | ExecutionResult>;
  /**
   * Runs a chain in this process: the operations that `inputs` names, and its goal, each with the ids that earlier ones give.
   * The goal has `chain: true` in the topology. A step that fails is a `problem` of the result, beside the steps that ran.
   *
   * @param name - The name of the goal.
   * @param inputs - The arguments of each step by its name, as in `POST /api/chains/{name}`.
   * @throws {TypeError} If there is no such chain.
   *
   * @example
   * ```ts
   * import { createGqlServer } from 'gg-svc';
   *
   * const source = `
   *   (customer { id: '7', name: String })
   *   (root)-[:FOLD { operation: 'signUp', name: String! }]->(customer)
   *   (customer)-[:FOLD { operation: 'placeOrder', customerId: ID!, chain: true }]->(order { total: 5 })
   *   (root)-[:PROCESS]->(order)`;
   * const server = createGqlServer({ topologies: [{ name: 'shop.gg', source }] });
   * const { steps } = await server.run('placeOrder', { signUp: { name: 'Ada' }, placeOrder: {} });
   * console.log(steps.map(({ operation }) => operation)); // [ 'signUp', 'placeOrder' ]
   * ```
   */
  run(name: string, inputs: ChainInputs, options?: ChainOptions<TContext>): Promise<ChainResult>;
  /**
   * Publishes an event to the subscribers of a subscription, as a mutation does along its FORK edges.
   *
   * @param name - The name of the subscription field.
   * @param payload - The value of the field. If `events` spans processes, it is sent as JSON.
   * @throws {TypeError} If there is no such subscription.
   * @throws {Error} Before `ready`.
   */
  publish<Name extends SubscriptionName<TResolvers>>(name: Name, payload: SubscriptionPayload<TResolvers, Name>): void;
  /**
   * Opens the database of the option `store` at the first call, and gives Kysely over it: for statements and
   * transactions of your own. Resolvers have it as `context.store`.
   *
   * @typeParam Tables - The tables: `StoreTables` of the types that `gg-svc types` writes.
   * @throws {Error} If the server has no store.
   */
  store<Tables = StoreRows>(): Promise<Kysely<Tables>>;
  /**
   * The number of published events that could not be completed, because a required field had no value, by the name of
   * the subscription. Subscribers get the error EVENT_INCOMPLETE instead.
   */
  readonly incompleteEvents: ReadonlyMap<string, number>;
  /** Answers a request for GraphQL, REST, the documents, health checks or the start page. Never rejects. */
  fetch(request: Request): Promise<Response>;
  /**
   * Only fails readiness: `/health/ready` answers 503, and all other requests are still answered. {@link
   * drainHttpServer} calls it when its notice begins.
   */
  failReadiness(): void;
  /**
   * Starts the shutdown: readiness fails, subscriptions of clients are cut, so that they subscribe again elsewhere, and
   * every answer closes its connection. Subscriptions of this process end. Requests are still answered. {@link drainHttpServer} calls it and stops the rest.
   */
  drain(): void;
  /**
   * Waits for the events that are being published, and closes the connections of the event broker and of the store. Call it after the
   * last operation; {@link drainHttpServer} does so.
   */
  close(): Promise<void>;
  /** The SDL text. Throws before `ready`. */
  exportGraphQL(): string;
  /** The OpenAPI 3.1 document. Throws before `ready`. */
  exportOpenAPI(): ReturnType<typeof schemaToOpenAPI>;
  /** The Postman collection. Throws before `ready`. */
  exportCollection(): ReturnType<typeof schemaToCollection>;
}

/** A server with the members that engines and hosts need, also before its topology is loaded. */
export interface Service<TContext = unknown> extends Omit<Environment, 'schema' | 'execution'> {
  readonly server: GqlServer<TContext>;
  /** Finds the caller of an operation; null on a server that does not authenticate. Throws a `DeniedError`. */
  authenticate(credentials: Credentials): MaybePromise<Principal | null>;
  /** Answers a request of any host. Never throws. */
  answer<Host extends Exchange>(exchange: Host, write: AnswerWriter<Host>): void;
  /** The server with its topology. Rejects if the topology cannot be served. */
  environment(): Promise<Environment>;
  execution(): Promise<Calls>;
  /** The runs of its durable chains; undefined without any. */
  runs(): Promise<OpenRuns | undefined>;
  readonly mcpPath: string | undefined;
  readonly onRequest: Hooks['request'];
  readonly telemetry: Telemetry | undefined;
  readonly traffic: Traffic;
}

const key = Symbol('gg-svc.service');

interface Attached {
  readonly [key]?: { readonly service: Service; readonly fetch: unknown };
}

/** Attaches a service to the object that users get. Copies of the object do not have it. */
export function attachService(server: object, service: Service<never>): void {
  const { fetch } = server as Partial<FetchCompatibleGraphQLServer>;
  Object.defineProperty(server, key, { value: { service, fetch } });
}

export function serviceOf(server: object): Service | undefined {
  return (server as Attached)[key]?.service;
}

/** The service in place of a server's `fetch`; undefined if the user has replaced it, which must get all requests. */
export function answeringService(server: FetchCompatibleGraphQLServer): Service | undefined {
  const attached = (server as Attached)[key];
  return attached?.fetch === server.fetch ? attached?.service : undefined;
}

/** Preloads the execution of a server of this package. The first answer reports a failure. */
export function prepareOperations(server: object): void {
  serviceOf(server)
    ?.execution()
    .catch(() => undefined);
}
