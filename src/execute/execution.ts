import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  parse,
} from 'graphql';
import { expiredDenial } from '../auth/denial.js';
import { createDocumentDemands, errorOfDenial } from '../auth/document-demands.js';
import { ExpiringResults } from '../auth/expiring-results.js';
import type { Guard } from '../auth/guard.js';
import type { Principal } from '../auth/principal.js';
import type { EventHub } from '../brokers/event-hub.js';
import { runWithin } from '../limits/deadline.js';
import { createDocumentReader, type DocumentReader } from '../limits/document-reader.js';
import { type KnownDocuments, keepDocuments } from '../limits/known-documents.js';
import type { Limits } from '../limits/limits.js';
import type { WatchedOperation } from '../logs/watch.js';
import type { GqlSchema, OperationKind } from '../schema/gql-schema.js';
import { isTracing } from '../tracing/svc-tracing.js';
import { type MaybePromise, proceed } from '../values/maybe-promise.js';
import type { CancelSource, Lifetime } from '../values/run-until.js';
import { createVariablesReader } from './bare-variables.js';
import { createPrintingExecutor } from './compiled/operation-plan.js';
import { type Printed, PrintedResult } from './compiled/printed-result.js';
import { createDeclaredErrors } from './errors/declared-errors.js';
import { createErrorLocator } from './errors/error-origin.js';
import { createErrorMask, type ErrorMask } from './errors/mask-errors.js';
import { type EventChecks, eventChecksOf, withChecks } from './events/event-checks.js';
import { buildExecutableSchema } from './executable-schema.js';
import type { OperationRequest, Resolvers } from './resolvers/contract.js';
import { lookUpResolvers } from './resolvers/given-resolvers.js';
import { OperationRoot } from './resolvers/operation-root.js';
import { traceOperation } from './resolvers/spans.js';
import { createSubscriptions, type Subscriptions } from './subscriptions/subscriptions.js';

/** An operation of a valid document. */
export interface OperationArgs extends Omit<ExecutionArgs, 'schema' | 'rootValue'> {
  /** Aborted when the operation is cancelled; resolvers get it with `signalOf`. */
  readonly signal?: AbortSignal | undefined;
  /** The request of the operation, if metrics or logs are on. */
  readonly watched?: WatchedOperation | undefined;
  /** The protocol by which a client sent it; undefined for GraphQL over HTTP, and for the program itself. */
  readonly protocol?: 'rest' | 'sse' | 'ws' | 'mcp' | undefined;
  /** The caller, which needs access to all fields of the operation; undefined for the program itself. */
  readonly principal: Principal | null | undefined;
  /** Whether `refuse` was called for it before. */
  readonly isAdmitted?: boolean | undefined;
  /** The id of the event after which a subscription begins; undefined if it begins with the next event. */
  readonly after?: string | undefined;
}

/** The same, with a cancellation that may be cheaper than a signal. */
export interface AnswerArgs extends Omit<OperationArgs, 'signal'> {
  readonly client?: CancelSource | undefined;
}

/** An operation that can be run. Its kind is undefined if the document has several operations and none is selected. */
export interface PreparedOperation {
  readonly kind: OperationKind | undefined;
  readonly args: Omit<OperationArgs, 'principal'>;
}

/** The errors of an operation that cannot be run. */
export interface Refused {
  readonly errors: readonly GraphQLError[];
}

/** Executes operations for all hosts, GraphQL and REST. */
export interface Execution {
  readonly schema: GraphQLSchema;
  /** Masks errors for clients. */
  readonly mask: ErrorMask;
  /** Runs a query or a mutation of a valid document; errors are masked. */
  execute(args: OperationArgs): Promise<ExecutionResult>;
  /** Like `execute`, but a compiled plan may print the result, synchronously if no resolver is asynchronous. */
  answer(args: AnswerArgs): Printed | Promise<Printed>;
  /** Starts a subscription of a valid document; errors are masked. */
  subscribe(args: OperationArgs): Promise<AsyncGenerator<ExecutionResult, void, void> | ExecutionResult>;
  /** Whether `refuse` has anything to check. */
  readonly checksCallers: boolean;
  /** Whether the caller of an operation has no access; undefined on a server without demands. */
  readonly denies:
    | ((args: Pick<OperationArgs, 'document' | 'operationName' | 'principal'>) => boolean)
    | undefined;
  /** The errors for a caller without access, or whom a hook refuses. The methods above call it before anything runs. */
  refuse(
    args: Pick<
      OperationArgs,
      'document' | 'operationName' | 'principal' | 'protocol' | 'watched' | 'isAdmitted'
    >,
  ): MaybePromise<Refused | undefined>;
  /** The id of the position before the last events of all subscriptions; undefined if no log keeps them. */
  recentEventId(most: number): Promise<string | undefined>;
  /** Publishes an event of a subscription, as a mutation does. */
  readonly publish: EventHub['publish'];
  /** The number of published events that could not be completed, by the name of the subscription. */
  readonly incompleteEvents: ReadonlyMap<string, number>;
  /** The open subscriptions and the connections that serve them. */
  readonly subscriptions: Pick<Subscriptions, 'open' | 'end'>;
  /**
   * Parses and validates an operation.
   *
   * @param method - The method of a server that runs it, if the other one would have to run it.
   */
  prepare(request: OperationRequest, method?: 'executeOperation' | 'subscribe'): PreparedOperation | Refused;
  /** Parses a document that this package has written, without validation. */
  parse(text: string): DocumentNode;
  /** Parses and validates documents of clients within the limits. */
  readonly reader: KnownDocuments;
}

