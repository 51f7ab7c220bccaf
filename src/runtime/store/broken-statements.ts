const statements = new WeakMap<object, string>();

/** Remembers the statement of an error of a database, which may have broken a rule. */
export function noteStatement(error: unknown, sql: string): void {
  if (error instanceof Error) statements.set(error, sql);
}

/** Throws the error of a statement that failed, and remembers the statement. */
export function notingStatement(sql: string): (error: unknown) => never {
  return (error) => {
    noteStatement(error, sql);
    throw error;
  };
}

/** The statement that an error of a store belongs to; undefined for other errors. */
export function statementOf(error: unknown): string | undefined {
  return error instanceof Error ? statements.get(error) : undefined;
}
