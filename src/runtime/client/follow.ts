import { ApiError, type Problem } from './api-error.js';
import { type AnyArguments, backoff, type ClientOptions, laterStatuses, pause, send } from './send.js';

/** What a stream has beside its filters. */
export interface FollowOptions {
  /** Ends the stream. */
  readonly signal?: AbortSignal;
  /** The id of the event to continue after, or the receipt of a mutation. Default: the stream begins with the next event. */
  readonly after?: string;
  /** Gets the problems of events, such as `EVENTS_LOST`; the stream continues. Without it, the first problem ends the stream. */
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
      const { body } = await send(
        origin,
        isFirst ? options : { ...options, repeats: 0 },
        'GET',
        path,
        request,
      );
      isFirst = false;
      for await (const { id, event, data } of blocksOf(body, ending)) {
        attempt = 0;
        after = id ?? after;
        if (event === 'complete') return;
        if (event === 'error') {
          const problem = JSON.parse(data) as Problem;
          if (problem.code === 'SUBSCRIBER_TOO_SLOW' && after !== undefined) break;
          const error = new ApiError(problem.status ?? 500, problem, new Headers());
          if (onProblem === undefined) throw error;
          onProblem(error);
        } else if (data !== '') yield { id, data: JSON.parse(data) };
      }
      if (after === undefined)
        throw new Error('The stream was cut, and its events have no ids to continue after.');
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

interface Block {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/**
 * The blocks of an event stream. A stream that is silent for too long is ended: its connection may be dead.
 * Source: WHATWG HTML, section 9.2.6 “Interpreting an event stream”.
 */
async function* blocksOf(
  body: ReadableStream<Uint8Array> | null,
  ending: AbortController,
): AsyncGenerator<Block, void, undefined> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let [text, id, event, data] = ['', undefined as string | undefined, 'message', [] as string[]];
  for (;;) {
    const timer = setTimeout(() => ending.abort(), longestSilence);
    const chunk = await reader?.read().finally(() => clearTimeout(timer));
    if (chunk?.value === undefined) return;
    text += decoder.decode(chunk.value, { stream: true });
    // The line feed after a carriage return may come with the next chunk.
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    text = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (id !== undefined || data.length > 0 || event !== 'message')
          yield { id, event, data: data.join('\n') };
        [id, event, data] = [undefined, 'message', []];
        continue;
      }
      const [, name, value = ''] = /^([^:]*)(?::\x20?(.*))?$/s.exec(line) ?? [];
      if (name === 'id') id = value;
      else if (name === 'event') event = value;
      else if (name === 'data') data.push(value);
    }
  }
}
