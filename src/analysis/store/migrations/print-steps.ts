import type { Step } from './table-change.js';

/** A step as SQL, with comments about how it runs. */
export function printStep({ summary, sql, isLoss, isLater, isContract, rowChecks = [] }: Step): string {
  const notes = [
    summary,
    ...(isLoss ? ['It deletes values.'] : []),
    ...(isContract ? ['From here on, programs with the old topology may fail.'] : []),
    ...(isLater
      ? ['It runs outside of a transaction; a statement that gives rows is repeated until it gives none.']
      : []),
    ...rowChecks.map(({ refusal, sql: query }) => `It is refused if ${refusal}:\n--   ${query}`),
  ];
  return `${notes.map((note) => `-- ${note}\n`).join('')}${sql.map((statement) => `${statement};\n`).join('')}`;
}

/**
 * A file for each step of a plan, for review: `0002-01-change-the-table-book-add-pages.sql`, with the version that the
 * database gets and the place of the step.
 */
export function stepFiles(steps: readonly Step[], version: number): Readonly<Record<string, string>> {
  const prefix = filePrefix(version);
  return Object.fromEntries(
    steps.map((step, at) => {
      const words = step.summary
        .replace(/[^A-Za-z0-9_]+/g, '-')
        .slice(0, 60)
        .replace(/-$/, '');
      return [`${prefix}${String(at + 1).padStart(2, '0')}-${words}.sql`, printStep(step)];
    }),
  );
}

/** The prefix of the names of the files of a version. */
export function filePrefix(version: number): string {
  return `${String(version).padStart(4, '0')}-`;
}

/** The statements of a file, which are the same however the step is described. */
export function statementsOf(text: string): string {
  return text.replace(/^--.*\n/gm, '');
}
