import { STATUS_CODES } from 'node:http';
import type { Problem } from '../call/problem.js';
import { type Answer, textAnswer } from './answer.js';

/**
 * Makes an answer with problem details (RFC 9457). There is no `type`, because it would say no more than the status.
 */
export function problemAnswer(problem: Problem): Answer {
  return textAnswer(problem.status, printProblem(problem), 'application/problem+json', problem.headers);
}

export function printProblem({ status, detail, members }: Problem): string {
  const standard = { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail };
  // Spread twice, so that the standard members come first and cannot be replaced by others.
  return JSON.stringify({ ...standard, ...members, ...standard });
}
