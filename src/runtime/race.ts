import { GraphQLError } from 'graphql';

/** One branch of a race: the member of the union that it gives, and how to start it. */
export interface Contestant {
  readonly typeName: string;
  /** Gives the value of the member, or a promise of it. */
  readonly start: () => unknown;
}

/**
 * The value of the branch that won, with the member that it belongs to. The value itself is left as it is:
 * it may be shared, frozen, or belong to another member as well, so nothing is written on it.
 */
export class RaceWinner {
  constructor(
    readonly typeName: string,
    readonly value: unknown,
  ) {}
}

/**
 * Starts all branches of a union at once; the first success wins. A branch that answers null has found
 * nothing, which is no success yet: the others are waited for, and null is the answer only when no branch
 * gives a value and at least one of them answered. When all of them fail, so does the race, with every
 * reason.
 *
 * @throws {GraphQLError} When every branch failed. Its code is theirs where they agree.
 */
export async function race(union: string, contestants: readonly Contestant[]): Promise<RaceWinner | null> {
  const nothing = Symbol('no value');
  try {
    return await Promise.any(
      contestants.map(async ({ typeName, start }) => {
        const value = await start();
        if (value === null || value === undefined) throw nothing;
        return new RaceWinner(typeName, value);
      }),
    );
  } catch (error) {
    const reasons: readonly unknown[] = (error as AggregateError).errors;
    if (reasons.includes(nothing)) return null;
    throw everyBranchFailed(union, contestants, reasons);
  }
}

function everyBranchFailed(
  union: string,
  contestants: readonly Contestant[],
  reasons: readonly unknown[],
): GraphQLError {
  const list = reasons.map((reason, index) => `${contestants[index]?.typeName}: ${messageOf(reason)}`);
  const codes = new Set(reasons.map(codeOf));
  const [code] = codes;
  const unexpected = reasons.some((reason) => !(reason instanceof GraphQLError));
  return new GraphQLError(`Every branch of ${union} failed. ${list.join(' ')}`, {
    extensions: { code: codes.size === 1 && code !== undefined ? code : 'RACE_FAILED' },
    // What a branch did not mean to tell the client must not reach it through this error either.
    ...(unexpected ? { originalError: new AggregateError(reasons, `Every branch of ${union} failed.`) } : {}),
  });
}

function messageOf(reason: unknown): string {
  const message = reason instanceof Error ? reason.message : String(reason);
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

function codeOf(reason: unknown): unknown {
  return reason instanceof GraphQLError ? reason.extensions.code : undefined;
}
