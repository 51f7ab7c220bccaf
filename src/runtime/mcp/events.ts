import { isRequired } from '../../compiler/api/is-required.js';
import { restRoute } from '../../compiler/api/rest-routes.js';
import type { GqlOperation } from '../../compiler/schema/gql-schema.js';
import { contextOf, type Environment } from '../call/environment.js';
import { compileDocuments, statusesOf } from '../call/named/operation.js';
import { createGivenReader } from '../call/named/read-arguments.js';
import { operationProblem } from '../call/operation-problem.js';
import { ProblemError } from '../call/problem.js';
import { eventIdOf, type Results } from '../execute/subscriptions/results.js';
import type { ToolCaller } from './call-tool.js';
import { ownDescription } from './toolset/compact-schemas.js';

/** A subscription as a resource (MCP 2026-07-28, “Resources”). */
export interface EventResource {
  readonly name: string;
  readonly uri: string;
  /** The URIs with the arguments of the subscription, which filter the events; undefined without arguments. */
  readonly uriTemplate: string | undefined;
  readonly needsArguments: boolean;
  readonly description: string | undefined;
}

/** An event, as REST sends it. */
export interface ReadEvent {
  /** Its id in the event log; absent without a log. */
  readonly id?: string;
  readonly data?: unknown;
  readonly error?: unknown;
}

/** The subscriptions of a server as resources, whose contents are their last events. */
export interface EventResources {
  readonly all: readonly EventResource[];
  operationOf(uri: string): GqlOperation | undefined;
  /**
   * Calls back for each event of a resource until the signal is aborted, or the subscription ends. Resolves once it is
   * open; `ended` tells whether the subscription was cut, because the server shuts down.
   *
   * @throws {ProblemError} If the arguments in the URI are wrong, or the caller has no access.
   */
  follow(
    uri: string,
    caller: ToolCaller,
    signal: AbortSignal,
    onEvent: (event: ReadEvent) => void,
  ): Promise<{ readonly ended: Promise<boolean> }>;
  /** The events after the id that the URI gives as `after`, else the last ones of the log. */
  read(uri: string, caller: ToolCaller): Promise<readonly ReadEvent[]>;
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

export function createEventResources(environment: Environment): EventResources {
  const { subscriptions } = environment.schema;
  const sources = new Map(
    subscriptions.map((one) => [one.name, { operation: one, open: createOpener(environment, one) }]),
  );
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
    operationOf: (uri) => sourceOf(uri)?.operation,
    async follow(uri, caller, signal, onEvent) {
      const { events } = await requireSource(uri).open(uri, caller, signal);
      // An error ends the subscription; its client sees the end of the stream.
      const ended = takeAll(events, onEvent).catch((error: unknown) => {
        environment.monitor.fault(error, undefined, caller.tracked);
        return false;
      });
      return { ended };
    },
    async read(uri, caller) {
      const { open } = requireSource(uri);
      const after = await (await environment.execution()).recentEventId(mostPositions);
      const ending = new AbortController();
      const read: ReadEvent[] = [];
      const { events, caughtUp, isAfterGiven } = await open(uri, caller, ending.signal, after);
      const taken = takeAll(events, (event) => {
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

type Opener = (
  uri: string,
  caller: ToolCaller,
  signal: AbortSignal,
  after?: string | undefined,
) => Promise<Opened>;

interface Opened extends Pick<Results, 'caughtUp'> {
  readonly events: Events;
  /** Whether the URI gives the id of the event after which they begin. */
  readonly isAfterGiven: boolean;
}

/** Events; what they return at their end tells whether they were cut. */
type Events = AsyncGenerator<ReadEvent, boolean, void>;

function createOpener(environment: Environment, operation: GqlOperation): Opener {
  const { schema } = environment;
  const read = createGivenReader(schema, restRoute(operation));
  const declared = statusesOf(schema, operation);
  return async (uri, caller, signal, recent) => {
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
    if (!(Symbol.asyncIterator in results))
      throw new ProblemError(operationProblem(results.errors ?? [], declared));
    signal.addEventListener('abort', () => void results.return().catch(() => undefined), { once: true });
    return {
      events: readEvents(results, operation.name, declared),
      caughtUp: results.caughtUp,
      isAfterGiven: after !== undefined,
    };
  };
}

async function* readEvents(results: Results, name: string, declared: ReadonlyMap<unknown, number>): Events {
  for await (const result of results) {
    const id = eventIdOf(result);
    const { data, errors } = result;
    const identified = id === undefined ? {} : { id };
    if (errors === undefined) yield { ...identified, data: data?.[name] ?? null };
    else {
      const { status, detail, members } = operationProblem(errors, declared);
      yield { ...identified, error: { status, detail, ...members } };
    }
  }
  return results.isCut === true;
}

async function takeAll(events: Events, onEvent: (event: ReadEvent) => void): Promise<boolean> {
  for (;;) {
    const { done, value } = await events.next();
    if (done === true) return value;
    onEvent(value);
  }
}

function resourceOf(operation: GqlOperation): EventResource {
  const { name, arguments: args } = operation;
  const uri = `${prefix}${name}`;
  const names = args.map((argument) => argument.name);
  return {
    name,
    uri,
    uriTemplate: args.length === 0 ? undefined : `${uri}{?${names.join(',')}}`,
    needsArguments: args.some(isRequired),
    description: ownDescription(operation),
  };
}
