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
  subscribe,
} from 'graphql';
import type { GqlSchema } from '../schema/gql-schema.js';
import { createVariablesReader } from './bare-variables.js';
import { buildExecutableSchema } from './executable-schema.js';
import { createDocumentReader, type DocumentReader } from './limits/document-reader.js';
import type { Limits } from './limits/limits.js';
import { createErrorMask, type ErrorMask } from './mask-errors.js';
import type { OperationRequest, Resolvers } from './options.js';
import { traceOperation } from './spans.js';

/** Runs operations. All hosts and REST come through here, so that an operation is the same everywhere. */
export interface Execution {
  readonly schema: GraphQLSchema;
  /** What clients may see of errors. */
  readonly mask: ErrorMask;
  /** Runs a query or a mutation of a document that is valid already; errors are masked. */
  execute(args: Omit<ExecutionArgs, 'schema'>): Promise<ExecutionResult>;
  /** Starts a subscription of a document that is valid already; errors are masked. */
  subscribe(
    args: Omit<ExecutionArgs, 'schema'>,
  ): Promise<AsyncGenerator<ExecutionResult, void, void> | ExecutionResult>;
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
  const schema = buildExecutableSchema(model, maps);
  const mask = createErrorMask(settings.limits.masking);
  const reader = createDocumentReader(schema, settings.limits);
  const readVariables = createVariablesReader(schema);

  const run: Execution['execute'] = async (args) => {
    const variableValues = readVariables(args.variableValues);
    return traceOperation(args, async () => mask.result(await execute({ ...args, schema, variableValues })));
  };

  const start: Execution['subscribe'] = async (args) => {
    const variableValues = readVariables(args.variableValues);
    return traceOperation(args, async () => {
      const started = await subscribe({ ...args, schema, variableValues });
      return Symbol.asyncIterator in started ? maskEach(started, mask) : mask.result(started);
    });
  };

  return {
    schema,
    mask,
    reader,
    execute: run,
    subscribe: start,
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
  { query, variables, operationName }: OperationRequest,
  accepts: (kind: string) => boolean,
): Omit<ExecutionArgs, 'schema'> | { readonly errors: readonly GraphQLError[] } {
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
  return { document, variableValues: variables, operationName };
}

/**
 * Masks each result. Not an async generator: one that waits for the next result could not be ended until it
 * comes, and a client that goes away must end it at once.
 */
function maskEach(
  results: AsyncGenerator<ExecutionResult, void, void>,
  mask: ErrorMask,
): AsyncGenerator<ExecutionResult, void, void> {
  const masked = async (step: Promise<IteratorResult<ExecutionResult, void>>) => {
    const { done, value } = await step;
    return done ? ({ done, value } as const) : { done: false as const, value: mask.result(value) };
  };
  return {
    next: () => masked(results.next()),
    return: (value) => masked(results.return(value)),
    throw: (error) => masked(results.throw(error)),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
