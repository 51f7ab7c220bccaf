import type { StoreWrites } from '../../../analysis/store/writes.js';
import { type MaybePromise, proceed } from '../../../base/values/maybe-promise.js';
import type { Resolver, TypeResolvers } from '../../execute/resolvers/contract.js';
import type { WriteStore } from './run-write.js';

/** The resolvers of mutations that write rows of stored nodes. The code that writes is loaded for the first of them. */
export function writeResolvers(writes: StoreWrites, store: Omit<WriteStore, 'shapes'>): TypeResolvers {
  const written = { ...store, shapes: writes.shapes };
  // `import()` resolves the path in each call.
  let loaded: MaybePromise<typeof import('./run-write.js')> | undefined;
  const statements = () => {
    loaded ??= import('./run-write.js').then((module) => {
      loaded = module;
      return module;
    });
    return loaded;
  };
  const resolvers = writes.writes.map((write): [string, Resolver] => [
    write.operation,
    (_, args, _context, info) => proceed(statements(), ({ runWrite }) => runWrite(written, write, args, info)),
  ]);
  return Object.fromEntries(resolvers);
}
