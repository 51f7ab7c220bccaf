import type { Load } from './load.js';
import { elsewhere, type Row, rows, type Side } from './rows.js';

/** What was measured of one side: one figure a round, or why there is none. */
export type Figures = readonly Load[] | { readonly missing: string };

/** Under what conditions a report came about. */
export interface Conditions {
  readonly nodeVersion: string;
  /** Whether server and client had a processor each. */
  readonly isPinned: boolean;
  readonly rounds: number;
  readonly connections: number;
  readonly peers: Readonly<Record<string, string>>;
}

/** Writes the report as Markdown. */
export function writeReport(figuresOf: (side: Side) => Figures, conditions: Conditions): string {
  const { nodeVersion, isPinned, rounds, connections, peers } = conditions;
  const where = isPinned ? 'the server on one processor, the client on another' : 'not pinned';
  return [
    '# Benchmark of serving',
    '',
    'Written by `npm run bench:http`. The same resolver answers the same five fields everywhere, in production',
    'settings; ours with its limits, the others without. All servers of a row were measured in one run, in',
    'alternating rounds. The ratio is our requests per second divided by those of the baseline, greater is',
    'better: the median of the rounds, with the least and the greatest. Only ratios are judged.',
    '',
    `Node ${nodeVersion}, ${where}, ${rounds} rounds, ${connections} connections; ` +
      `${Object.entries(peers)
        .map(([name, version]) => `${name} ${version}`)
        .join(', ')}.`,
    '',
    '| | ours | baseline | ours, req/s | p99 ms | baseline, req/s | p99 ms | ratio (least–greatest) | target | |',
    '|---|---|---|--:|--:|--:|--:|---|---|---|',
    ...rows.map((row, index) => line(row, index + 1, figuresOf)),
    ...elsewhere.map(
      ({ title, target }, index) =>
        `| ${rows.length + index + 1} | ${title} | | | | | | | ${target} | see [fan-out](fan-out/REPORT.md) |`,
    ),
    '',
  ].join('\n');
}

function line(row: Row, number: number, figuresOf: (side: Side) => Figures): string {
  const baseline = figuresOf(row.baseline);
  const measured = row.ours.map((side) => ({ side, figures: figuresOf(side) }));
  const best = measured
    .filter(({ figures }) => !('missing' in figures))
    .toSorted((a, b) => rate(b.figures) - rate(a.figures))[0];
  const name = row.baseline.variant === undefined ? row.baseline.contender : 'the same without its tracing';
  const target = row.limit === undefined ? '' : `≥ ${row.limit}×`;
  if (best === undefined || 'missing' in baseline || 'missing' in best.figures) {
    const reason = [baseline, ...measured.map(({ figures }) => figures)].flatMap((figures) =>
      'missing' in figures ? [figures.missing] : [],
    );
    return `| ${number} | ${row.title} | ${name} | | | | | ${reason.join(' ')} | ${target} | **not measured** |`;
  }
  const ratios = best.figures
    .map(({ requestsPerSecond }, at) => requestsPerSecond / (baseline[at]?.requestsPerSecond ?? Number.NaN))
    .toSorted((a, b) => a - b);
  const ratio = median(ratios);
  const verdict = row.limit === undefined ? '' : ratio >= row.limit ? 'met' : '**not met**';
  const host = row.ours.length > 1 ? ` (${best.side.contender})` : '';
  return (
    `| ${number} | ${row.title}${host} | ${name} | ${rate(best.figures).toFixed(0)} | ${p99(best.figures)} ` +
    `| ${rate(baseline).toFixed(0)} | ${p99(baseline)} ` +
    `| ${digits(ratio)} (${digits(ratios[0] ?? ratio)}–${digits(ratios.at(-1) ?? ratio)}) | ${target} | ${verdict} |`
  );
}

function rate(figures: Figures): number {
  return 'missing' in figures ? 0 : median(figures.map(({ requestsPerSecond }) => requestsPerSecond));
}

function p99(figures: readonly Load[]): string {
  return median(figures.map((figure) => figure.p99)).toFixed(1);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function digits(value: number): string {
  return value.toPrecision(3);
}
