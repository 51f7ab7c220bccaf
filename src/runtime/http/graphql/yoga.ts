import { type DocumentNode, type ExecutionArgs, type ExecutionResult, getOperationAST, validate } from 'graphql';
import { createYoga, type GraphQLParams, type Plugin } from 'graphql-yoga';
import { type MaybePromise, proceed } from '../../../base/values/maybe-promise.js';
import type { CallArgs } from '../../call/call.js';
import type { Calls } from '../../call/calls.js';
import type { Environment } from '../../call/environment.js';
import type { Refused } from '../../execute/execution.js';
import {
  eventsOfResults,
  PassedResults,
  type ResultStep,
  type Results,
  toWire,
} from '../../execute/subscriptions/results.js';
import { answerOf, lengthOf, responseOf } from '../answer.js';
import type { Exchange } from '../exchange.js';
import { acceptsEventStream, readEventStreamWish } from '../sse/accept-events.js';
import { eventAnswer } from '../sse/event-answer.js';
import { cannotResume, nextEvent } from '../sse/event-stream.js';
import type { GraphQLHandler } from './engine.js';
import { completePage, loadGraphiQL, pageContent } from './graphiql.js';
import { readValid } from './known-operation.js';

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The context that Yoga passes to plugins: that of the request, which each operation of a batch extends. */
interface YogaContext {
  readonly ggSvc: {
    readonly exchange: Exchange;
    /** The results of a subscription, before plugins have changed them. */
    results?: Results;
  };
  /** The document that the client has sent: plugins may add fields to it, which do not count for the limits. */
  readonly ggSvcDocument?: DocumentNode;
  /** The protocol of an operation whose caller was checked. */
  ggSvcAdmitted?: { readonly protocol: CallArgs['protocol'] };
}

/** A result with the id of its event, which stays with the copies that plugins make. */
interface IdentifiedResult extends ExecutionResult {
  readonly eventId?: string;
  /** How a plugin prints the result. */
  readonly stringify?: (result: ExecutionResult) => string;
}

/** Answers GraphQL over HTTP with Yoga. Plugins of the user run after ours, so that they can replace or wrap them. */
export async function createBetaHandler(
  { endpoint, title, schema, contextFor, production, limits }: Environment,
  execution: Calls,
  plugins: readonly Plugin[],
): Promise<GraphQLHandler> {
  const renderGraphiQL = production ? undefined : await loadGraphiQL();
  const yoga = createYoga<YogaContext, YogaContext>({
    schema: execution.schema,
    graphqlEndpoint: endpoint,
    plugins: [
      ourExecution(execution, contextFor, plugins.length > 0),
      ...plugins,
      ...(plugins.length > 0 ? [ourAdmission(execution)] : []),
    ],
    maskedErrors: { maskError: (error) => execution.mask.thrown(error) },
    ...(renderGraphiQL === undefined ? { graphiql: false } : { graphiql: pageContent(title, schema), renderGraphiQL }),
    // Yoga only gets requests at its endpoint, and its landing page would load files from a CDN.
    landingPage: false,
    cors: false,
    // Masked errors were already logged.
    logging: false,
    multipart: false,
    // The step `readBody` limits the size of bodies and the length of lists.
    maxRequestBodySize: false,
    // The document reader of the execution has a bounded cache; Yoga's cache keeps texts of any length.
    parserAndValidationCache: false,
    batching: limits.batching === 0 ? false : { limit: limits.batching },
    fetchAPI: { fetch, Request, Response, Headers, ReadableStream, TransformStream, URL, URLSearchParams },
  });
  return {
    async handle(exchange) {
      // The request parser passes on the parsed JSON, so that it is not parsed twice.
      const request = exchange.requestWith(exchange.json === undefined ? exchange.text : '');
      const answer = answerOf(await yoga.fetch(request, { ggSvc: { exchange } }));
      const type = answer.header('content-type') ?? '';
      // nginx and similar proxies would buffer events.
      if (type.startsWith('text/event-stream')) answer.set('x-accel-buffering', 'no');
      const isStream = /^(?:text\/event-stream|multipart\/)/.test(type);
      if (!isStream && answer.body instanceof ReadableStream) {
        answer.body = await new Response(answer.body).text();
        answer.set('content-length', lengthOf(answer.body));
        if (type === 'text/html') completePage(answer, answer.body);
      }
      return answer;
    },
    plain: plugins.length > 0 ? undefined : { end: '', scope: (context) => context, readsDocuments: true },
  };
}

