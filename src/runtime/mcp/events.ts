import type { ExecutionResult } from 'graphql';
import { defined } from '../../base/values/defined.js';
import { isRequired } from '../../compiler/api/is-required.js';
import { restRoute } from '../../compiler/api/rest-routes.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import type { GqlOperation } from '../../compiler/schema/gql-schema.js';
import { type Respelling, toWire } from '../../compiler/schema/wire-view.js';
import type { ChainCaller } from '../call/chains/run-chain.js';
import { contextOf, type Environment } from '../call/environment.js';
import { compileDocuments, declaredProblems } from '../call/named/operation.js';
import { createGivenReader } from '../call/named/read-arguments.js';
import { type DeclaredProblem, operationProblem, ProblemError } from '../call/problem.js';
import { eventsOfResults } from '../execute/subscriptions/results.js';
import { ownDescription } from './toolset/compact-schemas.js';

/** An event, as REST sends it. */
export interface ReadEvent {
  /** Its id in the event log; absent without a log. */
  readonly id?: string;
  readonly data?: unknown;
  readonly error?: unknown;
}

/** The name of the id of an event in `_meta`. */
export const eventIdName = 'gg-svc/eventId';

/** The parameters of the notification of an event, with its id if a log keeps it. */
export function noticeOf(uri: string, { id }: ReadEvent): { uri: string; _meta?: Record<string, unknown> } {
  return id === undefined ? { uri } : { uri, _meta: { [eventIdName]: id } };
}

const prefix = 'gg://events/';

/** How far reading goes back in the log of all subscriptions. */
const mostPositions = 1_000;

/** The most events that are read at once. */
const mostEvents = 50;

export type EventResources = ReturnType<typeof createEventResources>;

/** Makes the subscriptions of a server resources, whose contents are their last events. */
export function createEventResources(environment: Environment) {
  const { subscriptions } = environment.schema;
  const sources = new Map(subscriptions.map((one) => [one.name, createOpener(environment, one)]));
  const sourceOf = (uri: string) => {
    const [name = ''] = uri.startsWith(prefix) ? uri.slice(prefix.length).split('?', 1) : [];
    return sources.get(name);
  };
  const requireSource = (uri: string) => {
    const source = sourceOf(uri);
    if (source === undefined) throw new ProblemError({ status: 404, detail: `There is no resource ${uri}.` });
    return source;
  };
  return {
    all: subscriptions.map(resourceOf),
    has: (uri: string): boolean => sourceOf(uri) !== undefined,
    /**
     * Calls back for each event of a resource until the signal is aborted, or the subscription ends. Resolves once it is
     * open; `ended` tells whether the subscription was cut, because the server shuts down.
     *
     * @throws {ProblemError} If the arguments in the URI are wrong, or the caller has no access.
     */
    async follow(uri: string, caller: ChainCaller, signal: AbortSignal, onEvent: (event: ReadEvent) => void) {
      const { takeAll } = await requireSource(uri)(uri, caller, signal);
      // An error ends the subscription; its client sees the end of the stream.
      const ended = takeAll(onEvent).catch((error: unknown) => {
        environment.monitor.fault(error, undefined, caller.tracked);
        return false;
      });
      return { ended };
    },
    /** The events after the id that the URI gives as `after`, else the last ones of the log. */
    async read(uri: string, caller: ChainCaller): Promise<readonly ReadEvent[]> {
      const open = requireSource(uri);
      const after = await (await environment.execution()).recentEventId(mostPositions);
      const ending = new AbortController();
      const read: ReadEvent[] = [];
      const { takeAll, caughtUp, isAfterGiven } = await open(uri, caller, ending.signal, after);
      const taken = takeAll((event) => {
        read.push(event);
        if (isAfterGiven && read.length >= mostEvents) ending.abort();
        // Without an id, the last events count.
        else if (read.length > mostEvents) read.shift();
      });
      // Without a log there are no earlier events.
      await Promise.race([taken, caughtUp]);
      ending.abort();
      await taken;
      return read;
    },
  };
}

function createOpener(environment: Environment, operation: GqlOperation) {
  const { schema } = environment;
  const read = createGivenReader(schema, restRoute(operation));
  const declared = declaredProblems(schema, operation);
  const spell = toWire(schema, operation.type) ?? ((value) => value);
  return async (uri: string, caller: ChainCaller, signal: AbortSignal, recent?: string) => {
    const execution = await environment.execution();
    const { path } = restRoute(operation);
    const [, query = ''] = uri.split('?', 2);
    const coercion = { schema, tellsNames: true, executable: execution.schema };
    const { args, after } = read(coercion, { path, query, json: undefined });
    const results = await execution.subscribe({
      document: compileDocuments(schema, operation, execution, true)(undefined),
      variableValues: args,
      contextValue: await contextOf(environment, execution, caller),
      principal: caller.principal,
      source: caller,
      tracked: caller.tracked,
      protocol: 'mcp',
      signal,
      after: after ?? recent,
    });
    if (!(Symbol.asyncIterator in results)) throw new ProblemError(operationProblem(results.errors ?? [], declared));
    signal.addEventListener('abort', () => void results.return().catch(() => undefined), { once: true });
    return {
      /** Calls back for each event. Tells at their end whether they were cut. */
      async takeAll(onEvent: (event: ReadEvent) => void): Promise<boolean> {
        for await (const result of results) onEvent(readEvent(result, operation.name, declared, spell));
        return results.isCut === true;
      },
      caughtUp: results.caughtUp,
      /** Whether the URI gives the id of the event after which they begin. */
      isAfterGiven: after !== undefined,
    };
  };
}

function readEvent(
  result: ExecutionResult,
  name: string,
  declared: ReadonlyMap<unknown, DeclaredProblem>,
  spell: Respelling,
): ReadEvent {
  const { data, errors } = result;
  const identified = defined({ id: eventsOfResults.get(result)?.place?.id });
  if (errors === undefined) return { ...identified, data: spell((data?.[name] ?? null) as JsonValue) };
  const { status, detail, members } = operationProblem(errors, declared);
  return { ...identified, error: { status, detail, ...members } };
}

/** A subscription as a resource (MCP 2026-07-28, “Resources”). */
function resourceOf(operation: GqlOperation) {
  const { name, arguments: args } = operation;
  const uri = `${prefix}${name}`;
  const names = args.map((argument) => argument.name);
  return {
    name,
    uri,
    /** The URIs with the arguments of the subscription, which filter the events; undefined without arguments. */
    uriTemplate: args.length === 0 ? undefined : `${uri}{?${names.join(',')}}`,
    needsArguments: args.some(isRequired),
    description: ownDescription(operation),
  };
}
