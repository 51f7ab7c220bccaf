import type { Load } from './load.js';
import { elsewhere, type Row, type Side, selfRow, selfTolerance, rows as servingRows } from './rows.js';

/** The figures of one round. */
export interface Measured extends Load {
  /** The processor time of the server for one request, user and system. */
  readonly microseconds: number;
}

/** The figures of one side: a list of rounds for each of its processes, or why there are none. */
export type Figures = readonly (readonly Measured[])[] | { readonly missing: string };

type ProcessFigures = Exclude<Figures, { readonly missing: string }>;

/** The conditions of a run. */
export interface Conditions {
  readonly nodeVersion: string;
  /** Whether server and client had a processor each. */
  readonly isPinned: boolean;
  /** The rounds of each process. */
  readonly rounds: number;
  /** The processes of each server, one after another. */
  readonly processes: number;
  readonly connections: number;
  readonly peers: Readonly<Record<string, string>>;
}

/** Writes the report of these rows as Markdown. */
export function writeReport(
  rows: readonly Row[],
  figuresOf: (side: Side) => Figures,
  conditions: Conditions,
): string {
  const { nodeVersion, isPinned, rounds, processes, connections, peers } = conditions;
  const where = isPinned ? 'the server on one processor, the client on another' : 'not pinned';
  return [
    '# Benchmark of serving',
    '',
    'Written by `npm run bench:http`, with `-- --many` for the rows of many objects. The same resolvers answer the',
    'same fields everywhere, in production settings; ours with its limits, the others without. All servers of a row were measured in one run, warmed',
    'alike, in short rounds of shuffled order. The time of a process is the mean of its fastest quarter of rounds:',
    'other work on the machine can only add to a round. The ratio is the processor time of the baseline for one',
    'request, user and system, divided by ours, greater is better: the median of the processes, with the least and',
    'the greatest. Only ratios are judged. Row 0 is one server against itself; if it is outside 0.97–1.03, the run',
    'is void.',
    '',
    `Node ${nodeVersion}, ${where}, ${processes} processes of each server with ${rounds} rounds each, ${connections} connections; ` +
      `${Object.entries(peers)
        .map(([name, version]) => `${name} ${version}`)
        .join(', ')}.`,
    '',
    ...(isVoid(figuresOf) ? ['**This run is void: row 0 is outside its limits.**', ''] : []),
    '| | ours | baseline | ours, µs | req/s | p99 ms | baseline, µs | req/s | p99 ms | ratio (least–greatest) | target | |',
    '|---|---|---|--:|--:|--:|--:|--:|--:|---|---|---|',
    ...[selfRow, ...rows].map((row, index) => line(row, index, figuresOf)),
    ...(rows === servingRows ? elsewhere : []).map(
      ({ title, target }, index) =>
        `| ${rows.length + index + 1} | ${title} | | | | | | | | | ${target} | see [fan-out](fan-out/REPORT.md) |`,
    ),
    '',
    ...reasons(rows, figuresOf),
  ].join('\n');
}

/** Why the rows that are not met are not. */
function reasons(rows: readonly Row[], figuresOf: (side: Side) => Figures): readonly string[] {
  const missed = rows.flatMap(({ title, whyNot }, index) =>
    whyNot !== undefined && line(rows[index] as Row, index + 1, figuresOf).endsWith(`${notMet} |`)
      ? [`- ${index + 1}, ${title}: ${whyNot}`]
      : [],
  );
  return missed.length === 0 ? [] : ['Why not:', '', ...missed, ''];
}

const notMet = '**not met**';

function line(row: Row, number: number, figuresOf: (side: Side) => Figures): string {
  const baseline = figuresOf(row.baseline);
  const measured = row.ours.map((side) => ({ side, figures: figuresOf(side) }));
  const best = measured
    .filter(({ figures }) => !('missing' in figures))
    .toSorted((a, b) => cost(a.figures) - cost(b.figures))[0];
  const name = row.baseline.variant === undefined ? row.baseline.contender : 'the same without its tracing';
  const target = row.limit === undefined ? '' : `≥ ${row.limit}×`;
  if (best === undefined || 'missing' in baseline || 'missing' in best.figures) {
    const reason = [baseline, ...measured.map(({ figures }) => figures)].flatMap((figures) =>
      'missing' in figures ? [figures.missing] : [],
    );
    return `| ${number} | ${row.title} | ${name} | | | | | | | ${reason.join(' ')} | ${target} | **not measured** |`;
  }
  const ratios = ratiosOf(best.figures, baseline);
  const ratio = median(ratios);
  const verdict = row.limit === undefined ? '' : ratio >= row.limit ? 'met' : notMet;
  const host = row.ours.length > 1 ? ` (${best.side.contender})` : '';
  return (
    `| ${number} | ${row.title}${host} | ${name} | ${columns(best.figures)} | ${columns(baseline)} ` +
    `| ${digits(ratio)} (${digits(ratios[0] ?? ratio)}–${digits(ratios.at(-1) ?? ratio)}) | ${target} | ${verdict} |`
  );
}

/** Whether a server against itself differs so much that nothing else in the run can be judged. */
export function isVoid(figuresOf: (side: Side) => Figures): boolean {
  const [ours, baseline] = [...selfRow.ours, selfRow.baseline].map(figuresOf);
  if (ours === undefined || baseline === undefined || 'missing' in ours || 'missing' in baseline)
    return false;
  return Math.abs(median(ratiosOf(ours, baseline)) - 1) > selfTolerance;
}

/** The ratios of the processes, in ascending order. */
function ratiosOf(ours: ProcessFigures, baseline: ProcessFigures): readonly number[] {
  const ratios = ours.map((rounds, at) => quietTime(baseline[at] ?? []) / quietTime(rounds));
  return ratios.toSorted((a, b) => a - b);
}

function cost(figures: Figures): number {
  return 'missing' in figures ? Number.POSITIVE_INFINITY : median(figures.map(quietTime));
}

function columns(figures: ProcessFigures): string {
  const rounds = figures.flat();
  const rate = median(rounds.map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0);
  return `${cost(figures).toFixed(1)} | ${rate} | ${median(rounds.map(({ p99 }) => p99)).toFixed(1)}`;
}

/** The mean time of a request in the fastest quarter of the rounds of one process, in microseconds. */
function quietTime(rounds: readonly Measured[]): number {
  const times = rounds.map(({ microseconds }) => microseconds).toSorted((a, b) => a - b);
  const fastest = times.slice(0, Math.ceil(times.length / 4));
  return fastest.reduce((sum, time) => sum + time, 0) / fastest.length;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function digits(value: number): string {
  return value.toPrecision(3);
}
