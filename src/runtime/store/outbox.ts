import type { Kysely } from 'kysely';
import type { SharedLog } from '../brokers/broker.js';
import { type Database, databaseOf } from './database.js';
import type { Store, StoreEvents, StoreRows } from './store.js';
import { withoutSpans } from './trace-statement.js';
import { uuidStart, uuidV7 } from './uuid-v7.js';

/** The tables beside those of the topology, which migrations make. */
export const [outboxTable, keysTable] = ['gg_svc_outbox', 'gg_svc_keys'] as const;

/** How often events are looked for that a process has left, and how old those of a living one may be, in milliseconds. */
const relayInterval = 10_000;

/** How long the ids of published events are collected, in milliseconds. */
const flushDelay = 100;

/** The number of events that are read at once. */
const page = 100;

/**
 * The events that were committed with rows and are not acknowledged yet. Each mutation publishes its own; those that it
 * could not publish, or that a process has left which ended, are published from here with the same id.
 */
export class StoreOutbox {
  #db: Kysely<StoreRows> | undefined;
  #interval: NodeJS.Timeout | undefined;
  #relaying: Promise<void> | undefined;
  #published: string[] = [];
  #flushing: NodeJS.Timeout | undefined;
  #isFailing = false;
  /** The events that the last look could not publish. */
  #left: ReadonlySet<string> = new Set();
  /** Whether another event was acknowledged since that look began. */
  #isTaken = false;
  /** The events that failed before and after another one was acknowledged: they do not hold up those behind them. */
  readonly #refused = new Set<string>();

  /** @param events - Undefined for a schema that no server runs: then events stay in the outbox. */
  constructor(
    private readonly store: Pick<Store, 'engine' | 'url'>,
    private readonly events: StoreEvents | undefined,
  ) {}

  /** The log of the broker, if it is a table of the same database. */
  get log(): SharedLog | undefined {
    const { log } = this.events ?? {};
    return log !== undefined && log.url === this.store.url ? log : undefined;
  }

  /** Publishes what was left when a database is opened, and from then on. */
  begin(db: Kysely<StoreRows>): void {
    if (db === this.#db || this.events === undefined) return;
    this.#db = db;
    clearInterval(this.#interval);
    const before = () => uuidStart(Date.now() - relayInterval);
    this.#interval = setInterval(() => this.#relay(db, before()), relayInterval).unref();
    // Another process of PostgreSQL may be publishing its latest events.
    this.#relay(db, this.store.engine === 'sqlite' ? uuidV7() : before());
  }

  /** An event was acknowledged: it is deleted, together with others. */
  readonly published = (id: string): void => {
    this.#isTaken = true;
    this.#published.push(id);
    this.#flushing ??= setTimeout(() => void this.#flush(), flushDelay).unref();
  };

  async close(): Promise<void> {
    clearInterval(this.#interval);
    await this.#relaying;
    await this.#flush();
    this.#db = undefined;
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    const ids = this.#published.splice(0);
    if (ids.length === 0) return;
    try {
      await withoutSpans(async () => this.#db && deleteEvents(databaseOf(this.#db), this.store.engine, ids));
    } catch {
      // They are published again with the same ids, and deleted then.
    }
  }

  /** @param than - An id: events with later ones are being published. */
  #relay(db: Kysely<StoreRows>, than: string): void {
    this.#relaying ??= withoutSpans(() => this.#relayOlder(db, than)).finally(() => {
      this.#relaying = undefined;
    });
  }

  async #relayOlder(db: Kysely<StoreRows>, than: string): Promise<void> {
    const left = new Set<string>();
    const isTaken = this.#isTaken;
    this.#isTaken = false;
    try {
      for (let after: string | undefined = ''; after !== undefined; ) {
        const from: string = after;
        const { tried, published } =
          this.store.engine === 'postgres'
            ? await db.transaction().execute((transaction) => this.#relayPage(transaction, from, than))
            : await this.#relayPage(db, from, than);
        const failed = tried.filter((id) => !published.includes(id));
        for (const id of failed) {
          left.add(id);
          if (isTaken && this.#left.has(id)) this.#refused.add(id);
        }
        // A broker that was away must not get the others before those that are left.
        const goesOn = published.length > 0 || failed.every((id) => this.#refused.has(id));
        after = tried.length === page && goesOn ? tried.at(-1) : undefined;
      }
      this.#left = left;
      await db.deleteFrom(keysTable).where('expires_at', '<=', Date.now()).execute();
    } catch {
      // The database is away, which its health tells. The next look finds the same events.
    }
  }

  /** Publishes events between two ids in their order. Returns their ids, and of which were published. */
  async #relayPage(db: Kysely<StoreRows>, after: string, than: string) {
    const between = db.selectFrom(outboxTable).selectAll().where('id', '>', after).where('id', '<', than);
    const oldest = between.orderBy('id').limit(page);
    // Other processes take other events.
    const query = this.store.engine === 'postgres' ? oldest.forUpdate().skipLocked() : oldest;
    const events = await query.execute();
    const published = await this.#publish(events);
    if (published.length > 0) {
      this.#isTaken = true;
      await db.deleteFrom(outboxTable).where('id', 'in', published).execute();
    }
    return { tried: events.map(({ id = '' }) => id), published };
  }

  async #publish(events: readonly Record<string, string>[]): Promise<readonly string[]> {
    const { publish, monitor } = this.events as StoreEvents;
    const taken = events.map(async ({ id = '', subscription = '', payload = 'null' }) => {
      await publish(subscription, JSON.parse(payload), undefined, id);
      return id;
    });
    const settled = await Promise.allSettled(taken);
    const failure = settled.find((one) => one.status === 'rejected');
    if (failure !== undefined && !this.#isFailing) monitor.fault(failure.reason);
    this.#isFailing = failure !== undefined;
    return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }
}

/** One statement for any number of ids, in one trip, or with a commit of SQLite that mutations share. */
function deleteEvents(database: Database, engine: Store['engine'], ids: readonly string[]): Promise<void> {
  const [among, parameter] =
    engine === 'sqlite' ? ['in (select value from json_each(?))', JSON.stringify(ids)] : ['= any($1)', ids];
  const sql = `delete from "${outboxTable}" where "id" ${among}`;
  return database.transaction(async ({ runLast }) => runLast({ sql, parameters: [parameter] }));
}
