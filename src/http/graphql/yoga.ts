import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  validate,
} from 'graphql';
import { createYoga, type GraphQLParams, type Plugin } from 'graphql-yoga';
import type { CallArgs } from '../../call/call.js';
import type { Calls } from '../../call/calls.js';
import type { Refused } from '../../execute/execution.js';
import { eventIdOf } from '../../execute/subscriptions/event-id.js';
import { type MaybePromise, proceed } from '../../values/maybe-promise.js';
import { answerOf, lengthOf } from '../answer.js';
import type { Exchange } from '../exchange.js';
import { readEventStreamWish } from '../sse/accept-events.js';
import { pingOf, type Results } from '../sse/event-answer.js';
import { cannotResume } from '../sse/event-stream.js';
import { cuttable } from '../sse/stream-cut.js';
import type { GraphQLEnvironment, GraphQLHandler } from './engine.js';
import { completePage, loadGraphiQL, plainTitle } from './graphiql.js';
import { readValid } from './known-operation.js';

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The key under which Yoga's own context object carries our exchange. */
const ours = Symbol('gg-svc');

/** The key of the document that the client has sent. */
const asked = Symbol('gg-svc.document');

/** The key of an operation whose caller was checked. */
const admitted = Symbol('gg-svc.admitted');

interface YogaContext {
  readonly [asked]?: DocumentNode;
  [admitted]?: { readonly protocol: CallArgs['protocol'] };
  readonly [ours]: {
    readonly exchange: Exchange;
    /** What an event stream begins with, and the results behind it. */
    readonly opening: { id?: string; results?: Results };
  };
}

/**
 * Answers GraphQL over HTTP with Yoga, which implements the protocol: GET and POST, content types, statuses, streams.
 * Operations run as on every engine.
 *
 * @param plugins - The plugins of the user. They run after ours, so that they can replace or wrap its functions.
 */
export async function createBetaHandler(
  environment: GraphQLEnvironment,
  plugins: readonly Plugin[],
): Promise<GraphQLHandler> {
  const { endpoint, title, execution, contextFor, production, limits } = environment;
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
    ...(renderGraphiQL === undefined
      ? { graphiql: false }
      : { graphiql: { title: plainTitle(title) }, renderGraphiQL }),
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
      const opening: YogaContext[typeof ours]['opening'] = {};
      const answer = answerOf(await yoga.fetch(request, { [ours]: { exchange, opening } }));
      const type = answer.header('content-type') ?? '';
      // nginx and similar proxies would buffer events.
      if (type.startsWith('text/event-stream')) {
        answer.set('x-accel-buffering', 'no');
        const { id, results } = opening;
        if (results !== undefined && answer.body instanceof ReadableStream)
          answer.body = cuttable(
            answer.body,
            () => results.isCut === true,
            (text) => text.startsWith('event: complete'),
            // As other event streams begin.
            id === undefined ? undefined : pingOf(id),
          );
      }
      const isStream = /^(?:text\/event-stream|multipart\/)/.test(type);
      if (!isStream && answer.body instanceof ReadableStream) {
        answer.body = await readText(answer.body);
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
  contextFor: GraphQLEnvironment['contextFor'],
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
    const { [ours]: scope, [admitted]: checked } = given as YogaContext;
    const { exchange } = scope;
    const { outcome, principal, watched, client } = exchange;
    const caller = { principal, source: exchange, watched, protocol: checked?.protocol, client };
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
      return { errors: [execution.mask.thrown(error, watched)] };
    }
    return start(called);
  };
  return {
    onRequestParse({ serverContext, requestParser, setRequestParser }) {
      const { json } = (serverContext as unknown as YogaContext)[ours].exchange;
      // Without a parser for the media type, Yoga refuses the request.
      if (json !== undefined && requestParser !== undefined) setRequestParser(() => json as GraphQLParams);
    },
    onParse({ setParseFn }) {
      setParseFn((source) => reader.parse(source));
      // Plugins may add fields to the document afterwards, which do not count for the limits.
      return ({ result, extendContext }) => extendContext({ [asked]: result as DocumentNode });
    },
    onValidate({ setValidationFn, context }) {
      setValidationFn((schema, document, rules = []) => {
        const errors = reader.validate(context[asked] ?? document);
        return errors.length > 0 || rules.length === 0 ? errors : validate(schema, document, rules);
      });
    },
    onExecute({ args: called, setExecuteFn, setResultAndStopExecution }) {
      setExecuteFn(async (args) => {
        const { outcome } = (args.contextValue as YogaContext)[ours].exchange;
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
          const { exchange, opening } = (args.contextValue as YogaContext)[ours];
          const after = exchange.header('last-event-id') || undefined;
          const started: Results | ExecutionResult = await execution.subscribe({ ...called, after });
          if (cannotResume(started)) {
            for (const { extensions } of started.errors) extensions.http = { status: 400 };
          }
          if (!(Symbol.asyncIterator in started)) return started;
          if (started.openingId !== undefined) opening.id = started.openingId;
          opening.results = started;
          return withIds(started);
        }),
      );
    },
  };
}

/**
 * Gives each result the id of its event. Yoga calls the function `stringify` of a result for the data of an event, after
 * which another field of the event may follow. Plugins that copy a result keep the function.
 */
function withIds(results: Results): Results {
  const identified = (result: ExecutionResult): ExecutionResult => {
    const id = eventIdOf(result);
    if (id === undefined) return result;
    const stringify = (final: ExecutionResult): string => `${JSON.stringify(final)}\nid: ${id}`;
    return Object.assign({ ...result }, { stringify });
  };
  return {
    async next() {
      const step = await results.next();
      return step.done === true ? step : { done: false, value: identified(step.value) };
    },
    return: () => results.return(),
    throw: (error) => results.throw(error),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
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
  if (context[admitted] !== undefined) return undefined;
  const { exchange } = context[ours];
  const { principal, watched } = exchange;
  const wish = readEventStreamWish(exchange.header('accept'));
  const kind = getOperationAST(operation.document, operation.operationName)?.operation;
  const isStreamed = wish === 'all' || (wish === 'subscriptions' && kind === 'subscription');
  const protocol = isStreamed ? 'sse' : undefined;
  return proceed(
    execution.admit({ ...operation, principal, source: exchange, watched, protocol }),
    (refused) => {
      if (refused === undefined) context[admitted] = { protocol };
      return refused;
    },
  );
}

async function readText(body: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(body).text();
}

/**
 * An operation that did not run, usually because of its variables, is a client error. Yoga answers clients that accept
 * the GraphQL-over-HTTP media type with 400 if the extensions of the error say so.
 */
function withStatus(result: ExecutionResult): ExecutionResult {
  if (result.data !== undefined) return result;
  for (const { path, extensions } of result.errors ?? []) {
    if (path !== undefined || extensions.code !== undefined) continue;
    extensions.code = 'BAD_USER_INPUT';
    extensions.http = { status: 400, spec: true };
  }
  return result;
}
