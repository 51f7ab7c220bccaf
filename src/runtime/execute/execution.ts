import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  isInputObjectType,
  parse,
} from 'graphql';
import type { MaybePromise } from '../../base/values/maybe-promise.js';
import type { CancelSource, Lifetime } from '../../base/values/run-until.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import type { Owner } from '../auth/owner.js';
import type { EventHub } from '../brokers/event-hub.js';
import { runWithin } from '../limits/deadline.js';
import { createDocumentReader, type DocumentReader } from '../limits/document-reader.js';
import { keepDocuments } from '../limits/known-documents.js';
import type { Limits } from '../limits/limits.js';
import type { TrackedOperation } from '../logs/monitor.js';
import { createPrintingExecutor } from './compiled/operation-plan.js';
import { type Printed, PrintedResult } from './compiled/printed-result.js';
import { createDeclaredErrors } from './errors/declared-errors.js';
import { createErrorLocator } from './errors/error-origin.js';
import { createErrorMask, type MaskSettings } from './errors/mask-errors.js';
import { type EventChecks, eventChecksOf, withChecks } from './events/event-checks.js';
import { buildExecutableSchema } from './executable-schema.js';
import type { OperationRequest, Resolvers } from './resolvers/contract.js';
import { lookUpResolvers } from './resolvers/given-resolvers.js';
import { OperationRoot, type Outbox } from './resolvers/operation-root.js';
import type { Results } from './subscriptions/results.js';
import { createSubscriptions } from './subscriptions/subscriptions.js';

export interface RunArgs extends Omit<ExecutionArgs, 'schema' | 'rootValue'> {
  readonly client?: CancelSource | undefined;
  readonly tracked?: TrackedOperation | undefined;
  readonly outbox?: Outbox | undefined;
  /** The caller as the owner of data; undefined if the operation reads no data with an owner, or may read all. */
  readonly owner?: Owner | undefined;
}

export interface Refused {
  readonly errors: readonly GraphQLError[];
}

/**
 * Runs operations. It checks no callers and publishes no events: only the steps of a call (`call/steps.ts`) use it.
 */
export type Execution = ReturnType<typeof createExecution>;

type Ran = Printed | PromiseLike<Printed>;

/** A subscription that was started, or the errors of one that was not. */
export type Started = Results | ExecutionResult;

