import { type ExecutionResult, GraphQLError, locatedError } from 'graphql';
import { isPromiseLike, type MaybePromise } from '../../base/values/maybe-promise.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import { EventNotPublishedError } from '../brokers/broker.js';
import { PrintedResult } from '../execute/compiled/printed-result.js';
import { noteResolverError } from '../execute/errors/error-marks.js';
import type { Execution } from '../execute/execution.js';
import type { MadeEvent } from '../execute/resolvers/operation-root.js';
import type { FirstRun, KeptEvent } from '../repeats/repeats.js';
import type { Call, CallResult, CallSite } from './call.js';
import { writeOutcome } from './kept-outcome.js';

/** The root field that an event belongs to. */
type Origin = Pick<MadeEvent, 'key' | 'nodes' | 'isRequired'>;

interface OutgoingEvent extends Pick<MadeEvent, 'subscription' | 'payload'>, Origin {
  /** The same whenever the event is sent again; undefined if it is sent once. */
  readonly id?: string | undefined;
}

/**
 * Publishes the events that a call has made. The mutation answers once sinks and brokers have taken its events, and fails
 * if one refuses an event: only its client can handle that. With a key, the events are kept first, so that a repeat sends
 * those that are missing.
 */
export function publishEvents(outcome: CallResult, call: Call, site: CallSite): MaybePromise<CallResult> {
  const events = call.outbox?.take();
  if (events === undefined || events.length === 0) return outcome;
  const { firstRun } = call;
  if (firstRun === undefined) return publishAll(outcome, events, call, site);
  const outgoing = events.map((event): OutgoingEvent => ({ ...event, id: event.id ?? crypto.randomUUID() }));
  const kept = firstRun.changed(writeOutcome(outcome, undefined), outgoing.flatMap(toKept));
  return kept.then(() => publishLeft(outcome, outgoing, firstRun, call, site));
}

/** Publishes the events of a run that are left, and keeps which ones a repeat has to send. */
export async function publishLeft(
  outcome: CallResult,
  events: readonly OutgoingEvent[],
  run: FirstRun,
  call: Call,
  site: CallSite,
): Promise<CallResult> {
  const published: string[] = [];
  const settled = await publishAll(outcome, events, call, site, published);
  if (published.length < events.length) await run.published(published);
  return settled;
}

/** A payload without a JSON form reaches no broker either. */
function toKept({ id = '', subscription, payload }: OutgoingEvent): KeptEvent[] {
  try {
    return [{ id, subscription, payload: JSON.parse(JSON.stringify(payload)) as JsonValue }];
  } catch {
    return [];
  }
}

/** Publishes all events in their order, and then waits for all, so that nothing is being written after the answer. */
function publishAll(
  outcome: CallResult,
  events: readonly OutgoingEvent[],
  call: Call,
  site: CallSite,
  published: string[] = [],
): MaybePromise<CallResult> {
  const { execution, monitor } = site;
  const taken: Promise<void>[] = [];
  let settled = outcome;
  const accept = (event: OutgoingEvent, receipt: string | undefined): void => {
    if (event.id !== undefined) {
      published.push(event.id);
      call.outbox?.onPublished?.(event.id);
    }
    if (receipt !== undefined) call.receipt = receipt;
  };
  for (const event of events) {
    const { subscription, payload, id } = event;
    try {
      const receipt = execution.publish(subscription, payload, undefined, id);
      if (!isPromiseLike(receipt)) accept(event, receipt);
      else {
        const fail = (reason: unknown): void => {
          call.hasUnpublished = true;
          settled = withFailure(settled, event, errorOf(reason, event, call, execution));
        };
        taken.push(Promise.resolve(receipt).then((stored) => accept(event, stored), fail));
      }
    } catch (error) {
      // The mutation has happened. An event that cannot be read cannot be published later either.
      monitor.fault(error, undefined, call.args.tracked);
      accept(event, undefined);
    }
  }
  return taken.length === 0 ? settled : Promise.all(taken).then(() => settled);
}

function errorOf(reason: unknown, { key, nodes }: Origin, { args }: Call, { mask }: Execution): GraphQLError {
  const place = { nodes: nodes ?? null, path: [key] };
  if (reason instanceof EventNotPublishedError)
    return new GraphQLError(reason.message, { ...place, extensions: { code: reason.code } });
  // As an error of the resolver, which has made the event.
  noteResolverError(reason);
  const located = locatedError(reason, nodes, [key]);
  return mask.result({ errors: [located] }, args).errors?.[0] ?? located;
}

/** The outcome of an operation one of whose root fields has failed after all. */
function withFailure(outcome: CallResult, { key, isRequired }: Origin, error: GraphQLError): ExecutionResult {
  const result: ExecutionResult = outcome instanceof PrintedResult ? { data: { [key]: null } } : outcome;
  const errors = [...(result.errors ?? []), error];
  if (isRequired || result.data === undefined || result.data === null) return { ...result, data: null, errors };
  return { ...result, data: { ...result.data, [key]: null }, errors };
}
