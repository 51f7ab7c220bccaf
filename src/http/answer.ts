import type { ServerResponse } from 'node:http';

/**
 * The answer to a request. Headers are a flat list of lower-case names and values, the form that Node writes without
 * copying; a name may occur twice. The last steps of a request change the answer in place.
 */
export class Answer {
  constructor(
    readonly status: number,
    readonly headers: string[],
    public body: AnswerBody,
    readonly statusText = '',
  ) {}

  /** The value of a header; undefined if there is none. */
  header(name: string): string | undefined {
    for (let at = 0; at < this.headers.length; at += 2)
      if (this.headers[at] === name) return this.headers[at + 1];
    return undefined;
  }

  /** Sets a header, or replaces its value. */
  set(name: string, value: string): void {
    for (let at = 0; at < this.headers.length; at += 2) {
      if (this.headers[at] !== name) continue;
      this.headers[at + 1] = value;
      return;
    }
    this.headers.push(name, value);
  }
}

/** A whole body, a stream of bytes, a feed of events, or nothing. */
export type AnswerBody = string | Uint8Array | ReadableStream<Uint8Array> | EventFeed | null;

/**
 * Events that are sent as they come. On Node they are written to the connection directly: the streams of fetch cost
 * several times as much for each event and subscriber.
 */
export interface EventFeed {
  /** Writes the events to a connection until the events or the connection end. */
  writeTo(outgoing: ServerResponse): Promise<void>;
  /** The events as a stream, for hosts that speak fetch. */
  toStream(): ReadableStream<Uint8Array>;
}

/** Whether a body is sent piece by piece. */
export function isStreamed(body: AnswerBody): body is ReadableStream<Uint8Array> | EventFeed {
  return body !== null && typeof body === 'object' && !(body instanceof Uint8Array);
}

const nosniff = ['x-content-type-options', 'nosniff'] as const;

/** Answers with a text that browsers must not take for another type. */
export function textAnswer(
  status: number,
  text: string,
  contentType: string,
  headers: readonly string[] = [],
): Answer {
  return new Answer(status, ['content-type', contentType, ...nosniff, ...headers], text);
}

/** Answers with JSON text. */
export function jsonAnswer(status: number, json: string, headers: readonly string[] = []): Answer {
  return textAnswer(status, json, 'application/json; charset=utf-8', headers);
}

/** Makes an answer out of a fetch response, with its body as the stream that it is. */
export function answerOf(response: Response): Answer {
  const headers: string[] = [];
  for (const [name, value] of response.headers) headers.push(name, value);
  return new Answer(response.status, headers, response.body, response.statusText);
}

/** Makes a fetch response out of an answer. */
export function responseOf({ status, headers, body, statusText }: Answer): Response {
  const given = new Headers();
  for (let at = 0; at < headers.length; at += 2)
    given.append(headers[at] as string, headers[at + 1] as string);
  const content = isStreamed(body) && 'toStream' in body ? body.toStream() : body;
  return new Response(content as BodyInit | null, { status, statusText, headers: given });
}
