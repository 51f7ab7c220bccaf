import { setMaxListeners } from 'node:events';
import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import type { Context, ServerOptions, SubscribePayload } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { DeniedError } from '../../auth/denial.js';
import type { Credentials, Principal } from '../../auth/principal.js';
import { errorOfDenial } from '../../auth/refused-operation.js';
import type { CallArgs, CallSource } from '../../call/call.js';
import type { Calls } from '../../call/calls.js';
import { ProblemError } from '../../call/problem.js';
import { lastStep, PassedResults, type ResultStep, toWire } from '../../execute/subscriptions/results.js';
import type { Exchange } from '../../http/exchange.js';
import { FetchExchange } from '../../http/fetch-exchange.js';
import { readFromMembers } from '../../http/operation-request.js';
import type { Telemetry } from '../../http/telemetry/telemetry.js';
import type { CountedClient } from '../../http/traffic.js';
import type { Service } from '../../server/gql-service.js';
import { noteRunning, withAuthorization } from './connection.js';
import type { ClientConnection } from './serve-client.js';

type Connection = Context<Record<string, unknown> | undefined, ClientConnection>;

/** The result of `onSubscribe`. */
type PreparedArgs = ExecutionArgs & CallArgs & { readonly socket: WebSocket };

const maxOperations = 100;

/** Makes the operations of `graphql-transport-ws`, with the same results as over HTTP. */
export function createWebSocketOperations(
  service: Service,
  execution: Calls,
): ServerOptions<Record<string, unknown> | undefined, ClientConnection> {
  const prepare = async (
    connection: Connection,
    request: Request,
    payload: SubscribePayload,
    source: Exchange | undefined,
  ): Promise<ExecutionArgs | readonly GraphQLError[]> => {
    if (Object.keys(connection.subscriptions).length > maxOperations) {
      const message = `A connection has at most ${maxOperations} operations at a time.`;
      return [new GraphQLError(message, { extensions: { code: 'OPERATIONS_LIMIT_EXCEEDED' } })];
    }
    const { extra } = connection;
    const { rates } = service.traffic;
    const client = countedClient(extra, request);
    try {
      await rates?.countRequest(client);
      let principal: Principal | null;
      try {
        principal = await service.authenticate(credentialsOf(request));
      } catch (error) {
        await rates?.countCaller(client);
        throw error;
      }
      if (source !== undefined) source.principal = principal;
      client.principal = principal;
      await rates?.countCaller(client);
      const operation = readFromMembers({ ...payload });
      if ('fault' in operation)
        return [new GraphQLError(operation.fault, { extensions: { code: 'BAD_REQUEST' } })];
      const prepared = execution.prepare(operation);
      if (!('args' in prepared)) return prepared.errors;
      const tracked = source?.tracked;
      const caller = { principal, source: client, key: keyOf(payload), tracked, protocol: 'ws' } as const;
      const called = { ...prepared.args, ...caller };
      const refused = await execution.admit(called);
      if (refused !== undefined) return refused.errors;
      const contextValue = await service.contextFor({
        principal,
        address: client.address,
        request: () => request,
        context: undefined,
        framework: undefined,
      });
      const { signal } = request;
      const more = { admitted: 'all', contextValue, client: signal, signal, socket: extra.client };
      return { ...called, ...more, schema: execution.schema } as ExecutionArgs;
    } catch (error) {
      return [errorOf(error) ?? execution.mask.thrown(error, source?.tracked)];
    }
  };
  return {
    async onSubscribe(connection, _id, payload) {
      const { extra, connectionParams } = connection;
      if (extra.authorized === undefined) {
        extra.authorized = withAuthorization(extra.upgrade, connectionParams);
        // Every open operation listens to it; `maxOperations` bounds their number.
        setMaxListeners(0, extra.authorized.signal);
      }
      const { telemetry } = service;
      const source = telemetry?.isOn === true ? trackedSource(extra.authorized, extra, telemetry) : undefined;
      const prepared = await prepare(connection, extra.authorized, payload, source);
      if (!('document' in prepared)) source?.tracked?.refused(prepared);
      return prepared;
    },
    execute: async (args) => {
      const { source, socket } = args as PreparedArgs;
      const result = await noteRunning(socket, execution.execute(args as PreparedArgs));
      // A message has no headers, so the receipt is where that of an event is.
      if (source?.receipt === undefined) return result;
      return { ...result, extensions: { ...result.extensions, eventId: source.receipt } };
    },
    subscribe: async (args) => {
      const started = await execution.subscribe(args as PreparedArgs);
      return Symbol.asyncIterator in started ? new HeldResults(started) : started;
    },
    onNext: (_connection, _id, _payload, _args, result) => {
      const shown = toWire(result as ExecutionResult);
      return shown === result ? undefined : (shown as ReturnType<typeof JSON.parse>);
    },
    onError: (_connection, _id, _payload, errors) => toWire({ errors: [...errors] }).errors?.map(formatted),
  };
}

function trackedSource(request: Request, { exchange }: ClientConnection, telemetry: Telemetry): Exchange {
  const source = new FetchExchange(request, exchange.peer);
  source.proxies = exchange.proxies;
  source.tracked = telemetry.begin(source);
  return source;
}

function credentialsOf(request: Request): Credentials {
  return { header: (name) => request.headers.get(name) ?? undefined, request: () => request };
}

/** The key of a message: it has no headers. */
function keyOf({ extensions }: SubscribePayload): string | undefined {
  const { idempotencyKey } = extensions ?? {};
  return typeof idempotencyKey === 'string' ? idempotencyKey : undefined;
}

/** A message as the source of its call. */
function countedClient({ exchange }: ClientConnection, upgrade: Request): CountedClient & CallSource {
  const { address } = exchange;
  // A key of the upgrade would be that of all messages.
  const header = (name: string) =>
    name === 'idempotency-key' ? undefined : (upgrade.headers.get(name) ?? undefined);
  const state = { prepaid: 1, keyed: 0, isReplayed: false, receipt: undefined };
  return { principal: null, address, header, counts: undefined, ...state };
}

/** The error of a refusal; undefined for a fault. A message has no headers, so a limit says here how long to wait. */
function errorOf(error: unknown): GraphQLError | undefined {
  if (error instanceof DeniedError) return errorOfDenial(error.denial);
  if (!(error instanceof ProblemError)) return undefined;
  const { detail, members, headers = [] } = error.problem;
  const retryAfter = Number(headers[headers.indexOf('retry-after') + 1]);
  return new GraphQLError(detail, { extensions: { ...members, retryAfter } });
}

/** Results that end with their connection: `complete` would tell clients not to subscribe again. */
class HeldResults extends PassedResults {
  #close: () => void = () => undefined;
  readonly #closed = new Promise<ResultStep>((resolve) => {
    this.#close = () => resolve(lastStep);
  });

  override async next(): Promise<ResultStep> {
    const step = await super.next();
    return step.done === true && this.isCut ? this.#closed : step;
  }

  override return(): Promise<ResultStep> {
    this.#close();
    return super.return();
  }

  override throw(error: unknown): Promise<ResultStep> {
    this.#close();
    return super.throw(error);
  }
}

/** `toWire` replaces errors by plain objects. */
function formatted(error: GraphQLError): ReturnType<GraphQLError['toJSON']> {
  return error instanceof GraphQLError ? error.toJSON() : error;
}
