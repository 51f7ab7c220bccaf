import type { GqlOperation } from '../../../compiler/schema/gql-schema.js';
import type { Way } from './ask.js';
import type { OtherUser } from './rules.js';

/** A request of another user, and what the rules say of it. */
export interface Trial {
  readonly user: OtherUser;
  readonly way: Way;
  /** Whether the user names itself as the owner. */
  readonly isSwapped: boolean;
}

/** The requests of other users for one operation: with the arguments of the first, and in place of it. */
export function trialsOf(
  operation: GqlOperation,
  otherUsers: readonly OtherUser[],
  ways: readonly Way[],
): readonly Trial[] {
  const used = ways.filter((way) => way !== 'WebSocket' || operation.kind === 'subscription');
  const canSwap = operation.arguments.some(({ name }) => name === operation.owner);
  return otherUsers.flatMap((user) =>
    used.flatMap((way) => {
      const trial = { user, way, isSwapped: false };
      return canSwap && user.owner?.id !== undefined ? [trial, { ...trial, isSwapped: true }] : [trial];
    }),
  );
}
