import type { ExecutionArgs, ExecutionResult, GraphQLSchema } from 'graphql';
import type { ErrorMask } from '../errors/mask-errors.js';
import { resumptionError } from '../events/fork-source.js';
import { Group, openGroup } from './group.js';
import type { Results, ServedSubscription } from './results.js';
import { ResumedResults } from './resumed-results.js';
import type { Resumption } from './resumption.js';
import { createSharingKeys } from './sharing-key.js';

export type SubscriptionStarter<Given extends unknown[] = []> = (
  args: ExecutionArgs,
  ...given: Given
) => Promise<Results | ExecutionResult>;

/**
 * Serves subscriptions to FORK edges. Subscribers with the same document and variables form a group: an event is
 * filtered and executed once for the group, and all its members get the same result object. A subscriber that continues
 * after an event joins its group when it has read what the log keeps.
 *
 * @param usesContext - Whether the results of a subscription can depend on the context, by the name of its field. If
 * so, only subscribers with the same context form a group.
 */
export function createSharedSubscriptions(
  schema: GraphQLSchema,
  mask: ErrorMask,
  usesContext: (subscription: string) => boolean,
  timeout: number,
  open: Set<ServedSubscription>,
): SubscriptionStarter<[Resumption]> {
  const keyOf = createSharingKeys(usesContext);
  const groups = new Map<string, Promise<Group | ExecutionResult>>();

  const groupOf = async (
    args: ExecutionArgs,
    { variables, showsIds }: Resumption,
  ): Promise<Group | ExecutionResult> => {
    const key = keyOf({ ...args, variableValues: variables });
    const known = key === undefined ? undefined : groups.get(key);
    // The group may have ended in the meantime.
    const joined = known === undefined ? undefined : await known;
    if (joined instanceof Group && joined.isOpen) return joined;

    const opening = openGroup(args, { mask, timeout, open, showsIds }, () => {
      if (key !== undefined && groups.get(key) === opening) groups.delete(key);
    });
    if (key !== undefined) groups.set(key, opening);
    const opened = await opening;
    if (opened instanceof Group) return opened;
    if (key !== undefined && groups.get(key) === opening) groups.delete(key);
    return mask.result(opened, args);
  };

  return async (given, resumption) => {
    const args = { ...given, schema };
    const { after } = resumption;
    const group = await groupOf(args, resumption);
    if (!(group instanceof Group)) return group;
    if (after === undefined) return group.join(args.contextValue);
    const release = group.hold();
    try {
      const backlog = await group.readAfter(after);
      const rejoin = () => groupOf(args, resumption);
      return new ResumedResults(group, backlog, { context: args.contextValue, mask, open, rejoin });
    } catch (error) {
      return { errors: [resumptionError(error) ?? mask.thrown(error)] };
    } finally {
      release();
    }
  };
}
