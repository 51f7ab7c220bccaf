import type { MaybePromise } from '../../base/values/maybe-promise.js';
import type { Credentials, Principal } from '../auth/principal.js';
import type { Calls } from '../call/calls.js';
import type { Environment } from '../call/environment.js';
import type { Hooks } from '../hooks/server-hooks.js';
import type { Exchange } from '../http/exchange.js';
import type { OpenRuns } from '../http/rest/runs.js';
import type { AnswerWriter } from '../http/steps.js';
import type { Telemetry } from '../http/telemetry/telemetry.js';
import type { Traffic } from '../traffic/create-traffic.js';
import type { FetchCompatibleGraphQLServer, GqlServer } from './gql-server.js';

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

/**
 * The service that answers in place of a server's `fetch`. Undefined if the user has replaced `fetch`, because the
 * replacement must get every request.
 */
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
