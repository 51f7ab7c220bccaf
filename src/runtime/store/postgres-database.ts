import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { PoolClient } from 'pg';
import { isTracing } from '../../base/tracing/svc-tracing.js';
import { type Cancellation, runUntil } from '../../base/values/run-until.js';
import { remember } from '../../compiler/graph/maps.js';
import { LruMap } from '../limits/lru-map.js';
import type { Database, DatabaseRow, Statement, TransactionSession } from './database.js';
import type { StoreRows } from './store.js';
import { traceStatement } from './trace-statement.js';
import { type Prepared, type ReadValue, Trip, type TripResult, textOf } from './trip.js';

/** The connections of a pool, and what their errors mean. */
export interface PostgresLink {
  connect(taken: (error: unknown, client: PoolClient | undefined) => void): void;
  /** The error that clients are told, and whether its connection is lost. */
  failed(error: unknown, sql: string): { readonly isLost: boolean; readonly told: unknown };
}

const statementOf = (sql: string): Statement => ({ sql, parameters: [] });
const [begin, commit, rollback] = [statementOf('begin'), statementOf('commit'), statementOf('rollback')];
/** The names of the statements of all transactions. */
const commands: ReadonlyMap<Statement, string> = new Map(
  [begin, commit, rollback].map((one) => [one, `gg_svc_store_${one.sql}`]),
);

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
  const leaseOf = (client: PoolClient) => new Lease(client, link, named, readerOf, cancel);
  const take = () =>
    new Promise<Lease>((resolve, reject) =>
      link.connect((error, client) => (client === undefined ? reject(error) : resolve(leaseOf(client)))),
    );
  /** Runs work, and once more if a plan was gone: then a connection knows no statement. */
  const leasing = async <Result>(work: (leased: Lease) => Promise<Result>): Promise<Result> => {
    const leased = await take();
    try {
      return await work(leased).catch((error: unknown) => {
        if (isPlanGone(error)) return work(leased);
        throw error;
      });
    } finally {
      leased.release();
    }
  };
  /** As {@link leasing}, with one promise. */
  const runOne = (statement: Statement, cancellation?: Cancellation) =>
    new Promise<readonly DatabaseRow[]>((resolve, reject) =>
      link.connect((failure, client) => {
        if (client === undefined) {
          reject(failure);
          return;
        }
        const leased = leaseOf(client);
        const statements = [statement];
        const end: Settle = (error, result) => {
          leased.release();
          if (result === undefined) reject(error);
          else resolve(result.rows);
        };
        leased.dispatch(statements, cancellation, (error, result) => {
          if (result === undefined && isPlanGone(error)) leased.dispatch(statements, cancellation, end);
          else end(error, result);
        });
      }),
    );
  return {
    db,
    run: (statement, cancellation) =>
      traceStatement('postgresql', statement.sql, () => runOne(statement, cancellation)),
    transaction: (work, cancellation) =>
      leasing(async (leased) => {
        let ahead: readonly Statement[] = [begin];
        const last: Statement[] = [];
        const withBegin = (statements: readonly Statement[]) => {
          const sent = [...ahead, ...statements];
          ahead = [];
          return sent;
        };
        const session: TransactionSession = {
          db,
          run: async (statement) => (await leased.send(withBegin([statement]), cancellation)).rows,
          runLast: (statement) => void last.push(statement),
        };
        try {
          const result = await work(session);
          const { tag } = await leased.send(withBegin([...last, commit]));
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
  readonly prepared: WeakMap<PoolClient, Prepared>;
}

/** Called once with the error, or with a result. */
type Settle = (error: unknown, result: TripResult | undefined) => void;

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
    const send = () =>
      new Promise<TripResult>((resolve, reject) =>
        this.dispatch(statements, cancellation, (error, result) =>
          result === undefined ? reject(error) : resolve(result),
        ),
      );
    return isTracing() ? traceStatement('postgresql', statements.map(({ sql }) => sql).join('; '), send) : send();
  }

  /** As {@link send}. */
  dispatch(statements: readonly Statement[], cancellation: Cancellation | undefined, settle: Settle): void {
    if (cancellation?.aborted === true) {
      settle(cancellation.reason, undefined);
      return;
    }
    const { nameOf, prepared } = this.naming;
    const names = remember(prepared, this.client, (): Prepared => new Map());
    let told: (() => void) | undefined;
    const onAbort = () => {
      const ended = new Promise<void>((end) => {
        told = end;
      });
      const { processID } = this.client as unknown as { readonly processID: number };
      this.#cancelling = Promise.allSettled([this.cancel(processID), ended]);
      settle(cancellation?.reason, undefined);
    };
    const named = statements.map((statement) => {
      const { sql, parameters } = statement;
      const name = commands.get(statement) ?? nameOf(sql, parameters);
      return { name, sql, values: parameters.map(textOf) };
    });
    const trip = new Trip(named, names, this.readerOf, (error, result) => {
      cancellation?.removeEventListener('abort', onAbort);
      if (result === undefined && isPlanGone(error)) names.clear();
      const failure = result === undefined ? this.link.failed(error, statements[trip.ended]?.sql ?? '') : undefined;
      if (failure?.isLost === true) this.spoil();
      // It was aborted, and has told so.
      if (told !== undefined) told();
      else settle(failure?.told, result);
    });
    cancellation?.addEventListener('abort', onAbort);
    this.client.query(trip as never);
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
