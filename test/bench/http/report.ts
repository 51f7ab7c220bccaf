import type { Load } from './load.js';
import { type AnySide, elsewhere, type Row, selfRow, selfTolerance, rows as servingRows } from './rows.js';

/** The figures of one side in one turn. */
export interface Measured extends Load {
  /** The processor time of the server for one request, user and system. */
  readonly microseconds: number;
}

/** The turns of one process of ours beside one of the baseline. */
export type Turns = readonly (readonly [ours: Measured, baseline: Measured])[];

/** The figures of one pair of sides: the turns of each pair of processes, or why there are none. */
export type Figures = readonly Turns[] | { readonly missing: string };

/** Finds the figures of a pair of sides. */
export type FiguresOf = (ours: AnySide, baseline: AnySide) => Figures;

/** The conditions of a run. */
export interface Conditions {
  readonly nodeVersion: string;
  /** Whether server and client had a processor each. */
  readonly isPinned: boolean;
  /** The turns of each pair of processes. */
  readonly turns: number;
  /** The processes of each server, one after another. */
  readonly processes: number;
  readonly connections: number;
  readonly peers: Readonly<Record<string, string>>;
}

/** Writes the report of these rows as Markdown. */
export function writeReport(rows: readonly Row[], figuresOf: FiguresOf, conditions: Conditions): string {
  const { nodeVersion, isPinned, turns, processes, connections, peers } = conditions;
  const where = isPinned ? 'the server on one processor, the client on another' : 'not pinned';
  return [
    '# Benchmark of serving',
    '',
    'Written by `npm run bench:http`, with `-- --many` for the rows of many objects. The same resolvers answer the',
    'same fields everywhere, in production settings; ours with its limits, the others without. All servers of a row were measured in one run, warmed',
    'alike. Ours and the baseline take short turns, so that other work on the machine slows both. The ratio is the',
    'processor time of the baseline for one request, user and system, divided by ours, greater is better: of each pair of',
    'processes the mean of the middle half of the turns; of all pairs the median, with the least and the greatest. Only',
    'ratios are judged. Row 0 is one server against itself; if it is outside 0.97–1.03, the run is void.',
    '',
    `Node ${nodeVersion}, ${where}, ${processes} processes of each server with ${turns} turns each, ${connections} connections; ` +
      `${Object.entries(peers)
        .map(([name, version]) => `${name} ${version}`)
        .join(', ')}.`,
    '',
    ...(isVoid(figuresOf) ? ['**This run is void: row 0 is outside its limits.**', ''] : []),
    ...tableOf([selfRow, ...rows], figuresOf),
    ...(rows === servingRows ? elsewhere : []).map(
      ({ title, target }, index) =>
        `| ${rows.length + index + 1} | ${title} | | | | | | | | | ${target} | see [fan-out](fan-out/REPORT.md) |`,
    ),
    '',
    ...reasons(rows, figuresOf),
  ].join('\n');
}

/** The rows as a table, the row of one server against itself first. */
export function tableOf(rows: readonly Row<AnySide>[], figuresOf: FiguresOf): readonly string[] {
  return [
    '| | ours | baseline | ours, µs | req/s | p99 ms | baseline, µs | req/s | p99 ms | ratio (least–greatest) | target | |',
    '|---|---|---|--:|--:|--:|--:|--:|--:|---|---|---|',
    ...rows.map((row, index) => line(row, index, figuresOf)),
  ];
}

/** Why the rows that are not met are not. */
export function reasons(rows: readonly Row<AnySide>[], figuresOf: FiguresOf): readonly string[] {
  const missed = rows.flatMap(({ title, whyNot }, index) =>
    whyNot !== undefined && line(rows[index] as Row<AnySide>, index + 1, figuresOf).endsWith(`${notMet} |`)
      ? [`- ${index + 1}, ${title}: ${whyNot}`]
      : [],
  );
  return missed.length === 0 ? [] : ['Why not:', '', ...missed, ''];
}

const notMet = '**not met**';

function line(row: Row<AnySide>, number: number, figuresOf: FiguresOf): string {
  const measured = row.ours.map((side) => ({ side, figures: figuresOf(side, row.baseline) }));
  const best = measured
    .flatMap(({ side, figures }) => ('missing' in figures ? [] : [{ side, figures, ratios: ratiosOf(figures) }]))
    .toSorted((a, b) => median(b.ratios) - median(a.ratios))[0];
  const name = row.baseline.variant === undefined ? row.baseline.contender : 'the same without its tracing';
  const target = row.limit === undefined ? '' : `≥ ${row.limit}×`;
  if (best === undefined) {
    const reasons = measured.flatMap(({ figures }) => ('missing' in figures ? [figures.missing] : []));
    return `| ${number} | ${row.title} | ${name} | | | | | | | ${[...new Set(reasons)].join(' ')} | ${target} | **not measured** |`;
  }
  const { side, figures, ratios } = best;
  const ratio = median(ratios);
  const verdict = row.limit === undefined ? '' : ratio >= row.limit ? 'met' : notMet;
  const host = row.ours.length > 1 ? ` (${side.contender})` : '';
  return (
    `| ${number} | ${row.title}${host} | ${name} | ${columns(figures, 0)} | ${columns(figures, 1)} ` +
    `| ${digits(ratio)} (${digits(ratios[0] ?? ratio)}–${digits(ratios.at(-1) ?? ratio)}) | ${target} | ${verdict} |`
  );
}

/** Whether a server against itself differs so much that nothing else in the run can be judged. */
export function isVoid(figuresOf: FiguresOf, row: Row<AnySide> = selfRow): boolean {
  const [ours] = row.ours;
  const figures = ours && figuresOf(ours, row.baseline);
  if (figures === undefined || 'missing' in figures) return false;
  return Math.abs(median(ratiosOf(figures)) - 1) > selfTolerance;
}

/** The ratios of the pairs of processes, in ascending order. */
function ratiosOf(pairs: readonly Turns[]): readonly number[] {
  return pairs
    .map((turns) =>
      Math.exp(middleMean(turns.map(([ours, baseline]) => Math.log(baseline.microseconds / ours.microseconds)))),
    )
    .toSorted((a, b) => a - b);
}

function columns(pairs: readonly Turns[], side: 0 | 1): string {
  const turns = pairs.flat().map((turn) => turn[side]);
  const time = middleMean(turns.map(({ microseconds }) => microseconds));
  const rate = median(turns.map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0);
  return `${time.toFixed(1)} | ${rate} | ${median(turns.map(({ p99 }) => p99)).toFixed(1)}`;
}

/** The mean of the middle half: a turn in which the machine did something else does not count. */
function middleMean(values: readonly number[]): number {
  const cut = values.length >> 2;
  const middle = values.toSorted((a, b) => a - b).slice(cut, values.length - cut);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function digits(value: number): string {
  return value.toPrecision(3);
}
