import type { ExecutionArgs, ExecutionResult } from 'graphql';
import { createYoga, type GraphQLParams, type Plugin } from 'graphql-yoga';
import type { Execution, OperationArgs } from '../../execute/execution.js';
import type { GraphQLEnvironment, GraphQLHandler } from './engine.js';
import { loadGraphiQL, plainTitle } from './graphiql.js';
import type { Outcome } from './known-operation.js';
import { type GuardedRequest, withBody } from './request-guard.js';

/** Where the context of our resolvers travels inside that of Yoga, which holds things of its own. */
const ours = Symbol('context');

/**
 * Answers GraphQL over HTTP with Yoga, which brings the protocol: GET and POST, content types, statuses,
 * streams. Operations themselves run as everywhere else, so that no engine has rules of its own.
 */
export async function createBetaHandler(environment: GraphQLEnvironment): Promise<GraphQLHandler> {
  const { endpoint, title, execution, contextFor, production, limits } = environment;
  const renderGraphiQL = production ? undefined : await loadGraphiQL();
  const arrivals = new WeakMap<Request, Arrival>();
  const yoga = createYoga<object, { [ours]: unknown }>({
    schema: execution.schema,
    graphqlEndpoint: endpoint,
    context: async ({ request }) => {
      const { incoming = request, outcome } = arrivals.get(request) ?? {};
      if (outcome === undefined) return { [ours]: await contextFor(incoming) };
      if (outcome.kind === 'refused') throw outcome.error;
      return { [ours]: undefined };
    },
    plugins: [ourExecution(execution, arrivals)],
    maskedErrors: { maskError: (error) => execution.mask.thrown(error) },
    ...(renderGraphiQL === undefined
      ? { graphiql: false }
      : { graphiql: { title: plainTitle(title) }, renderGraphiQL }),
    // Requests reach Yoga at its endpoint alone, and a page that loads its parts from elsewhere is none of ours.
    landingPage: false,
    cors: false,
    // What is masked is reported already, by the mask.
    logging: false,
    multipart: false,
    // The size of bodies and lists of operations are limited before Yoga sees them.
    maxRequestBodySize: false,
    // Known documents are kept by the reader of the execution, few bytes of them; Yoga keeps texts of any length.
    parserAndValidationCache: false,
    batching: limits.batching === 0 ? false : { limit: limits.batching },
    fetchAPI: { fetch, Request, Response, Headers, ReadableStream, TransformStream, URL, URLSearchParams },
  });
  return {
    async handle(guarded, incoming, outcome) {
      const { body } = guarded;
      // JSON that was read is not written and read again: Yoga gets it as it is.
      const request = body === undefined ? guarded.toRequest() : withBody(incoming, '');
      arrivals.set(request, { incoming, body, outcome });
      const response = await yoga.fetch(request);
      if (response.headers.get('content-type') === 'text/html') {
        response.headers.set('content-type', 'text/html; charset=utf-8');
      }
      return response;
    },
    plain: { end: '', scope: (context) => context, statesLength: false, readsDocuments: true },
  };
}

/** What is known of a request before Yoga sees it. */
interface Arrival {
  readonly incoming: Request;
  /** The JSON of its body. */
  readonly body: GuardedRequest['body'];
  /** What has happened already, where Yoga has only to tell of it. */
  readonly outcome: Outcome | undefined;
}

function ourExecution(
  execution: Execution,
  arrivals: WeakMap<Request, Arrival>,
): Plugin<{ [ours]: unknown }> {
  return {
    onRequestParse({ request, requestParser, setRequestParser }) {
      const body = arrivals.get(request)?.body;
      // Where Yoga has no parser for the media type it has something to say about that.
      if (body !== undefined && requestParser !== undefined) setRequestParser(() => body as GraphQLParams);
    },
    onParse({ setParseFn }) {
      setParseFn((source) => execution.reader.parse(source));
    },
    onValidate({ setValidationFn }) {
      setValidationFn((_schema, document) => execution.reader.validate(document));
    },
    onExecute({ setExecuteFn }) {
      setExecuteFn(async (args) => {
        const { request } = args.contextValue as { readonly request: Request };
        const outcome = arrivals.get(request)?.outcome;
        return withStatus(
          outcome?.kind === 'result' ? outcome.result : await execution.execute(asOurs(args)),
        );
      });
    },
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn((args) => execution.subscribe(asOurs(args)));
    },
  };
}

/** An operation as Yoga gives it, with our context, and the signal of the request that it came with. */
function asOurs({ contextValue, ...args }: ExecutionArgs): OperationArgs {
  const { [ours]: own, request } = contextValue as { readonly [ours]: unknown; readonly request?: Request };
  return { ...args, contextValue: own, signal: request?.signal };
}

/**
 * An operation that did not get as far as being run, mostly because of its variables, is a mistake of the
 * client. To those that know the media type of GraphQL over HTTP Yoga says so by the status, if it is told.
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
