import type { Denial } from '../auth/denial.js';

export interface Problem {
  readonly status: number;
  /** One sentence about this request. */
  readonly detail: string;
  /** Members beyond those of RFC 9457: `parameter`, `code`, `errors`. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Names and values, one after the other. */
  readonly headers?: readonly string[];
}

/** Thrown for an invalid request. The steps answer with its problem. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';

  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

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
