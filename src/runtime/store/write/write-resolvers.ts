import type { StoreWrites } from '../../../analysis/store/writes.js';
import type { Resolver, TypeResolvers } from '../../execute/resolvers/contract.js';
import type { WriteStore } from './run-write.js';

/**
 * The resolvers of mutations that write rows of stored nodes. The code that writes is loaded for the first of them.
 *
 * @param eventsOf - The subscriptions that get the result of a mutation.
 */
export function writeResolvers(
  writes: StoreWrites,
  eventsOf: (mutation: string) => readonly string[],
  store: Omit<WriteStore, 'shapes'>,
): TypeResolvers {
  const resolvers = writes.writes.map((write): [string, Resolver] => {
    const subscriptions = eventsOf(write.operation);
    const written = { ...store, shapes: writes.shapes };
    return [
      write.operation,
      async (_, args, _context, info) => {
        const { runWrite } = await import('./run-write.js');
        return runWrite(written, write, subscriptions, args, info);
      },
    ];
  });
  return Object.fromEntries(resolvers);
}