/** Makes the executor of a schema. Its resolvers were checked; the first map that has one for a field wins. */
export function createExecution<TContext>(
  model: GqlSchema,
  maps: readonly Resolvers<TContext>[],
  { limits, events, refusal }: Pick<MaskSettings, 'refusal'> & { readonly limits: Limits; readonly events: EventHub },
) {
  const schema = buildExecutableSchema(model, maps, events, limits.pageSize);
  const checks = eventChecksOf(schema) as EventChecks;
  const { timeout, masking } = limits;
  const mask = createErrorMask({
    masking,
    locate: createErrorLocator(model, schema),
    declared: createDeclaredErrors(model, schema),
    refusal,
    monitor: events.monitor,
  });
  const reader = keepDocuments(createDocumentReader(schema, limits));
  const readVariables = createVariablesReader(schema);
  const subscriptions = createSubscriptions(model, schema, lookUpResolvers(maps, model), mask, timeout);
  const executePrinting = createPrintingExecutor(schema);

  const complete = (
    { document, contextValue, operationName, variableValues, outbox, owner }: RunArgs,
    lifetime: { readonly signal?: AbortSignal | undefined; readonly isOver?: boolean },
  ): ExecutionArgs => {
    if (outbox !== undefined) outbox.lifetime = lifetime;
    return {
      document,
      contextValue,
      operationName,
      schema,
      hideSuggestions: !limits.introspection,
      rootValue: new OperationRoot(lifetime, outbox, owner),
      variableValues: readVariables(variableValues),
    };
  };
  const executeCompleted = (lifetime: Lifetime, { args }: { readonly args: RunArgs }): Ran =>
    execute(complete(args, lifetime));
  const printCompleted = (lifetime: Lifetime, { args }: { readonly args: RunArgs }): Ran =>
    executePrinting(complete(args, lifetime));
  // Printed results have no errors to mask. Masked last, so that errors of a cancelled operation are not logged.
  const masked = (settled: Printed, args: RunArgs): Printed =>
    settled instanceof PrintedResult ? settled : mask.result(settled, args);

  return {
    schema,
    mask,
    reader,
    /** Whether messages may contain names of the schema. */
    tellsNames: limits.introspection,
    /**
     * Runs a query or a mutation of a valid document, synchronously if no resolver is asynchronous; errors are masked.
     *
     * @param mayPrint - Whether a compiled plan may print the result.
     * @param late - Gets the result of an operation that ended after it was given up.
     */
    run(args: RunArgs, mayPrint: boolean, late?: (result: Printed) => void): MaybePromise<Printed> {
      const drop = late && ((result: Printed) => late(masked(result, args)));
      const work = mayPrint ? printCompleted : executeCompleted;
      const ran = runWithin({ timeout, client: args.client, args }, work, drop);
      return ran instanceof Promise ? ran.then((settled) => masked(settled, args)) : masked(ran, args);
    },
    /**
     * Starts a subscription of a valid document; errors are masked. Only the start has a deadline.
     *
     * @param after - The id of the event after which it begins; undefined if it begins with the next event.
     */
    start: async (args: RunArgs & { readonly signal?: AbortSignal | undefined }, after?: string): Promise<Started> =>
      runWithin(
        { timeout, client: args.client },
        () => subscriptions.start(complete(args, args), after),
        (late) => {
          if (Symbol.asyncIterator in late) late.return().catch(() => undefined);
        },
      ),
    subscriptions,
    /** The id of the position before the last events of all subscriptions; undefined if no log keeps them. */
    recentEventId: async (most: number): Promise<string | undefined> => events.log?.recentId(most),
    publish: withChecks(events, checks).publish,
    incompleteEvents: checks.incomplete,
    /**
     * Parses and validates an operation.
     *
     * @param method - The method of a server that runs it, if the other one would have to run it.
     */
    prepare: (request: OperationRequest, method?: 'executeOperation' | 'subscribe') => prepare(reader, request, method),
    /** Parses a document that this package has written, without validation. */
    parse: (text: string): DocumentNode => parse(text, { noLocation: true }),
  };
}

function prepare(
  reader: DocumentReader,
  { query, variables, operationName, signal }: OperationRequest,
  method: 'executeOperation' | 'subscribe' | undefined,
) {
  let document: DocumentNode;
  try {
    document = reader.parse(query);
  } catch (error) {
    return { errors: [error as GraphQLError] };
  }
  const errors = reader.validate(document);
  if (errors.length > 0) return { errors };
  const args = { document, variableValues: variables, operationName, signal };
  // graphql-js reports why there is no operation: an unknown name, or no name for one of several.
  const operation = getOperationAST(document, operationName);
  const kind = operation?.operation;
  const runBy = kind === 'subscription' ? 'subscribe' : 'executeOperation';
  if (operation && method !== undefined && method !== runBy) {
    return { errors: [new GraphQLError(`Run a ${kind} with ${runBy}().`, { nodes: operation })] };
  }
  return { kind, args };
}

/**
 * graphql-js reads the fields of an input object without checking that they are own properties, so an omitted field
 * named `constructor` would find the inherited one. If a schema has such a field, variables are copied into objects
 * without a prototype; other schemas have no extra cost.
 */
function createVariablesReader(schema: GraphQLSchema) {
  const isRisky = Object.values(schema.getTypeMap()).some(
    (type) => isInputObjectType(type) && Object.keys(type.getFields()).some((name) => name in Object.prototype),
  );
  return (variables: RunArgs['variableValues']): Readonly<Record<string, unknown>> =>
    isRisky ? (copyBare(variables ?? {}) as Readonly<Record<string, unknown>>) : (variables ?? {});
}

/** Copies lists and plain objects at any depth; the depth of JSON from clients is limited. */
function copyBare(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyBare);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [name, member] of Object.entries(value)) copy[name] = copyBare(member);
  return copy;
}
