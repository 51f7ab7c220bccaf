import { setMaxListeners } from 'node:events';
import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import type { Context, ServerOptions, SubscribePayload } from 'graphql-ws';
import { DeniedError } from '../../auth/denial.js';
import { errorOfDenial } from '../../auth/refused-operation.js';
import type { CallArgs } from '../../call/call.js';
import type { Calls } from '../../call/calls.js';
import { errorOfProblem } from '../../call/error-of-problem.js';
import { ProblemError } from '../../call/problem.js';
import { lastStep, PassedResults, type ResultStep, toWire } from '../../execute/subscriptions/results.js';
import type { Exchange } from '../../http/exchange.js';
import { FetchExchange } from '../../http/fetch-exchange.js';
import { readFromMembers } from '../../http/operation-request.js';
import type { Service } from '../../server/gql-server.js';
import { type ClientConnection, withAuthorization } from './connection.js';

type Connection = Context<Record<string, unknown> | undefined, ClientConnection>;

type PreparedArgs = ExecutionArgs & CallArgs & { readonly connection: ClientConnection };

const maxOperations = 100;

/** Makes the operations of `graphql-transport-ws`, with the same results as over HTTP. */
export function createWebSocketOperations(
  service: Service,
  execution: Calls,
): ServerOptions<Record<string, unknown> | undefined, ClientConnection> {
  const prepare = async (
    connection: Connection,
    payload: SubscribePayload,
    source: MessageExchange,
  ): Promise<ExecutionArgs | readonly GraphQLError[]> => {
    if (Object.keys(connection.subscriptions).length > maxOperations) {
      const message = `A connection has at most ${maxOperations} operations at a time.`;
      return [new GraphQLError(message, { extensions: { code: 'OPERATIONS_LIMIT_EXCEEDED' } })];
    }
    const { rates } = service.traffic;
    const { tracked } = source;
    try {
      await rates?.countRequest(source);
      try {
        const header = (name: string) => source.header(name);
        source.principal = await service.authenticate({ header, request: () => source.request() });
      } finally {
        await rates?.countCaller(source);
      }
      const operation = readFromMembers({ ...payload });
      if ('fault' in operation) return [new GraphQLError(operation.fault, { extensions: { code: 'BAD_REQUEST' } })];
      const prepared = execution.prepare(operation);
      if (!('args' in prepared)) return prepared.errors;
      const { principal } = source;
      const caller = { principal, source, key: keyOf(payload), tracked, protocol: 'ws' } as const;
      const called = { ...prepared.args, ...caller };
      const refused = await execution.admit(called);
      if (refused !== undefined) return refused.errors;
      const contextValue = await service.contextFor(source);
      const signal = source.signal();
      const more = { admitted: 'all', contextValue, client: signal, signal, connection: connection.extra };
      return { ...called, ...more, schema: execution.schema } as ExecutionArgs;
    } catch (error) {
      return [errorOf(error) ?? execution.mask.thrown(error, tracked)];
    }
  };
  return {
    async onSubscribe(connection, _id, payload) {
      const { extra, connectionParams } = connection;
      if (extra.authorized === undefined) {
        extra.authorized = withAuthorization(extra.exchange.request(), connectionParams);
        // Every open operation listens to it; `maxOperations` bounds their number.
        setMaxListeners(0, extra.authorized.signal);
      }
      const { telemetry } = service;
      const source = new MessageExchange(extra.authorized, extra.exchange);
      if (telemetry?.isOn === true) source.tracked = telemetry.begin(source);
      const prepared = await prepare(connection, payload, source);
      if (!('document' in prepared)) source.tracked?.refused(prepared);
      return prepared;
    },
    execute: async (args) => {
      const { source, connection } = args as PreparedArgs;
      const result = await connection.run(execution.execute(args as PreparedArgs));
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

/** A message as a request, with the headers of the one that opened its connection. */
class MessageExchange extends FetchExchange {
  constructor(request: Request, upgrade: Exchange) {
    super(request, upgrade.peer);
    this.proxies = upgrade.proxies;
  }

  /** A key of the upgrade would be that of all messages. */
  override header(name: string): string | undefined {
    return name === 'idempotency-key' ? undefined : super.header(name);
  }
}

/** The key of a message: it has no headers. */
function keyOf({ extensions }: SubscribePayload): string | undefined {
  const { idempotencyKey } = extensions ?? {};
  return typeof idempotencyKey === 'string' ? idempotencyKey : undefined;
}

/** The error of a refusal; undefined for a fault. */
function errorOf(error: unknown): GraphQLError | undefined {
  if (error instanceof DeniedError) return errorOfDenial(error.denial);
  return error instanceof ProblemError ? errorOfProblem(error.problem) : undefined;
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

  protected override left(): void {
    this.#close();
  }
}

/** `toWire` replaces errors by plain objects. */
function formatted(error: GraphQLError): ReturnType<GraphQLError['toJSON']> {
  return error instanceof GraphQLError ? error.toJSON() : error;
}