/** @param hasOthers - Whether other plugins may answer in place of the execution. */
function ourExecution(
  execution: Calls,
  contextFor: Environment['contextFor'],
  hasOthers: boolean,
): Plugin<YogaContext> {
  const { reader } = execution;
  /**
   * Runs an operation with our context in place of Yoga's. The context is made last, for each operation of a batch: one
   * that is refused for its document or its caller needs none.
   */
  const run = async <Result>(
    { contextValue: given, ...args }: ExecutionArgs,
    start: (args: CallArgs) => Promise<Result>,
  ): Promise<Result | ExecutionResult> => {
    const { ggSvc, ggSvcAdmitted: checked } = given as YogaContext;
    const { exchange } = ggSvc;
    const { outcome, principal, tracked, client } = exchange;
    const caller = { principal, source: exchange, tracked, protocol: checked?.protocol, client };
    const admission = checked === undefined ? undefined : ('all' as const);
    const called: Writable<CallArgs> = { ...args, ...caller, admitted: admission, signal: exchange.signal() };
    if (checked === undefined) {
      const refused = await execution.admit(called);
      if (refused !== undefined) return refused;
      called.admitted = 'all';
    }
    try {
      if (outcome?.kind === 'refused') throw outcome.error;
      called.contextValue = await contextFor(exchange);
    } catch (error) {
      return { errors: [execution.mask.thrown(error, tracked)] };
    }
    return start(called);
  };
  return {
    onRequestParse({ serverContext, requestParser, setRequestParser }) {
      const { json, form } = (serverContext as unknown as YogaContext).ggSvc.exchange;
      // Without a parser for the media type, Yoga refuses the request.
      if (json !== undefined && (requestParser !== undefined || form !== undefined))
        setRequestParser(() => json as GraphQLParams);
    },
    onParse({ setParseFn }) {
      setParseFn((source) => reader.parse(source));
      return ({ result, extendContext }) => extendContext({ ggSvcDocument: result as DocumentNode });
    },
    onValidate({ setValidationFn, context }) {
      setValidationFn((schema, document, rules = []) => {
        const errors = reader.validate(context.ggSvcDocument ?? document);
        return errors.length > 0 || rules.length === 0 ? errors : validate(schema, document, rules);
      });
    },
    onExecute({ args: called, setExecuteFn, setResultAndStopExecution }) {
      setExecuteFn(async (args) => {
        const { outcome } = (args.contextValue as YogaContext).ggSvc.exchange;
        if (outcome?.kind === 'result') return withStatus(outcome.result);
        return run(args, async (called) => withStatus(await execution.execute(called)));
      });
      if (!hasOthers) return;
      const { document, operationName, contextValue } = called;
      const operation = { document, operationName: operationName ?? null };
      return proceed(admit(execution, contextValue as YogaContext, operation), (refused) => {
        if (refused !== undefined) setResultAndStopExecution(refused);
      });
    },
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn((args) =>
        run(args, async (called) => {
          const { ggSvc } = args.contextValue as YogaContext;
          const after = ggSvc.exchange.header('last-event-id') || undefined;
          const started: Results | ExecutionResult = await execution.subscribe({ ...called, after });
          if (cannotResume(started)) {
            for (const { extensions } of started.errors) extensions.http = { status: 400 };
          }
          if (!(Symbol.asyncIterator in started)) return started;
          ggSvc.results = started;
          return new IdentifiedResults(started);
        }),
      );
    },
    onResultProcess({ result, setResultProcessor, serverContext }) {
      const { exchange, results } = (serverContext as unknown as YogaContext).ggSvc;
      const isOpen = results !== undefined && !Array.isArray(result) && Symbol.asyncIterator in result;
      if (!isOpen || !acceptsEventStream(exchange.header('accept'))) return;
      const made = (result as AsyncIterable<ExecutionResult, void>)[Symbol.asyncIterator]();
      const answer = eventAnswer(new PluginResults(results, made), exchange.signal(), eventOf);
      setResultProcessor(() => responseOf(answer), 'text/event-stream');
    },
  };
}

