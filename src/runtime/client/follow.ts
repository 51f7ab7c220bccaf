import { eventBlocks } from '../../base/read/event-blocks.js';
import { ApiError, type Problem } from './api-error.js';
import { type AnyArguments, backoff, type ClientOptions, laterStatuses, pause, send } from './send.js';

/** The options of a stream beside its filters. */
export interface FollowOptions {
  /** Ends the stream. */
  readonly signal?: AbortSignal;
  /**
   * The id of the event to continue after, or the receipt of a mutation. Default: the stream begins with the next
   * event.
   */
  readonly after?: string;
  /**
   * Gets the problems of events, such as `EVENTS_LOST`; the stream continues. Without it, the first problem ends the
   * stream.
   */
  readonly onProblem?: (error: ApiError) => void;
}

/** An event of a stream, with its id if the server keeps events. */
export interface Followed<Event> {
  readonly id: string | undefined;
  readonly data: Event;
}

/** How long a stream may be silent, in milliseconds: the server sends a comment every 12 seconds. */
const longestSilence = 40_000;

/** Follows a stream, and continues it after a lost connection. */
export async function* follow(
  origin: string,
  options: ClientOptions,
  path: string,
  given: AnyArguments & FollowOptions = {},
): AsyncGenerator<Followed<unknown>, void, undefined> {
  const { signal, onProblem } = given;
  let { after } = given;
  let isFirst = true;
  for (let attempt = 0; ; attempt++) {
    const ending = new AbortController();
    const signals = [ending.signal, ...(signal ? [signal] : [])];
    try {
      const headers = { ...given.headers, accept: 'text/event-stream', 'last-event-id': after };
      const request = { ...given, headers, signal: AbortSignal.any(signals) };
      const { body } = await send(origin, isFirst ? options : { ...options, repeats: 0 }, 'GET', path, request);
      isFirst = false;
      for await (const { id, event, data } of eventBlocks(body, { wait: (read) => whileHeard(read, ending) })) {
        attempt = 0;
        after = id ?? after;
        if (event === 'complete') return;
        if (event === 'error') {
          const problem = JSON.parse(data ?? '{}') as Problem;
          if (problem.code === 'SUBSCRIBER_TOO_SLOW' && after !== undefined) break;
          const error = new ApiError(problem.status ?? 500, problem, new Headers());
          if (onProblem === undefined) throw error;
          onProblem(error);
        } else if (data !== undefined) yield { id, data: JSON.parse(data) };
      }
      if (after === undefined) throw new Error('The stream was cut, and its events have no ids to continue after.');
    } catch (error) {
      if (signal?.aborted) return;
      const isPassing = error instanceof ApiError ? laterStatuses.has(error.status) : after !== undefined;
      if (isFirst || !isPassing) throw error;
    } finally {
      ending.abort();
    }
    await pause(backoff(attempt), signal);
    if (signal?.aborted) return;
  }
}

/** Waits for a chunk, and ends a stream that is silent for too long: its connection may be dead. */
async function whileHeard<Chunk>(read: Promise<Chunk>, ending: AbortController): Promise<Chunk> {
  const timer = setTimeout(() => ending.abort(), longestSilence);
  return read.finally(() => clearTimeout(timer));
}