/** The settings of all operations. */
export interface ExecutionSettings {
  readonly limits: Limits;
  /** Carries the events of FORK edges from mutations to subscriptions. */
  readonly events: EventHub;
  /** Compares callers with what operations demand; undefined on a server that does not authenticate. */
  readonly guard?: Guard | undefined;
  /** Refuses operations of clients with an error; undefined on a server without such hooks. Never throws. */
  readonly admit?:
    | ((
        operation: Pick<OperationArgs, 'document' | 'operationName' | 'protocol'> & {
          readonly principal: Principal | null;
        },
        mask: ErrorMask['thrown'],
      ) => MaybePromise<GraphQLError | undefined>)
    | undefined;
}

/** Makes the executor of a schema. Its resolvers were checked; the first map that has one for a field wins. */
export function createExecution<TContext>(
  model: GqlSchema,
  maps: readonly Resolvers<TContext>[],
  settings: ExecutionSettings,
): Execution {
  const schema = buildExecutableSchema(model, maps, settings.events, settings.limits.pageSize);
  const checks = eventChecksOf(schema) as EventChecks;
  const { timeout, masking } = settings.limits;
  const mask = createErrorMask({
    masking,
    locate: createErrorLocator(model, schema),
    declared: createDeclaredErrors(model, schema),
    watch: settings.events.watch,
  });
  const reader = keepDocuments(createDocumentReader(schema, settings.limits));
  const readVariables = createVariablesReader(schema);
  const subscriptions = createSubscriptions(model, schema, lookUpResolvers(maps), mask, timeout);
  const executePrinting = createPrintingExecutor(schema);

  const { guard } = settings;
  const demandsOf = guard && createDocumentDemands(model, schema);
  const denialOf =
    demandsOf &&
    (({ document, operationName, principal }: Parameters<NonNullable<Execution['denies']>>[0]) =>
      principal === undefined ? undefined : guard.denial(demandsOf(document, operationName), principal));
  const checksCallers = demandsOf !== undefined || settings.admit !== undefined;
  const refuse: Execution['refuse'] = (args) => {
    const { principal } = args;
    if (!checksCallers || principal === undefined || args.isAdmitted === true) return undefined;
    const denied = denialOf?.({ ...args, principal });
    if (denied !== undefined) return { errors: [errorOfDenial(denied)] };
    const error = settings.admit?.({ ...args, principal }, (thrown) => mask.thrown(thrown, args.watched));
    return error && proceed(error, (refusal) => refusal && { errors: [refusal] });
  };

  const complete = (
    { document, contextValue, operationName, variableValues }: OperationArgs,
    lifetime: { readonly signal?: AbortSignal | undefined },
  ): ExecutionArgs => ({
    document,
    contextValue,
    operationName,
    schema,
    hideSuggestions: !settings.limits.introspection,
    rootValue: new OperationRoot(lifetime),
    variableValues: readVariables(variableValues),
  });

  const run: Execution['execute'] = (args) =>
    traceOperation(args, async () => {
      const refused = await refuse(args);
      if (refused !== undefined) return refused;
      // Masked last, so that errors of a cancelled operation are not logged.
      const deadline = { timeout, client: args.signal };
      const result = await runWithin(deadline, (lifetime) => execute(complete(args, lifetime)));
      return mask.result(result, args);
    });

  const print = (args: AnswerArgs): Printed | Promise<Printed> => {
    const refused = refuse(args);
    if (refused === undefined) return printAdmitted(args);
    return proceed<Refused | undefined, Printed>(refused, (refusal) => refusal ?? printAdmitted(args));
  };
  const printCompleted = (lifetime: Lifetime, { args }: { readonly args: AnswerArgs }) =>
    executePrinting(complete(args, lifetime));
  const printAdmitted = (args: AnswerArgs): Printed | Promise<Printed> => {
    const printed = runWithin({ timeout, client: args.client, args }, printCompleted);
    // Printed results have no errors to mask.
    if (printed instanceof PrintedResult) return printed;
    const masked = (settled: Printed): Printed =>
      settled instanceof PrintedResult ? settled : mask.result(settled, args);
    return printed instanceof Promise ? printed.then(masked) : masked(printed);
  };
  const printInSpan = (args: AnswerArgs): Promise<Printed> => traceOperation(args, async () => print(args));

  // Only the start has a deadline: an open subscription has no time limit.
  const start: Execution['subscribe'] = (args) =>
    traceOperation(args, async () => {
      const refused = await refuse(args);
      if (refused !== undefined) return refused;
      const started = await runWithin(
        { timeout, client: args.signal },
        () => subscriptions.start(complete(args, args), args.after),
        (late) => {
          if (Symbol.asyncIterator in late) late.return().catch(() => undefined);
        },
      );
      const expiresAt = args.principal?.expiresAt;
      if (expiresAt === undefined || !(Symbol.asyncIterator in started)) return started;
      return new ExpiringResults(started, expiresAt, { errors: [errorOfDenial(expiredDenial)] });
    });

  return {
    schema,
    mask,
    reader,
    checksCallers,
    denies: denialOf && ((args) => denialOf(args) !== undefined),
    refuse,
    execute: run,
    answer: (args) => (isTracing() ? printInSpan : print)(args),
    subscribe: start,
    subscriptions,
    recentEventId: async (most) => settings.events.log?.recentId(most),
    publish: withChecks(settings.events, checks).publish,
    incompleteEvents: checks.incomplete,
    prepare: (request, method) => prepare(reader, request, method),
    parse: (text) => parse(text, { noLocation: true }),
  };
}

/** Parses and validates a request. */
function prepare(
  reader: DocumentReader,
  { query, variables, operationName, signal }: OperationRequest,
  method: 'executeOperation' | 'subscribe' | undefined,
): PreparedOperation | Refused {
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
