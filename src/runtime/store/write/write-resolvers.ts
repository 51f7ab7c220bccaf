import type { StoreModel } from '../../../analysis/store/model.js';
import type { StoreWrites } from '../../../analysis/store/writes.js';
import type { Resolver, TypeResolvers } from '../../execute/resolvers/contract.js';
import type { OpenStore } from '../read/plan.js';

/** The resolvers of mutations that write rows of stored nodes. The code that writes is loaded for the first of them. */
export function writeResolvers(writes: StoreWrites, model: StoreModel, store: OpenStore): TypeResolvers {
  const resolvers = writes.writes.map((write): [string, Resolver] => [
    write.operation,
    async (_, args, _context, info) => {
      const { runWrite } = await import('./run-write.js');
      return runWrite({ ...store, model, shapes: writes.shapes }, write, args, info.rootValue);
    },
  ]);
  return Object.fromEntries(resolvers);
}
