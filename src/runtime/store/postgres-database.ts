import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { PoolClient } from 'pg';
import { type Cancellation, runUntil } from '../../base/values/run-until.js';
import { remember } from '../../compiler/graph/maps.js';
import { LruMap } from '../limits/lru-map.js';
import type { Database, Statement, TransactionSession } from './database.js';
import type { StoreRows } from './store.js';
import { traceStatement } from './trace-statement.js';
import { type ReadValue, Trip, type TripResult, textOf } from './trip.js';

/** The connections of a pool, and what their errors mean. */
export interface PostgresLink {
  connect(): Promise<PoolClient>;
  /** The error that clients are told, and whether its connection is lost. */
  failed(error: unknown, sql: string): { readonly isLost: boolean; readonly told: unknown };
}

const statementOf = (sql: string): Statement => ({ sql, parameters: [] });
const [begin, commit, rollback] = [statementOf('begin'), statementOf('commit'), statementOf('rollback')];

/**
 * Sends the statements of the store to PostgreSQL. A transaction begins with its first statement and is committed with
 * its last one: each saves a round trip.
 *
 * @param cancel - Tells the database, on a connection of its own, to end the statement of a process.
 */
export function postgresDatabase(
  db: Kysely<StoreRows>,
  link: PostgresLink,
  readerOf: (type: number) => ReadValue,
  cancel: (process: number) => Promise<void>,
): Database {
  const named: Naming = { nameOf: statementNames('gg_svc_store_'), prepared: new WeakMap() };
  /** Runs work, and once more if a plan was gone: then a connection knows no statement. */
  const leasing = async <Result>(work: (leased: Lease) => Promise<Result>): Promise<Result> => {
    const leased = new Lease(await link.connect(), link, named, readerOf, cancel);
    try {
      return await work(leased).catch((error: unknown) => {
        if (isPlanGone(error)) return work(leased);
        throw error;
      });
    } finally {
      leased.release();
    }
  };
  return {
    db,
    run: (statement, cancellation) => leasing(async (leased) => (await leased.send([statement], cancellation)).rows),
    transaction: (work, cancellation) =>
      leasing(async (leased) => {
        let ahead: readonly Statement[] = [begin];
        const last: Statement[] = [];
        const take = (statements: readonly Statement[]) => {
          const taken = [...ahead, ...statements];
          ahead = [];
          return taken;
        };
        const session: TransactionSession = {
          db,
          run: async (statement) => (await leased.send(take([statement]), cancellation)).rows,
          runLast: (statement) => void last.push(statement),
        };
        try {
          const result = await work(session);
          const { tag } = await leased.send(take([...last, commit]));
          // The work went on after a statement had failed.
          if (tag === 'ROLLBACK') throw new Error('invariant: a transaction ends with its first failure');
          return result;
        } catch (error) {
          if (ahead.length === 0) await leased.send([rollback]).catch(() => leased.spoil());
          throw error;
        }
      }),
  };
}

interface Naming {
  readonly nameOf: ReturnType<typeof statementNames>;
  /** The names that each connection knows. */
  readonly prepared: WeakMap<PoolClient, Set<string>>;
}

/** A connection between its taking from the pool and its return. */
class Lease {
  #isSpoilt = false;
  /** Pending while a statement is cancelled. */
  #cancelling: Promise<unknown> | undefined;

  constructor(
    private readonly client: PoolClient,
    private readonly link: PostgresLink,
    private readonly naming: Naming,
    private readonly readerOf: (type: number) => ReadValue,
    private readonly cancel: (process: number) => Promise<void>,
  ) {}

  /** Sends statements in one trip. After an abort it does not wait for the database. */
  send(statements: readonly Statement[], cancellation?: Cancellation): Promise<TripResult> {
    const texts = statements.map(({ sql }) => sql);
    return traceStatement('postgresql', texts.join('; '), () => this.#send(statements, cancellation));
  }

  #send(statements: readonly Statement[], cancellation: Cancellation | undefined): Promise<TripResult> {
    const { nameOf, prepared } = this.naming;
    const names = remember(prepared, this.client, () => new Set());
    return new Promise((resolve, reject) => {
      let settled: () => void = () => undefined;
      const onAbort = () => {
        const ended = new Promise<void>((end) => {
          settled = end;
        });
        const { processID } = this.client as unknown as { readonly processID: number };
        this.#cancelling = Promise.allSettled([this.cancel(processID), ended]);
        reject(cancellation?.reason);
      };
      if (cancellation?.aborted === true) {
        reject(cancellation.reason);
        return;
      }
      const named = statements.map(({ sql, parameters }) => {
        return { name: nameOf(sql, parameters), sql, values: parameters.map(textOf) };
      });
      const trip = new Trip(named, names, this.readerOf, (error, result) => {
        cancellation?.removeEventListener('abort', onAbort);
        settled();
        if (result !== undefined) {
          resolve(result);
          return;
        }
        const { isLost, told } = this.link.failed(error, statements[trip.ended]?.sql ?? '');
        if (isLost) this.spoil();
        if (isPlanGone(error)) names.clear();
        reject(told);
      });
      cancellation?.addEventListener('abort', onAbort);
      this.client.query(trip as never);
    });
  }

  /** The pool must not give the connection to others. */
  spoil(): void {
    this.#isSpoilt = true;
  }

  /** Gives the connection back. A cancellation ends first: a late one would end the next statement of the connection. */
  release(): void {
    const give = () => this.client.release(this.#isSpoilt);
    if (this.#cancelling === undefined) {
      give();
      return;
    }
    const told = runUntil<unknown, void>(
      { timeout: longestCancellation },
      () => this.#cancelling,
      () => this.spoil(),
    );
    void Promise.resolve(told).finally(give);
  }
}

/** How long the database may take to end a statement, in milliseconds; then the pool gets another connection. */
const longestCancellation = 5_000;

/** The number of statements that each connection keeps. */
const mostStatements = 200;

/**
 * Whether a statement did not run because its table has changed since it was planned, or because the connection lost it:
 * by `DISCARD ALL`, or in a pool of connections before the server.
 */
export function isPlanGone(error: unknown): boolean {
  const { code, routine } = error as { readonly code?: unknown; readonly routine?: unknown };
  // “cached plan must not change result type”, in any language.
  return code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery');
}

/**
 * Gives names to statements: the server parses and plans them once for each connection. A text gets one at its second
 * use, so that those that are never used again take none, and texts without parameters, such as `begin`, get none. A name
 * is the sum of its text: programs that share connections of the server, through a pool before it, never run the texts of
 * each other.
 */
export function statementNames(prefix: string) {
  const names = new Map<string, string>();
  const once = new LruMap<string, true>(mostStatements);
  return (text: string, values: readonly unknown[]): string => {
    const name = names.get(text);
    if (name !== undefined || values.length === 0 || names.size === mostStatements) return name ?? '';
    if (once.get(text) === undefined) once.set(text, true);
    else names.set(text, `${prefix}${createHash('sha256').update(text).digest('base64url')}`);
    return names.get(text) ?? '';
  };
}
