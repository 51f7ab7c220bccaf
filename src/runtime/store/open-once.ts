import type { Kysely } from 'kysely';
import type { StoreModel } from '../../analysis/store/model.js';
import type { Store, StoreRows } from './store.js';

/** A store that opens its database at the first call, and again after a failure. */
export function openOnce(
  engine: Store['engine'],
  connect: (model: StoreModel) => Promise<Kysely<StoreRows>>,
): Store {
  let opened: Promise<Kysely<StoreRows>> | undefined;
  return {
    engine,
    open(model) {
      opened ??= connect(model);
      const attempt = opened;
      attempt.catch(() => {
        if (opened === attempt) opened = undefined;
      });
      return attempt;
    },
    async close() {
      const closing = await opened?.catch(() => undefined);
      opened = undefined;
      await closing?.destroy();
    },
  };
}
