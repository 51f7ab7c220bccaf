import { type ServerResponse, STATUS_CODES } from 'node:http';
import { isFinalStatus, isHeader } from '../../base/values/answer-parts.js';
import type { Problem } from '../call/problem.js';
import type { JsonText } from '../execute/compiled/json-text.js';

/** The answer to a request. Headers are a flat list of lower-case names and values, which Node writes as it is. */
export class Answer {
  /** @throws {RangeError} If the status is not final: after an informational one, clients wait for another. */
  constructor(
    readonly status: number,
    readonly headers: string[],
    public body: AnswerBody,
    readonly statusText = '',
  ) {
    if (!isFinalStatus(status)) throw new RangeError(`An answer cannot have the status ${String(status)}.`);
  }

  header(name: string): string | undefined {
    for (let at = 0; at < this.headers.length; at += 2) if (this.headers[at] === name) return this.headers[at + 1];
    return undefined;
  }

  set(name: string, value: string): void {
    for (let at = 0; at < this.headers.length; at += 2) {
      if (this.headers[at] !== name) continue;
      this.headers[at + 1] = value;
      return;
    }
    this.headers.push(name, value);
  }

  /** Adds the names of request headers, separated by `, `, to `Vary`, unless they are there. */
  vary(names: string): void {
    const given = this.header('vary');
    if (given === undefined) {
      this.set('vary', names);
      return;
    }
    const known = given.split(',').map((name) => name.trim().toLowerCase());
    const added = names.split(', ').filter((name) => !known.includes(name.toLowerCase()));
    if (added.length > 0 && !known.includes('*')) this.set('vary', [given, ...added].join(', '));
  }
}

export type AnswerBody = WholeBody | ReadableStream<Uint8Array> | EventFeed;

/** A body that is there; a long text may come in pieces. */
export type WholeBody = JsonText | Uint8Array | null;

/**
 * Events that are sent as they arrive. On Node they are written directly to the connection, because fetch streams cost
 * several times as much per event and subscriber.
 */
export interface EventFeed {
  writeTo(outgoing: ServerResponse): Promise<void>;
  toStream(): ReadableStream<Uint8Array>;
}

export function isStreamed(body: AnswerBody): body is ReadableStream<Uint8Array> | EventFeed {
  return body !== null && typeof body === 'object' && !(body instanceof Uint8Array) && !isInPieces(body);
}

export function isInPieces(body: AnswerBody): body is readonly Uint8Array[] {
  return Array.isArray(body);
}

/** Waits until a connection takes more bytes, or is closed. */
export function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      outgoing.off('drain', settle).off('close', settle);
      resolve();
    };
    outgoing.on('drain', settle).on('close', settle);
  });
}

/** Returns headers of a program; throws a `TypeError` if no answer can have one of them. */
export function checkedHeaders(headers: readonly string[]): readonly string[] {
  for (let at = 0; at < headers.length; at += 2) {
    if (!isHeader(headers[at], headers[at + 1]))
      throw new TypeError(`An answer cannot have the header ${JSON.stringify(headers.slice(at, at + 2))}.`);
  }
  return headers;
}

/** Makes an answer with a text, and tells browsers not to guess its type. */
export function textAnswer(
  status: number,
  text: JsonText,
  contentType: string,
  headers: readonly string[] = [],
): Answer {
  const length = lengthOf(text);
  const all = ['content-type', contentType, 'x-content-type-options', 'nosniff', 'content-length', length];
  return new Answer(status, headers.length === 0 ? all : [...all, ...checkedHeaders(headers)], text);
}

/** The header `content-length` of a body. Throws without a text: `JSON.stringify` returns undefined for a function. */
export function lengthOf(body: JsonText | Uint8Array): string {
  if (body === undefined) throw new TypeError('The result of the operation cannot be written as JSON.');
  if (isInPieces(body)) return String(body.reduce((sum, { length }) => sum + length, 0));
  return String(typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength);
}

export function jsonAnswer(status: number, json: string, headers: readonly string[] = []): Answer {
  return textAnswer(status, json, 'application/json; charset=utf-8', headers);
}

/** Makes an answer with problem details (RFC 9457). The `type` is `about:blank`: the status says the same. */
export function problemAnswer(problem: Problem): Answer {
  return textAnswer(problem.status, printProblem(problem), 'application/problem+json', problem.headers);
}

export function printProblem({ status, detail, members }: Problem): string {
  const standard = { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail };
  // Spread twice, so that the standard members come first and cannot be replaced by others.
  return JSON.stringify({ ...standard, ...members, ...standard });
}

/** Makes an answer from a fetch response; its body stays a stream. */
export function answerOf(response: Response): Answer {
  const headers: string[] = [];
  for (const [name, value] of response.headers) headers.push(name, value);
  return new Answer(response.status, headers, response.body, response.statusText);
}

/** A body for those who take none in pieces. */
export function inOnePiece(body: WholeBody): string | Uint8Array | null {
  return isInPieces(body) ? Buffer.concat(body) : body;
}

export function responseOf({ status, headers, body, statusText }: Answer): Response {
  const given = new Headers();
  for (let at = 0; at < headers.length; at += 2) given.append(headers[at] as string, headers[at + 1] as string);
  const content = isStreamed(body) ? ('toStream' in body ? body.toStream() : body) : inOnePiece(body);
  return new Response(content as BodyInit | null, { status, statusText, headers: given });
}
