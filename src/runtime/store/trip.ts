import type { DatabaseRow, Statement } from './database.js';

/** The part of a connection of `pg` that writes the messages of the protocol. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  close(message: { readonly type: 'S'; readonly name: string }): void;
  parse(message: { readonly name: string; readonly text: string }): void;
  bind(message: { readonly statement: string; readonly values: readonly (string | null)[] }): void;
  describe(message: { readonly type: 'P' }): void;
  execute(): void;
  sync(): void;
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
  #fields: readonly Field[] = [];
  #readers: readonly ReadValue[] = [];
  #failure: unknown;
  /** The number of statements that have ended. */
  ended = 0;

  /**
   * @param prepared - The names that the connection knows.
   * @param settle - Called once.
   */
  constructor(
    private readonly statements: readonly NamedStatement[],
    private readonly prepared: Set<string>,
    private readonly readerOf: (type: number) => ReadValue,
    private readonly settle: (error: unknown, result: TripResult | undefined) => void,
  ) {}

  submit(wire: Wire): void {
    wire.stream.cork();
    for (const { name, sql, values } of this.statements) {
      if (name === '' || !this.prepared.has(name)) {
        // An earlier trip may have failed after it was parsed.
        if (name !== '') wire.close({ type: 'S', name });
        wire.parse({ name, text: sql });
      }
      wire.bind({ statement: name, values });
      wire.describe({ type: 'P' });
      wire.execute();
    }
    wire.sync();
    wire.stream.uncork();
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#rows = [];
    this.#fields = fields;
    this.#readers = fields.map(({ dataTypeID }) => this.readerOf(dataTypeID));
  }

  handleDataRow({ fields: values }: { readonly fields: readonly (string | null)[] }): void {
    const row: DatabaseRow = {};
    try {
      for (const [at, { name }] of this.#fields.entries()) {
        const value = values[at] ?? null;
        row[name] = value === null ? null : (this.#readers[at] as ReadValue)(value);
      }
      this.#rows.push(row);
    } catch (error) {
      this.#failure ??= error;
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const { name = '' } = this.statements[this.ended] ?? {};
    if (name !== '') this.prepared.add(name);
    this.ended += 1;
    this.#tag = text;
    if (this.ended < this.statements.length) this.#rows = [];
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
