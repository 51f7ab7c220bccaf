import type { DatabaseRow, Statement } from './database.js';

/** The part of a connection of `pg` that takes the messages of the protocol. */
interface Wire {
  readonly stream: { write(messages: Buffer): void };
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Reads the text of a value of a type. */
export type ReadValue = (text: string) => unknown;

/** A statement with the name that the server keeps its plan by; empty for those that are not kept. */
export interface NamedStatement extends Pick<Statement, 'sql'> {
  readonly name: string;
  readonly values: readonly (string | null)[];
}

/** The columns of a statement that a connection knows, by its name: the server describes them once. */
export type Prepared = Map<string, readonly Reader[]>;

/** The name of a column, and what reads its values. */
interface Reader {
  readonly name: string;
  readonly read: ReadValue;
}

const noReaders: readonly Reader[] = [];

/** The rows of the last statement of a trip, and its command tag, such as `INSERT 0 1`. */
export interface TripResult {
  readonly rows: readonly DatabaseRow[];
  readonly tag: string;
}

/**
 * Statements that travel to PostgreSQL together, written at once and answered at once, as a query that `pg` submits. They
 * end with one message Sync: a statement that fails ends those behind it, so that nothing runs outside of a transaction
 * that did not begin (PostgreSQL, “Message Flow”, section “Extended Query”).
 */
export class Trip {
  #rows: DatabaseRow[] = [];
  #tag = '';
  #readers = noReaders;
  #failure: unknown;
  /** The number of statements that have ended. */
  ended = 0;

  /**
   * @param prepared - The names that the connection knows.
   * @param settle - Called once.
   */
  constructor(
    private readonly statements: readonly NamedStatement[],
    private readonly prepared: Prepared,
    private readonly readerOf: (type: number) => ReadValue,
    private readonly settle: (error: unknown, result: TripResult | undefined) => void,
  ) {}

  /** One write: each message by itself would be a callback of its own, and a part of a system call. */
  submit({ stream }: Wire): void {
    stream.write(messagesOf(this.statements, this.prepared));
    this.#expect();
  }

  /** Looks up the columns of the statement that is answered next. */
  #expect(): void {
    const { name = '' } = this.statements[this.ended] ?? {};
    this.#readers = (name === '' ? undefined : this.prepared.get(name)) ?? noReaders;
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#readers = fields.map(({ name, dataTypeID }) => ({ name, read: this.readerOf(dataTypeID) }));
  }

  handleDataRow({ fields: values }: { readonly fields: readonly (string | null)[] }): void {
    const row: DatabaseRow = {};
    try {
      for (let at = 0; at < values.length; at++) {
        const { name, read } = this.#readers[at] as Reader;
        const value = values[at] ?? null;
        row[name] = value === null ? null : read(value);
      }
      this.#rows.push(row);
    } catch (error) {
      this.#failure ??= error;
    }
  }

  /** The answer to a statement without text, in place of that of its completion. */
  handleEmptyQuery(): void {
    // The SQLSTATE of a syntax error: an error without one is a lost connection.
    this.#failure ??= Object.assign(new Error('invariant: a statement is empty'), { code: '42601' });
    this.handleCommandComplete({ text: '' });
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const { name = '' } = this.statements[this.ended] ?? {};
    if (name !== '') this.prepared.set(name, this.#readers);
    this.ended += 1;
    this.#tag = text;
    if (this.ended === this.statements.length) return;
    this.#rows = [];
    this.#expect();
  }

  handleReadyForQuery(): void {
    if (this.#failure === undefined) this.settle(undefined, { rows: this.#rows, tag: this.#tag });
    else this.settle(this.#failure, undefined);
  }

  handleError(error: unknown): void {
    this.settle(error, undefined);
  }
}

/** The text of a value, of which PostgreSQL knows the type. */
export function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (!Array.isArray(value)) return value instanceof Date ? value.toISOString() : String(value);
  const items = value.map(textOf);
  return `{${items.map((item) => (item === null ? 'NULL' : `"${item.replace(/[\\"]/g, '\\$&')}"`)).join()}}`;
}

/** The messages of statements, which end with Sync (PostgreSQL, “Message Formats”). */
function messagesOf(statements: readonly NamedStatement[], prepared: Prepared): Buffer {
  let length = sync.length;
  for (const { name, sql, values } of statements) {
    length += 64 + 3 * name.length + 3 * sql.length;
    for (const value of values) length += 4 + (value === null ? 0 : Buffer.byteLength(value));
  }
  const written = new Messages(length);
  for (const { name, sql, values } of statements) {
    const isKnown = name !== '' && prepared.has(name);
    if (!isKnown) {
      // An earlier trip may have failed after it was parsed.
      if (name !== '') written.close(name);
      written.parse(name, sql);
    }
    written.bind(name, values);
    written.add(isKnown ? execute : describeAndExecute);
  }
  written.add(sync);
  return written.bytes;
}

const sync = Buffer.from('S\0\0\0\x04', 'latin1');
/** All rows of the portal without a name. */
const execute = Buffer.from('E\0\0\0\x09\0\0\0\0\0', 'latin1');
const describeAndExecute = Buffer.concat([Buffer.from('D\0\0\0\x06P\0', 'latin1'), execute]);

class Messages {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(length: number) {
    this.#buffer = Buffer.allocUnsafe(length);
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#at);
  }

  close(name: string): void {
    const length = this.#begin('C');
    this.#text('S', name);
    this.#end(length);
  }

  parse(name: string, sql: string): void {
    const length = this.#begin('P');
    this.#text('', name);
    this.#text('', sql);
    // PostgreSQL finds the types of the parameters.
    this.#short(0);
    this.#end(length);
  }

  /** All values are text, and so are those of the rows. */
  bind(name: string, values: readonly (string | null)[]): void {
    const length = this.#begin('B');
    this.#text('', '');
    this.#text('', name);
    this.#short(0);
    this.#short(values.length);
    for (const value of values) {
      const size = value === null ? -1 : this.#buffer.write(value, this.#at + 4);
      this.#buffer.writeInt32BE(size, this.#at);
      this.#at += 4 + Math.max(size, 0);
    }
    this.#short(0);
    this.#end(length);
  }

  add(bytes: Buffer): void {
    this.#at += bytes.copy(this.#buffer, this.#at);
  }

  /** Returns the place of the length of a message. */
  #begin(type: string): number {
    this.#at += this.#buffer.write(type, this.#at, 'latin1') + 4;
    return this.#at - 4;
  }

  #end(place: number): void {
    this.#buffer.writeInt32BE(this.#at - place, place);
  }

  #short(value: number): void {
    this.#at = this.#buffer.writeUInt16BE(value, this.#at);
  }

  #text(before: string, text: string): void {
    this.#at += this.#buffer.write(`${before}${text}\0`, this.#at);
  }
}
