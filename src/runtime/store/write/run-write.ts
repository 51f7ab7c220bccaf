import { GraphQLError, type GraphQLResolveInfo } from 'graphql';
import { keysOf, type Table, tableNamed } from '../../../analysis/store/model.js';
import { versionOf, type Write } from '../../../analysis/store/writes.js';
import type { MaybePromise } from '../../../base/values/maybe-promise.js';
import type { Violation } from '../../../compiler/api/argument-checks.js';
import { argumentError } from '../../execute/errors/argument-error.js';
import type { Refusal } from '../../execute/errors/mask-errors.js';
import { OperationRoot } from '../../execute/resolvers/operation-root.js';
import { ownerOf } from '../../execute/resolvers/owner-of.js';
import type { DatabaseRow as Row, Session, Statement } from '../database.js';
import { untilGivenUp } from '../given-up.js';
import type { StoreOutbox } from '../outbox.js';
import { type Builder, owned } from '../read/conditions.js';
import type { OpenStore } from '../read/plan.js';
import { noRow } from '../store-error.js';
import { fromDatabase, toDatabase } from '../values.js';
import { commitWith } from './commit.js';
import { badInput, type GivenRow, readRow, type WriteScope } from './given-row.js';
import { insertChildren, insertReferences, insertRows, pathOf } from './insert-rows.js';
import { missingReference, namesNothing, refuseForeignReferences } from './references.js';
import { alreadyExists, stillReferenced } from './refusal.js';
import { run, Violated } from './violated.js';

/** A transaction that met another one is run again, at most so often in all. */
const maxAttempts = 3;

/** The SQLSTATE of a statement on a table that is missing. */
const undefinedTable = '42P01';

/** Thrown in a transaction, so that it is rolled back: there is no row of the key. */
class MissingRow extends Error {
  override readonly name = 'MissingRow';
}

/** The database of a server, and what its mutations write. */
export interface WriteStore extends OpenStore, Pick<WriteScope, 'model' | 'shapes'> {
  readonly outbox: () => MaybePromise<StoreOutbox>;
}

/** Runs a mutation in one transaction, with its key and its events, and returns its result. */
export async function runWrite(
  store: WriteStore,
  write: Write,
  args: Readonly<Record<string, unknown>>,
  { rootValue, path }: Pick<GraphQLResolveInfo, 'rootValue' | 'path'>,
): Promise<unknown> {
  const scope: WriteScope = { ...store, owner: ownerOf(rootValue), ownedBy: write.owner, now: new Date() };
  const table = tableNamed(scope.model, write.row.table);
  const root = rootValue instanceof OperationRoot ? rootValue : undefined;
  const operation = root?.outbox;
  const cancellation = untilGivenUp(scope.engine, rootValue);
  const field = String(path.key);
  const subscriptions = operation?.subscriptions.get(field) ?? [];
  const database = await store.open();
  const outbox = await store.outbox();
  for (let attempt = 1; ; attempt += 1) {
    // The table of the log may be gone until its broker makes it anew.
    const log = attempt === 1 ? outbox.log : undefined;
    const beside = { key: operation?.key, field, subscriptions, log };
    try {
      const { value, events, isReplayed, logged } = await database.transaction(async (session) => {
        const commit = await commitWith(session, beside, async () =>
          resultOf(scope, write, table, await perform(session, scope, write, args)),
        );
        if (operation?.isGivenUp === true) throw root?.cancellation?.reason;
        return commit;
      }, cancellation);
      logged?.();
      if (operation === undefined) return value;
      operation.isReplayed ||= isReplayed;
      operation.committed.set(field, events);
      if (logged === undefined) operation.onPublished = outbox.published;
      return value;
    } catch (error) {
      if (attempt < maxAttempts && isPassing(error, write, table)) continue;
      if (error instanceof MissingRow && write.isNullable) return null;
      throw await answerOf(error, database, scope, write, table);
    }
  }
}

function resultOf({ engine }: WriteScope, { answer }: Write, table: Table, row: Row): unknown {
  if (answer === 'true') return true;
  const values = fromDatabase(engine, table, row);
  return answer === 'key' ? values[table.key] : values;
}

/** Whether another transaction was in the way: a deadlock, or the row of an upsert that came or went meanwhile. */
function isPassing(error: unknown, { action }: Write, table: Table): boolean {
  const { code } = error as { readonly code?: unknown };
  if (code === '40P01' || code === '40001' || code === undefinedTable) return true;
  if (action !== 'upsert') return false;
  return error instanceof MissingRow || (error instanceof Violated && error.columns.join() === keysOf(table).join());
}

async function perform(
  session: Session,
  scope: WriteScope,
  { action, row: shape }: Write,
  args: Readonly<Record<string, unknown>>,
): Promise<Row> {
  const problems: Violation[] = [];
  const given = readRow(scope, shape, args, '', problems);
  const { table, values } = given;
  const insert = async () => {
    const [row] = await insertRows(session, scope, shape, [{ object: args, prefix: '' }]);
    return row as Row;
  };
  if (action === 'insert') return insert();
  const missing = keysOf(table).filter((key) => values.get(key)?.value === undefined);
  if (missing.length > 0 && action === 'upsert') return insert();
  for (const key of missing) problems.push({ path: pathOf(shape, key), reason: 'is required' });
  if (problems.length > 0) throw argumentError(problems);
  if (action === 'upsert' && (await find(session, scope, given)) === undefined) {
    const version = values.get(versionOf(table) ?? '');
    if (version !== undefined) throw conflict(table, version.isHeader);
    return insert();
  }
  return action === 'delete' ? deleteRow(session, scope, given) : updateRow(session, scope, given);
}