class IdentifiedResults extends PassedResults {
  override async next(): Promise<ResultStep> {
    const step = await super.next();
    const eventId = step.done === true ? undefined : eventsOfResults.get(step.value)?.place?.id;
    return eventId === undefined ? step : { done: false, value: { ...step.value, eventId } as IdentifiedResult };
  }
}

/** The results that plugins have made of those of a subscription, which has their places. */
class PluginResults extends PassedResults {
  constructor(
    source: Results,
    private readonly made: AsyncIterator<ExecutionResult, void>,
  ) {
    super(source);
  }

  override next(): Promise<ResultStep> {
    return this.made.next();
  }

  override async return(): Promise<ResultStep> {
    await this.made.return?.();
    return super.return();
  }
}

function eventOf({ eventId, stringify = JSON.stringify, ...result }: IdentifiedResult): Uint8Array {
  return Buffer.from(nextEvent(stringify(toWire(result)), eventId));
}

/**
 * Checks callers after the plugins of the user have found the operation, and perhaps its result: no execution would
 * check the caller of a result from a cache.
 */
function ourAdmission(execution: Calls): Plugin<YogaContext> {
  return {
    onParams({ params: { query = '', operationName }, context, setResult }) {
      const document = readValid(execution, query);
      if (document === undefined) {
        // The engine reports its errors, or a plugin knows the document by another text: then it is checked before it runs.
        setResult(undefined as unknown as ExecutionResult);
        return;
      }
      const refusal = admit(execution, context as unknown as YogaContext, { document, operationName });
      return proceed(refusal, (refused) => {
        if (refused !== undefined) setResult(refused);
      });
    },
  };
}

/** Checks the caller of an operation, once. */
function admit(
  execution: Calls,
  context: YogaContext,
  operation: Pick<CallArgs, 'document' | 'operationName'>,
): MaybePromise<Refused | undefined> {
  if (context.ggSvcAdmitted !== undefined) return undefined;
  const { exchange } = context.ggSvc;
  const { principal, tracked } = exchange;
  const wish = readEventStreamWish(exchange.header('accept'));
  const kind = getOperationAST(operation.document, operation.operationName)?.operation;
  const isStreamed = wish === 'all' || (wish === 'subscriptions' && kind === 'subscription');
  const protocol = isStreamed ? 'sse' : undefined;
  return proceed(execution.admit({ ...operation, principal, source: exchange, tracked, protocol }), (refused) => {
    if (refused === undefined) context.ggSvcAdmitted = { protocol };
    return refused;
  });
}

/**
 * An operation that did not run, usually because of its variables, is a client error. Yoga answers clients that accept
 * the GraphQL-over-HTTP media type with 400 if the extensions of the error say so.
 */
function withStatus(result: ExecutionResult): ExecutionResult {
  if (result.data !== undefined) return result;
  for (const { path, extensions } of result.errors ?? []) {
    if (path !== undefined || !(extensions.code === undefined || extensions.code === 'BAD_USER_INPUT')) continue;
    extensions.code = 'BAD_USER_INPUT';
    extensions.http = { status: 400, spec: true };
  }
  return result;
}
