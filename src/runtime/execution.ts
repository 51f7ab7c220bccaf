import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  isLeafType,
  parse,
} from 'graphql';
import type { GqlSchema } from '../schema/gql-schema.js';
import { OperationRoot } from './abort-signal.js';
import { createVariablesReader } from './bare-variables.js';
import type { EventHub } from './events/event-hub.js';
import { buildExecutableSchema } from './executable-schema.js';
import { lookUpResolvers } from './given-resolvers.js';
import { runWithin } from './limits/deadline.js';
import { createDocumentReader, type DocumentReader } from './limits/document-reader.js';
import type { Limits } from './limits/limits.js';
import { createSubscriptions } from './live/subscriptions.js';
import { createErrorMask, type ErrorMask } from './mask-errors.js';
import type { OperationRequest, Resolvers } from './options.js';
import { traceOperation } from './spans.js';

/** An operation of a document that is valid already. */
export interface OperationArgs extends Omit<ExecutionArgs, 'schema' | 'rootValue'> {
  /** Aborted when nobody waits for the operation any more; its resolvers see it by `signalOf`. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs operations. All hosts and REST come through here, so that an operation is the same everywhere. */
export interface Execution {
  readonly schema: GraphQLSchema;
  /** What clients may see of errors. */
  readonly mask: ErrorMask;
  /** Runs a query or a mutation of a document that is valid already; errors are masked. */
  execute(args: OperationArgs): Promise<ExecutionResult>;
  /** Starts a subscription of a document that is valid already; errors are masked. */
  subscribe(args: OperationArgs): Promise<AsyncGenerator<ExecutionResult, void, void> | ExecutionResult>;
  /** Ends all subscriptions that are open, as if there were no further events. */
  endSubscriptions(): void;
  /** Reads, validates and runs a query or a mutation. */
  executeOperation(request: OperationRequest, context: unknown): Promise<ExecutionResult>;
  /** Reads, validates and starts a subscription. */
  subscribeOperation(
    request: OperationRequest,
    context: unknown,
  ): Promise<AsyncGenerator<ExecutionResult, void, void> | ExecutionResult>;
  /** Reads a document of our own; it is not validated. */
  parse(text: string): DocumentNode;
  /** Reads and checks documents of clients, within the limits. */
  readonly reader: DocumentReader;
  /** Why a custom scalar does not accept a value from outside; undefined when it does. */
  refuse(scalar: string, value: unknown): string | undefined;
}

/** What holds for every operation. */
export interface ExecutionSettings {
  readonly limits: Limits;
  /** Where mutations publish what FORK edges pass on. */
  readonly events: EventHub;
}

/**
 * Makes what runs the operations of a schema.
 *
 * @param maps - The resolvers, checked against the schema; the first map that has one for a field wins.
 */
export function createExecution<TContext>(
  model: GqlSchema,
  maps: readonly Resolvers<TContext>[],
  settings: ExecutionSettings,
): Execution {
  const schema = buildExecutableSchema(model, maps, settings.events);
  const mask = createErrorMask(settings.limits.masking);
  const reader = createDocumentReader(schema, settings.limits);
  const readVariables = createVariablesReader(schema);
  const subscriptions = createSubscriptions(model, schema, lookUpResolvers(maps), mask);

  const { timeout } = settings.limits;

  const complete = (args: OperationArgs, signal: AbortSignal | undefined): ExecutionArgs => ({
    ...args,
    schema,
    rootValue: new OperationRoot(signal),
    variableValues: readVariables(args.variableValues),
  });

  const run: Execution['execute'] = (args) =>
    traceOperation(args, () =>
      runWithin({ timeout, signal: args.signal }, async (signal) =>
        mask.result(await execute(complete(args, signal))),
      ),
    );

  // Only the start has a deadline: a subscription may go on for as long as its client likes.
  const start: Execution['subscribe'] = (args) =>
    traceOperation(args, () =>
      runWithin(
        { timeout, signal: args.signal },
        () => subscriptions.start(complete(args, args.signal)),
        (late) => {
          if (Symbol.asyncIterator in late) late.return().catch(() => undefined);
        },
      ),
    );

  return {
    schema,
    mask,
    reader,
    execute: run,
    subscribe: start,
    endSubscriptions: subscriptions.end,
    async executeOperation(request, contextValue) {
      const prepared = prepare(reader, request, (kind) => kind !== 'subscription');
      return 'errors' in prepared ? prepared : run({ ...prepared, contextValue });
    },
    async subscribeOperation(request, contextValue) {
      const prepared = prepare(reader, request, (kind) => kind === 'subscription');
      return 'errors' in prepared ? prepared : start({ ...prepared, contextValue });
    },
    parse: (text) => parse(text, { noLocation: true }),
    refuse(scalar, value) {
      const type = schema.getType(scalar);
      if (!isLeafType(type)) throw new Error(`invariant: ${scalar} is not a scalar`);
      try {
        return type.parseValue(value) === undefined ? 'it has no value' : undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
  };
}

/** Reads and validates a request; what is wrong with it is a result that holds the errors. */
function prepare(
  reader: DocumentReader,
  { query, variables, operationName, signal }: OperationRequest,
  accepts: (kind: string) => boolean,
): OperationArgs | { readonly errors: readonly GraphQLError[] } {
  let document: DocumentNode;
  try {
    document = reader.parse(query);
  } catch (error) {
    return { errors: [error as GraphQLError] };
  }
  const errors = reader.validate(document);
  if (errors.length > 0) return { errors };
  const operation = getOperationAST(document, operationName);
  // Without an operation graphql-js says why: none has the name, or no name was given for one of several.
  if (operation && !accepts(operation.operation)) {
    const method = operation.operation === 'subscription' ? 'subscribe' : 'executeOperation';
    const message = `A ${operation.operation} is run by ${method}().`;
    return { errors: [new GraphQLError(message, { nodes: operation })] };
  }
  return { document, variableValues: variables, operationName, signal };
}
