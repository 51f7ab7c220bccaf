import type { Kysely } from 'kysely';
import type { StoreModel } from '../../analysis/store/model.js';
import type { RunOptions } from './migrate.js';
import type { Migration, Store, StoreRows } from './store.js';
import { StoreError } from './store-error.js';

/**
 * A store over the connections of an engine. It opens the database at the first call, and again after a failure, and
 * refuses one whose tables are not those of the model.
 *
 * @param migrated - Hears the steps that brought an older database into step; without it, none are taken.
 */
export function storeOver(
  engine: Store['engine'],
  migrated: ((steps: readonly string[]) => void) | undefined,
  connect: () => Promise<Kysely<StoreRows>>,
  isUp = () => true,
  place: Pick<Store, 'url' | 'file'> = {},
): Store {
  let connected: Promise<Kysely<StoreRows>> | undefined;
  let opened: Promise<Kysely<StoreRows>> | undefined;
  const connection = () => {
    connected ??= connect();
    return connected;
  };
  const migrate = async (model: StoreModel, options: RunOptions): Promise<Migration> => {
    // Loaded for the first database: a program without one may import this package.
    const steps = await import('./migrate.js');
    return steps.migrate(engine, await connection(), model, options);
  };
  const open = async (model: StoreModel): Promise<Kysely<StoreRows>> => {
    const db = await connection();
    let found = await migrate(model, {});
    if (isInStep(found)) return db;
    found = await migrate(model, { waits: true });
    if (isInStep(found)) return db;
    // Tables that no topology made are adopted by a migration alone.
    const isNew = found.version === 0 && found.adopts === undefined;
    const isLossless = found.refusals.length === 0 && !found.steps.some(({ isLoss }) => isLoss);
    if (isNew || (migrated !== undefined && isLossless && found.version > 0)) {
      const { steps } = await migrate(model, { apply: true });
      // Another process may have been first.
      if (!isNew && steps.length > 0) migrated?.(steps.map(({ summary }) => summary));
      return db;
    }
    throw new StoreError('STORE_UNAVAILABLE', 'The database is not in step with the topology.', {
      cause: new Error('“gg-svc migrate plan” shows the steps, “gg-svc migrate apply” takes them'),
    });
  };
  return {
    engine,
    ...place,
    get isUp() {
      return isUp();
    },
    open(model) {
      if (opened === undefined) {
        const attempt = open(model);
        opened = attempt;
        attempt.catch(() => {
          if (opened === attempt) opened = undefined;
        });
      }
      return opened;
    },
    migrate: (model, options = {}) => migrate(model, options),
    async close() {
      const closing = await connected?.catch(() => undefined);
      connected = undefined;
      opened = undefined;
      await closing?.destroy();
    },
  };
}

function isInStep({ steps, isServed, version }: Migration): boolean {
  return (steps.length === 0 || isServed === true) && version > 0;
}
