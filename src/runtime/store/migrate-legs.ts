import { planAdoption } from '../../analysis/store/migrations/adopt.js';
import { type MigrationPlan, planMigration } from '../../analysis/store/migrations/plan.js';
import type { Step } from '../../analysis/store/migrations/table-change.js';
import type { StoreModel } from '../../analysis/store/model.js';
import { readCatalog } from './catalog/read-catalog.js';
import { hasTable, type Run, type State } from './catalog/state.js';
import { keysTable, outboxTable } from './outbox.js';
import type { Store } from './store.js';

/** The tables of the outbox, which databases of earlier versions have not. */
export const outboxStep: Step = {
  summary: 'add the tables of the outbox',
  sql: [
    `CREATE TABLE IF NOT EXISTS ${outboxTable} (id text PRIMARY KEY, subscription text NOT NULL, payload text NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS ${keysTable} (id text NOT NULL, field text NOT NULL, fingerprint text NOT NULL, result text NOT NULL, expires_at bigint NOT NULL, PRIMARY KEY (id, field))`,
  ],
};

/** Steps that lead to the tables of a model. */
export interface Leg {
  readonly model: StoreModel;
  readonly steps: readonly Step[];
}

/** A plan, leg by leg: what an earlier run did not finish comes first. */
export interface Legs extends Pick<MigrationPlan, 'refusals' | 'adopts'> {
  readonly legs: readonly Leg[];
  /** Whether the tables are expanded for the model, and nothing else remains. */
  readonly isServed?: true;
}

/** Plans the legs from the state of a database to a model. */
export async function legsTo(
  engine: Store['engine'],
  run: Run,
  { version, model, pending, next }: State,
  to: StoreModel,
): Promise<Legs> {
  if (version === 0) {
    const { steps, ...plan } = planAdoption(engine, await readCatalog(engine, run), to);
    return { ...plan, legs: [{ model: to, steps }] };
  }
  const begun = { model, steps: pending };
  const direct = planMigration(engine, model, to);
  const isSame = direct.steps.length + direct.refusals.length === 0;
  // Programs with the old topology run on tables that are expanded for another one.
  const middle = isSame ? undefined : next;
  const { steps, refusals } = middle === undefined ? direct : planMigration(engine, middle.model, to);
  const legs = [begun, ...(middle ? [middle] : []), { model: to, steps }].filter(isOpen);
  if (legs.length === 0 && !(await hasTable(engine, run, keysTable)))
    return { refusals, legs: [{ model, steps: [outboxStep] }] };
  const isServed = legs.length === 1 && legs[0] === middle && middle?.steps.every(isServable);
  return { refusals, legs, ...(isServed && { isServed }) };
}

const isOpen = ({ steps }: Leg): boolean => steps.length > 0;

/** Whether programs with the new topology can run before a step. */
const isServable = ({ isContract, isBreaking }: Step): boolean => isContract === true && isBreaking !== true;
