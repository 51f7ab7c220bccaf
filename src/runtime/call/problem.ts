import type { GraphQLError } from 'graphql';
import { defined } from '../../base/values/defined.js';
import type { Denial } from '../auth/denial.js';
import { codeStatuses, givenStatus } from '../hooks/refusal.js';

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

  constructor(
    readonly problem: Problem,
    options?: ErrorOptions,
  ) {
    super(problem.detail, options);
  }
}

export function problemOfDenial({ status, code, message, scopes, roles, challenge }: Denial): Problem {
  return {
    status,
    detail: message,
    members: defined({ code, scopes, roles }),
    headers: challenge === undefined ? [] : ['www-authenticate', challenge],
  };
}

/** A mistake in the arguments of a call, as a member of `errors` (RFC 9457, section 3). */
export interface Mistake {
  /** The place in the object of the arguments, as a JSON Pointer in a URI fragment: `#/input/tags/1`. */
  readonly pointer: string;
  readonly detail: string;
  readonly code: 'MISSING_ARGUMENT' | 'UNKNOWN_ARGUMENT' | 'INVALID_ARGUMENT' | 'BAD_USER_INPUT';
}

/** A declared error as REST and agents get it: its status, and its fields with their spellings of enums. */
export interface DeclaredProblem {
  readonly status: number;
  readonly spell: (members: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
}

/** The maximum number of mistakes in an answer. */
export const maxMistakes = 100;

/** The problem of an argument; `parameter` is its name, or the path of a value in it: `input.tags[1]`. */
export function badParameter(parameter: string, detail: string): ProblemError {
  return new ProblemError({ status: 400, detail, members: { parameter } });
}

/**
 * The problem of an operation with errors, which are already masked. The first error decides the status; if there are
 * several, all are listed.
 *
 * @param declared - The errors that the operation declares, by their codes.
 */
export function operationProblem(errors: readonly GraphQLError[], declared?: ReadonlyMap<unknown, DeclaredProblem>) {
  const [first] = errors;
  if (first === undefined) throw new Error('invariant: a failed operation has an error');
  const { code } = first.extensions;
  // An error without code and path is a request error: graphql-js has not run the operation.
  const { headers } = (first.extensions.http ?? {}) as { readonly headers?: unknown };
  const status =
    declared?.get(code)?.status ??
    givenStatus(first.extensions) ??
    statuses.get(code) ??
    (code === undefined && first.path === undefined ? 400 : 500);
  // The member `http` is for engines.
  const membersOf = ({ extensions: { http: _, ...members } }: GraphQLError) =>
    declared?.get(members.code)?.spell(members) ?? members;
  const all = errors.map((error) => ({ detail: error.message, path: error.path, ...membersOf(error) }));
  return {
    status,
    detail: first.message,
    ...(headers instanceof Map && { headers: [...headers].flat() as string[] }),
    members: { ...membersOf(first), ...(all.length > 1 && { errors: all }) },
  };
}

/** The HTTP statuses of error codes; those of users have none. */
export const statuses: ReadonlyMap<unknown, number> = new Map<unknown, number>([
  ...codeStatuses,
  // The store: the write contradicts the rows that there are.
  ['ALREADY_EXISTS', 409],
  ['STILL_REFERENCED', 409],
  ['VERSION_CONFLICT', 409],
  ['PRECONDITION_FAILED', 412],
  ['OPERATION_ABORTED', 499],
  ['NOT_IMPLEMENTED', 501],
  ['OPERATION_TIMEOUT', 504],
  ['RACE_TIMEOUT', 504],
  // The external system of a channel failed.
  ['GG5011', 502],
  ['GG5012', 504],
  ['GG5013', 502],
  ['GG5014', 503],
  ['GG5015', 502],
  ['EVENT_NOT_PUBLISHED', 502],
  ['INVALID_EVENT_ID', 400],
  ['EVENTS_NOT_KEPT', 400],
  ['EVENTS_LOST', 410],
  ['STORE_UNAVAILABLE', 503],
]);

export function isServerFault(code: unknown): boolean {
  return (statuses.get(code) ?? 0) >= 500;
}
