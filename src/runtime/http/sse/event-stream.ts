import type { ExecutionResult, GraphQLError } from 'graphql';
import { type MaybePromise, proceed } from '../../../base/values/maybe-promise.js';
import type { CallArgs } from '../../call/call.js';
import type { Environment } from '../../call/environment.js';
import { operationProblem, ProblemError } from '../../call/problem.js';
import { eventsOfResults, printResult, type Results } from '../../execute/subscriptions/results.js';
import type { Answer } from '../answer.js';
import type { Exchange } from '../exchange.js';
import { readOperation } from '../operation-request.js';
import { readEventStreamWish } from './accept-events.js';
import { eventAnswer, sharedEvents } from './event-answer.js';

/**
 * Implements GraphQL over Server-Sent Events in distinct connections mode: each result is a `next` event, and a
 * `complete` event is the last. It runs before the engine, so that subscriptions are the same with all engines.
 */
export function createEventStreams({ execution, contextFor }: Environment) {
  return (exchange: Exchange): MaybePromise<Answer | undefined> => {
    const wish = readEventStreamWish(exchange.header('accept'));
    if (wish === 'none') return undefined;
    const isGet = exchange.method === 'GET';
    const operation = readOperation(exchange);
    if (operation === undefined) return undefined;
    // Without an operation, the browser wants GraphiQL.
    if (isGet && 'fault' in operation && !/(?:^|&)query=/.test(exchange.query)) return undefined;
    if ('fault' in operation) {
      if (wish === 'all') throw new ProblemError({ status: 400, detail: operation.fault });
      return undefined;
    }

    return proceed(execution(), async (engine) => {
      const prepared = engine.prepare(operation);
      if (wish === 'subscriptions' && !('args' in prepared && prepared.kind === 'subscription')) return undefined;
      const signal = exchange.signal();
      const answer = (results: Results): Answer => eventAnswer(results, signal, eventOf);
      if (!('args' in prepared)) return answer(once(prepared));
      if (isGet && prepared.kind === 'mutation') {
        const detail = 'A mutation must be sent by POST.';
        throw new ProblemError({ status: 405, detail, headers: ['allow', 'POST'] });
      }

      const { principal, tracked } = exchange;
      const caller = { principal, source: exchange, tracked, protocol: 'sse' } as const;
      const called = { ...prepared.args, ...caller, signal, client: exchange.client };
      const refused = await engine.admit(called);
      if (refused !== undefined) throw new ProblemError(operationProblem(refused.errors));

      let contextValue: unknown;
      try {
        contextValue = await contextFor(exchange);
      } catch (error) {
        return answer(once({ errors: [engine.mask.thrown(error, tracked)] }));
      }
      // An EventSource sends an empty id as no header.
      const after = exchange.header('last-event-id') || undefined;
      const args: CallArgs = { ...called, contextValue, admitted: 'all', after };
      const started = prepared.kind === 'subscription' ? await engine.subscribe(args) : await engine.execute(args);
      if (cannotResume(started)) throw new ProblemError(operationProblem(started.errors));
      return answer(Symbol.asyncIterator in started ? started : once(started));
    });
  };
}

/** Whether a subscription cannot begin after the event that its client names: there is no stream to open. */
export function cannotResume(
  started: ExecutionResult | AsyncGenerator,
): started is ExecutionResult & { readonly errors: readonly GraphQLError[] } {
  if (Symbol.asyncIterator in started) return false;
  const code = started.errors?.[0]?.extensions.code;
  return code === 'INVALID_EVENT_ID' || code === 'EVENTS_NOT_KEPT';
}

const eventOf = sharedEvents((result) => nextEvent(printResult(result), eventsOfResults.get(result)?.place?.id));

export function nextEvent(text: string, id: string | undefined): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: next\ndata: ${text}\n\n`;
}

async function* once(result: ExecutionResult): Results {
  yield result;
}
