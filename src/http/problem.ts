import { STATUS_CODES } from 'node:http';
import type { Denial } from '../auth/denial.js';
import { type Answer, textAnswer } from './answer.js';

/** The description of an error, from which an answer is made. */
export interface Problem {
  readonly status: number;
  /** One sentence about this request. */
  readonly detail: string;
  /** Members beyond those of RFC 9457: `parameter`, `code`, `errors`. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Names and values, one after the other. */
  readonly headers?: readonly string[];
}

/**
 * Makes an answer with problem details (RFC 9457). There is no `type`, because it would say no more than the status.
 */
export function problemAnswer(problem: Problem): Answer {
  return textAnswer(problem.status, printProblem(problem), 'application/problem+json', problem.headers);
}

/** A problem as JSON text. */
export function printProblem({ status, detail, members }: Problem): string {
  const standard = { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail };
  // Spread twice, so that the standard members come first and cannot be replaced by others.
  return JSON.stringify({ ...standard, ...members, ...standard });
}

/** Thrown for an invalid request. The steps answer with its problem. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';

  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

/** The problem of a caller without access. */
export function problemOfDenial({ status, code, message, scopes, challenge }: Denial): Problem {
  return {
    status,
    detail: message,
    members: { code, ...(scopes === undefined ? {} : { scopes }) },
    headers: challenge === undefined ? [] : ['www-authenticate', challenge],
  };
}

/** The problem of an argument; `parameter` is its name, or the path of a value in it: `input.tags[1]`. */
export function badParameter(parameter: string, detail: string): ProblemError {
  return new ProblemError({ status: 400, detail, members: { parameter } });
}
