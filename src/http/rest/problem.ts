import { STATUS_CODES } from 'node:http';

/** What is wrong with a request, before it is an answer. */
export interface Problem {
  readonly status: number;
  /** One sentence about this request. */
  readonly detail: string;
  /** Members beyond those of RFC 9457: `parameter`, `code`, `errors`. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers with problem details (RFC 9457). The status says all that a type could, so there is no type. */
export function problemResponse({ status, detail, members, headers }: Problem): Response {
  const standard = { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail };
  // Twice, so that the standard members come first and none of the others can stand in their place.
  const body = { ...standard, ...members, ...standard };
  return jsonResponse(status, JSON.stringify(body), {
    'content-type': 'application/problem+json',
    ...headers,
  });
}

/** Answers with JSON text; it is `application/json` unless the headers say otherwise. */
export function jsonResponse(
  status: number,
  json: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return textResponse(status, json, { 'content-type': 'application/json; charset=utf-8', ...headers });
}

/** Answers with a text of known length, which no browser may take for anything but its type. */
export function textResponse(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>>,
): Response {
  return new Response(text, {
    status,
    headers: {
      'content-length': String(Buffer.byteLength(text)),
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  });
}

/** The answer to HEAD: that to GET without its body. */
export function withoutBody(response: Response): Response {
  return new Response(null, response);
}

/** Thrown where a request turns out to be wrong, and answered with its problem. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';

  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

/** The problem of an argument; `parameter` names it, and inside a value the place: `input.tags[1]`. */
export function badParameter(parameter: string, detail: string): ProblemError {
  return new ProblemError({ status: 400, detail, members: { parameter } });
}
