import type { Kysely } from 'kysely';
import { remember } from '../../../compiler/graph/maps.js';
import { refusedOperation } from '../../auth/refused-operation.js';
import type { BrokerEvent, SharedLog } from '../../brokers/broker.js';
import type { CommittedEvents } from '../../execute/resolvers/operation-root.js';
import type { MutationKey } from '../../repeats/repeats.js';
import type { Statement, TransactionSession } from '../database.js';
import { keysTable, outboxTable } from '../outbox.js';
import type { StoreRows } from '../store.js';
import { uuidV7 } from '../uuid-v7.js';

/** Everything that a mutation commits beside its rows. */
export interface Beside {
  readonly key: MutationKey | undefined;
  /** The response name of the field of the mutation: an operation may have several with one key. */
  readonly field: string;
  /** The subscriptions that get its result. */
  readonly subscriptions: readonly string[];
  /** The log that is the outbox, because it is a table of the same database. */
  readonly log: SharedLog | undefined;
}

/** The result of a committed transaction, or of an earlier one with the same key. */
interface Committed {
  /** The result of the mutation. */
  readonly value: unknown;
  readonly events: CommittedEvents;
}

interface Commit extends Committed {
  readonly isReplayed: boolean;
  /** To be called after the commit, for the events in a shared log; undefined if they are in the outbox. */
  readonly logged: (() => void) | undefined;
}

/**
 * Writes the rows of a mutation, the record of its key and its events in one transaction. If an earlier transaction has
 * the key, its result is that of the mutation, which is not run again.
 */
export async function commitWith(
  session: TransactionSession,
  { key, field, subscriptions, log }: Beside,
  write: () => Promise<unknown>,
): Promise<Commit> {
  const known = key && (await claim(session, key, field));
  if (known !== undefined)
    return { ...known, events: await waiting(session, known.events), isReplayed: true, logged: undefined };
  const value = await write();
  const payload = JSON.stringify(value);
  const made = (value === null ? [] : subscriptions).map((subscription): BrokerEvent => {
    return { id: uuidV7(), subscription, payload };
  });
  const events = Object.fromEntries(made.map(({ id, subscription }) => [subscription, id]));
  const committed: Committed = { value, events };
  if (key !== undefined)
    session.runLast(
      session.db
        .updateTable(keysTable)
        .set({ result: JSON.stringify(committed) })
        .where('id', '=', key.id)
        .where('field', '=', field)
        .compile(),
    );
  return { ...committed, isReplayed: false, logged: await keepEvents(session, made, log) };
}

/** Takes a key that is new or expired, or returns what was committed with it. Waits for a transaction that has it. */
async function claim(
  { db, run }: TransactionSession,
  { id, fingerprint, ttl, refuse }: MutationKey,
  field: string,
): Promise<Committed | undefined> {
  const now = Date.now();
  const taken = { fingerprint, result: '', expires_at: now + ttl };
  const claiming = db
    .insertInto(keysTable)
    .values({ id, field, ...taken })
    .onConflict((conflict) =>
      conflict.columns(['id', 'field']).doUpdateSet(taken).where(`${keysTable}.expires_at`, '<=', now),
    )
    .returning('id');
  const claimed = await run(claiming.compile());
  if (claimed.length > 0) return undefined;
  const kept = db
    .selectFrom(keysTable)
    .select(['fingerprint', 'result'])
    .where('id', '=', id)
    .where('field', '=', field);
  const [known] = (await run(kept.compile())) as unknown as readonly [KeptKey];
  if (known.fingerprint === fingerprint) return JSON.parse(known.result) as Committed;
  const { detail, code, status, headers } = refuse();
  throw refusedOperation(detail, { code }, status, headers);
}

/** The events that are still in the outbox; the others were published. */
async function waiting({ db, run }: TransactionSession, events: CommittedEvents): Promise<CommittedEvents> {
  const ids = Object.values(events);
  if (ids.length === 0) return events;
  const left = await run(db.selectFrom(outboxTable).select('id').where('id', 'in', ids).compile());
  return Object.fromEntries(Object.entries(events).filter(([, eventId]) => left.some(({ id }) => id === eventId)));
}

async function keepEvents(
  session: TransactionSession,
  events: readonly BrokerEvent[],
  log: SharedLog | undefined,
): Promise<Commit['logged']> {
  if (events.length === 0) return undefined;
  const statements = log?.statementsOf(events);
  // Behind all others, because they lock the end of the log until the commit.
  if (statements !== undefined) {
    const accepts: (() => void)[] = [];
    for (const { committed, ...statement } of statements) {
      const rows = await session.run(statement);
      accepts.push(() => committed(rows));
    }
    return () => {
      for (const accept of accepts) accept();
    };
  }
  const { sql } = remember(
    remember(outboxInserts, session.db, () => new Map<number, Statement>()),
    events.length,
    () => {
      const rows = events.map(() => ({ id: '', subscription: '', payload: '' }));
      return session.db.insertInto(outboxTable).values(rows).compile();
    },
  );
  const parameters = events.flatMap(({ id, subscription, payload }) => [id, subscription, payload]);
  session.runLast({ sql, parameters });
  return undefined;
}

/** The statements of the outbox, by the number of events: Kysely builds each once. */
const outboxInserts = new WeakMap<Kysely<StoreRows>, Map<number, Statement>>();

/** A row of the table of keys. */
interface KeptKey {
  readonly fingerprint: string;
  readonly result: string;
}
