import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { KillOutcome } from './kill-cases.js';

const file = new URL('REPORT.md', import.meta.url);

const head = `# Killed servers

Written by \`KILLS=all npx vitest run --project=long test/runtime/runs/killed-server.long.test.ts\`. For each workflow of the
parcel example, one server runs it to its end and counts its continuations: what follows an \`await\`. Then a server is killed
(SIGKILL) before each of them, or with a number in \`KILLS\` before so many of them at equal distances, while it runs its own
run and goes on with those of killed servers; two servers together end the rest. A trigger notes each change of a row: no
step of the store has changed one twice. Each step with a resolver was called at least once, with the id of one shipment; the
last column is the number of its calls beyond the first. Runs of \`payInvoice\` fail, and undo their two steps.

| engine | workflow | continuations | servers killed | repeated calls |
|---|---|--:|--:|--:|
`;

/** Replaces the rows of an engine in the report. */
export function reportKills(engine: string, outcomes: readonly KillOutcome[]): void {
  const before = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const others = before.filter((line) => /^\| (?:SQLite|PostgreSQL) /.test(line) && !line.startsWith(`| ${engine} `));
  const own = outcomes.map(
    ({ workflow, continuations, killed, repeats }) =>
      `| ${engine} | \`${workflow}\` | ${continuations} | ${killed} | ${repeats} |`,
  );
  writeFileSync(file, `${head}${[...others, ...own].sort().reverse().join('\n')}\n`);
}
