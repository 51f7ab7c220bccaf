import { cloudEventOf } from '../../../compiler/api/cloud-event.js';
import type { RestRoute } from '../../../compiler/api/rest-routes.js';
import type { JsonValue } from '../../../compiler/graph/json-value.js';
import type { GqlOperation } from '../../../compiler/schema/gql-schema.js';
import { toWire } from '../../../compiler/schema/wire-view.js';
import type { EventPlace } from '../../brokers/event-log.js';
import type { Calls } from '../../call/calls.js';
import { contextOf, type Environment } from '../../call/environment.js';
import { compileDocuments, declaredProblems } from '../../call/named/operation.js';
import { createGivenReader } from '../../call/named/read-arguments.js';
import { type DeclaredProblem, operationProblem, ProblemError } from '../../call/problem.js';
import { eventsOfResults } from '../../execute/subscriptions/results.js';
import { type Answer, printProblem } from '../answer.js';
import type { Exchange, Route } from '../exchange.js';
import { acceptsEventStream } from '../sse/accept-events.js';
import { type EventOf, eventAnswer, sharedEvents } from '../sse/event-answer.js';

/**
 * Makes the route of a subscription, which answers with Server-Sent Events. The data of an event is the value of the
 * field, as REST answers it; an event with errors is an `error` event, whose data is a problem document.
 */
export function createStreamRoute(environment: Environment, inventoried: RestRoute): Route {
  const { operation } = inventoried;
  const { schema, limits } = environment;
  const tellsNames = limits.introspection;
  const read = createGivenReader(schema, inventoried);
  const declared = declaredProblems(schema, operation);
  const eventOf = createEventWriter(environment, operation, declared);
  let compiled: ReturnType<typeof compileDocuments> | undefined;
  const run = async (exchange: Exchange): Promise<Answer> => {
    if (!acceptsEventStream(exchange.header('accept'))) {
      const detail = 'The answer is an event stream: the header Accept must allow text/event-stream.';
      throw new ProblemError({ status: 406, detail, headers: ['vary', 'Accept'] });
    }
    const execution: Calls = await environment.execution();
    compiled ??= compileDocuments(schema, operation, execution, tellsNames);
    const context = { schema, tellsNames, executable: execution.schema, documentFor: compiled };
    const { args, fields, after } = read(context, exchange);
    const document = compiled(fields);
    const contextValue = await contextOf(environment, execution, exchange);
    const { principal, tracked } = exchange;
    const signal = exchange.signal();
    const results = await execution.subscribe({
      document,
      variableValues: args,
      contextValue,
      principal,
      source: exchange,
      tracked,
      protocol: 'sse',
      signal,
      // A browser repeats the URL when it reconnects, so the header is the newer position.
      after: exchange.header('last-event-id') || after,
    });
    if (!(Symbol.asyncIterator in results)) throw new ProblemError(operationProblem(results.errors ?? [], declared));
    return eventAnswer(results, signal, eventOf);
  };
  return { access: operation, operation, run };
}

function createEventWriter(
  { eventFormat, schema }: Environment,
  operation: GqlOperation,
  declared: ReadonlyMap<unknown, DeclaredProblem>,
): EventOf {
  const spell = toWire(schema, operation.type) ?? ((value) => value);
  const print = (data: JsonValue, place: EventPlace | undefined, traceparent: string | undefined): string => {
    if (eventFormat === 'json') return JSON.stringify(data);
    const { storedAt } = place ?? {};
    return JSON.stringify(
      cloudEventOf(operation, {
        // An event that no log keeps is known by this id alone: subscribers that share the result share it.
        id: place?.event ?? place?.id ?? crypto.randomUUID(),
        ...(storedAt !== undefined && { time: new Date(storedAt).toISOString() }),
        ...(traceparent !== undefined && { traceparent }),
        data,
      }),
    );
  };
  return sharedEvents((result) => {
    const { data, errors } = result;
    const { place, traceparent } = eventsOfResults.get(result) ?? {};
    const text =
      errors === undefined
        ? `data: ${print(spell((data?.[operation.name] ?? null) as JsonValue), place, traceparent)}\n\n`
        : `event: error\ndata: ${printProblem(operationProblem(errors, declared))}\n\n`;
    return place === undefined ? text : `id: ${place.id}\n${text}`;
  });
}
