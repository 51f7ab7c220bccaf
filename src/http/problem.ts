import { STATUS_CODES } from 'node:http';
import { type Answer, textAnswer } from './answer.js';

/** What is wrong with a request, before it is an answer. */
export interface Problem {
  readonly status: number;
  /** One sentence about this request. */
  readonly detail: string;
  /** Members beyond those of RFC 9457: `parameter`, `code`, `errors`. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Names and values, one after the other. */
  readonly headers?: readonly string[];
}

/** Answers with problem details (RFC 9457). The status says all that a type could, so there is no type. */
export function problemAnswer({ status, detail, members, headers = [] }: Problem): Answer {
  const standard = { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail };
  // Twice: the standard members come first, and no other member replaces them.
  const body = JSON.stringify({ ...standard, ...members, ...standard });
  return textAnswer(status, body, 'application/problem+json', headers);
}

/** Thrown when a request is wrong. The steps answer with its problem. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';

  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

/** The problem of an argument; `parameter` is its name, and inside a value the place: `input.tags[1]`. */
export function badParameter(parameter: string, detail: string): ProblemError {
  return new ProblemError({ status: 400, detail, members: { parameter } });
}
