import { GraphQLError } from 'graphql';
import { BranchErrors, forOperators, messageOf, publicMessageOf } from '../errors/error-marks.js';
import type { Agreement } from './agreement.js';

/** A branch that failed, and why. */
export interface BranchFailure {
  readonly typeName: string;
  readonly reason: unknown;
}

/** The code of branches that exceed `timeoutMs` or `deadlineMs`, and of races in which all branches do. */
const timeoutCode = 'RACE_TIMEOUT';

/** The failure of a branch without a result in time. */
export function branchTimedOut(union: string, milliseconds: number): GraphQLError {
  return new GraphQLError(`A branch of ${union} took longer than ${milliseconds} ms.`, {
    extensions: extensionsOf(timeoutCode),
  });
}

/** The failure of a race in which every branch failed. Its code is that of the branches if they all have the same one. */
export function everyBranchFailed(union: string, failures: readonly BranchFailure[]): GraphQLError {
  return failedRace(`Every branch of ${union} failed.`, commonCode(failures) ?? 'RACE_FAILED', failures);
}

/** The failure of a race in which too few branches agree. Without any result, its code is that of the branches. */
export function noQuorum(
  union: string,
  { quorum, largest }: Agreement,
  failures: readonly BranchFailure[],
): GraphQLError {
  const code = largest === 0 ? commonCode(failures) : undefined;
  return failedRace(`Fewer than ${quorum} branches of ${union} agree.`, code ?? 'RACE_NO_QUORUM', failures);
}

function failedRace(message: string, code: unknown, failures: readonly BranchFailure[]): GraphQLError {
  const reasons = failures.map(({ reason }) => reason);
  const list = failures.map(({ typeName, reason }) => `${typeName}: ${sentenceOf(reason)}`);
  const isMeant = reasons.every((reason) => reason instanceof GraphQLError);
  const failed = new GraphQLError([message, ...list].join(' '), {
    extensions: extensionsOf(code),
    // Marks an error whose message contains internals of a branch, which must not reach the client.
    ...(isMeant ? {} : { originalError: new BranchErrors(reasons, message) }),
  });
  return reasons.some((reason) => publicMessageOf(reason) !== undefined) ? forOperators(failed, message) : failed;
}

function extensionsOf(code: unknown) {
  return { code, ...(code === timeoutCode && { http: { status: 504 } }) };
}

function sentenceOf(reason: unknown): string {
  const message = messageOf(reason);
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** The code of all failures; undefined if they have several, or one has none. */
function commonCode(failures: readonly BranchFailure[]): unknown {
  const codes = new Set(
    failures.map(({ reason }) => (reason instanceof GraphQLError ? reason.extensions.code : undefined)),
  );
  const [code] = codes;
  return codes.size === 1 ? code : undefined;
}
