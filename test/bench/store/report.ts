import { type Conditions, type FiguresOf, isVoid, reasons, tableOf } from '../http/report.js';
import { rowsOf } from './rows.js';

/** Writes the report of the store as Markdown. */
export function writeStoreReport(figuresOf: FiguresOf, conditions: Conditions): string {
  const { nodeVersion, isPinned, turns, processes, connections, peers } = conditions;
  const where = isPinned ? 'the server on one processor, the client and PostgreSQL on another' : 'not pinned';
  const names = Object.entries(peers).map(([name, version]) => `${name} ${version}`);
  return [
    '# Benchmark of the store',
    '',
    'Written by `npm run bench:store`. All servers read and write the same tables: 1,000 authors, 10,000 books and 30,000',
    'reviews. A nested read is 20 authors with their 10 books and the 3 reviews of each, 820 rows. The baselines are one',
    'hand-written statement that returns the JSON of the answer, passed on by `node:http`; Fastify with prepared',
    'statements, validation and response schemas; and PostGraphile. The hand-written insert writes its row and an event',
    'into a second table, in one transaction; ours publishes the event as a topology does. The ratio is the processor time of the baseline’s',
    'process for one request, user and system, divided by ours, greater is better; the time of PostgreSQL is in neither,',
    'that of SQLite in both. The measurement is [that of serving](REPORT-HTTP.md): pairs of processes, short turns that',
    'alternate, the middle half. If row 0 of an engine is outside 0.97–1.03, its rows are void.',
    '',
    `Node ${nodeVersion}, ${where}, at most ${processes} processes of each server with ${turns} turns each, ` +
      `${connections} connections; ${names.join(', ')}.`,
    ...(['PostgreSQL', 'SQLite'] as const).flatMap((engine) => {
      const rows = rowsOf(engine);
      const [self, ...others] = rows;
      const isRefuted = self !== undefined && isVoid(figuresOf, self);
      return [
        '',
        `## ${engine}`,
        '',
        ...(isRefuted ? ['**These rows are void: row 0 is outside its limits.**', ''] : []),
        ...tableOf(rows, figuresOf),
        '',
        ...reasons(others, figuresOf),
      ];
    }),
  ].join('\n');
}