/** The condition that finds the row of a key, among those that the caller may write. */
function matching(is: Builder, scope: WriteScope, { table, values }: GivenRow) {
  const { engine, owner, ownedBy = '' } = scope;
  const owners = table.owner === undefined ? [] : [table.owner];
  const named = values.get(ownedBy);
  return is.and([
    ...keysOf(table).map((key) => is(key, '=', values.get(key)?.value)),
    ...owned(is, engine, table, owners, owner),
    ...(named === undefined ? [] : [is(ownedBy, '=', named.value)]),
  ]);
}

function columnsOf({ columns }: Table): string[] {
  return columns.map(({ name }) => name);
}

async function find(session: Session, scope: WriteScope, given: GivenRow, isLocked = false) {
  const { table } = given;
  const all = session.db.selectFrom(table.name).select(columnsOf(table));
  const query = isLocked && scope.engine === 'postgres' ? all.forUpdate() : all;
  const [row] = await session.run(query.where((is) => matching(is, scope, given)).compile());
  return row;
}

async function updateRow(session: Session, scope: WriteScope, given: GivenRow): Promise<Row> {
  const { table, shape, values } = given;
  const version = versionOf(table);
  const set: Row = await insertReferences(session, scope, given);
  for (const key of keysOf(table)) delete set[key];
  const isKnown = (name: string) => values.has(name) || name in set;
  const isPartial = (table.foreignKeys ?? []).some(({ columns }) => columns.some(isKnown) && !columns.every(isKnown));
  given.rest = { ...(isPartial && (await find(session, scope, given, true))), ...set };
  await refuseForeignReferences(session, scope, [given]);
  for (const column of table.columns) {
    const { name } = column;
    const value = values.get(name);
    if (column.role === 'updated') set[name] = toDatabase(scope.engine, column, scope.now);
    else if (value !== undefined && ![...keysOf(table), version, scope.ownedBy].includes(name)) set[name] = value.value;
  }
  const written =
    version === undefined && Object.keys(set).length === 0
      ? await find(session, scope, given)
      : await runOne(
          session,
          given,
          session.db
            .updateTable(table.name)
            .set((is) => ({ ...set, ...(version !== undefined && { [version]: is(version, '+', 1) }) }))
            .where((is) => expected(is, scope, given))
            .returning(columnsOf(table))
            .compile(),
        );
  if (written === undefined) throw await whyNone(session, scope, given);
  await insertChildren(session, scope, shape, [[given, keysOf(table).map((key) => values.get(key)?.value)]]);
  return written;
}

async function deleteRow(session: Session, scope: WriteScope, given: GivenRow): Promise<Row> {
  const { table } = given;
  const written = await runOne(
    session,
    given,
    session.db
      .deleteFrom(table.name)
      .where((is) => expected(is, scope, given))
      .returning(columnsOf(table))
      .compile(),
  );
  if (written === undefined) throw await whyNone(session, scope, given);
  return written;
}

/** Runs a statement that writes a row, and returns it. */
async function runOne(session: Session, given: GivenRow, statement: Statement): Promise<Row | undefined> {
  const [row] = await run(given.table, [given], () => session.run(statement));
  return row;
}

/** The condition of a write: the key, the owner, and the version that the caller expects. */
function expected(is: Builder, scope: WriteScope, row: GivenRow) {
  const { table, values } = row;
  const version = versionOf(table);
  const given = version === undefined ? undefined : values.get(version)?.value;
  const found = matching(is, scope, row);
  if (version === undefined || given === undefined || given === '*') return found;
  // A number, or the text of an entity tag (RFC 9110, section 8.8.3). No row has a version below 1.
  const [, digits = '0'] = /^(?:W\/)?"?(\d{1,9})"?$/.exec(String(given)) ?? [];
  return is.and([found, is(version, '=', Number(digits))]);
}

/** The reason why a write found no row: another version, or no row of the key. */
async function whyNone(session: Session, scope: WriteScope, given: GivenRow): Promise<Error> {
  const { table, values } = given;
  const version = values.get(versionOf(table) ?? '');
  if (version === undefined || (await find(session, scope, given)) === undefined) return new MissingRow();
  return conflict(table, version.isHeader);
}

function conflict({ type }: Table, isHeader: boolean): GraphQLError {
  const code = isHeader ? 'PRECONDITION_FAILED' : 'VERSION_CONFLICT';
  return new GraphQLError(`The ${type} has another version: read it again.`, { extensions: { code } });
}

/** The answer to the client. It never has text of the database. */
async function answerOf(
  error: unknown,
  session: Session,
  scope: WriteScope,
  { action }: Write,
  written: Table,
): Promise<unknown> {
  if (error instanceof MissingRow) return noRow(written.type, keysOf(written));
  if (!(error instanceof Violated)) return error;
  const { rule, rows, table } = error;
  if (rule === 'reference' && action === 'delete') return told(stillReferenced(written));
  if (rule === 'unique') return told(alreadyExists(table, error.columns.length > 0 ? error.columns : keysOf(table)));
  const missing = rule === 'reference' ? await missingReference(session, scope, rows) : undefined;
  if (missing !== undefined) return namesNothing(missing);
  const path =
    error.columns
      .flatMap((name) => rows.map(({ values }) => values.get(name)?.path))
      .find((given) => given !== undefined) ??
    error.columns[0] ??
    table.type;
  return badInput(path, `“${path}” has a value that ${table.type} cannot have.`);
}

function told({ message, extensions }: Refusal): GraphQLError {
  return new GraphQLError(message, { extensions });
}
