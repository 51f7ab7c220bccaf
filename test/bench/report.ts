import type { Measurement, Unit } from './measurement.js';
import { control, type Row, rows } from './targets.js';

/** Under what conditions a report came about. */
export interface Conditions {
  readonly nodeVersion: string;
  readonly processors: number;
  /** Whether everything ran on one processor. */
  readonly isPinned: boolean;
  /** The versions of the packages that baselines are made of, by name. */
  readonly peers: Readonly<Record<string, string>>;
}

/** Writes the report as Markdown: one table, and above it how to read it. */
export function writeReport(measurements: readonly Measurement[], conditions: Conditions): string {
  const { nodeVersion, processors, isPinned, peers } = conditions;
  const where = `Node ${nodeVersion}, ${processors} processors${isPinned ? ', everything on one of them' : ''}`;
  const against = Object.entries(peers).map(([name, version]) => `${name} ${version}`);
  return [
    '# Benchmark of the compiler',
    '',
    'Written by `npm run bench`. Both sides of a row ran side by side in one run, in alternating rounds on',
    'fresh input after a warm-up. The ratio is ours divided by the baseline, smaller is better: the median',
    'of the rounds, with the least and the greatest. Only ratios are judged; the absolute figures are',
    'medians from one machine, for orientation. A size in italics is outside the target.',
    '',
    'Times inside a process are the time that the processor worked for it, collecting garbage included;',
    'those of whole processes are what passes on the clock. `gg-svc build` writes the SDL and the',
    'collection beside the OpenAPI document; `tsp compile` writes the document alone.',
    '',
    `Measured with ${where}; against ${against.join(', ')}.`,
    '',
    ...controlLines(measurements),
    '| | ours | baseline | size | ours | baseline | ratio (least–greatest) | target | |',
    '|---|---|---|---|--:|--:|--:|---|---|',
    ...rows.flatMap((row, index) => tableLines(row, index + 1, measurements)),
    '',
    ...summary(measurements),
    '',
  ].join('\n');
}

/** One measurement as a line for the terminal. */
export function describeMeasurement(measurement: Measurement): string {
  const { row: id, size, unit, ours, baseline, ratio, judged } = measurement;
  const row: Row = [control, ...rows].find((candidate) => candidate.id === id) ?? control;
  const figures = `${written(ours, unit)} against ${written(baseline, unit)} ${unit}`;
  const verdict = judged ? `${isMet(row, measurement) ? 'met' : 'not met'} (${row.target})` : 'not judged';
  return `${id.padEnd(16)} ${size.padEnd(20)} ${figures.padEnd(34)} ratio ${short(ratio.median)} (${short(ratio.min)}–${short(ratio.max)})  ${verdict}`;
}

/** Whether a row keeps its target at one size. */
export function isMet(row: Row, { ratio, size }: Measurement): boolean {
  return ratio.median <= (row.limitAt?.[size] ?? row.limit) && ratio.median >= (row.least ?? 0);
}

/** Whether the compiler differs from itself: then no figure of the run says anything. */
export function isVoid(measurements: readonly Measurement[]): boolean {
  return measurements.some((measurement) => measurement.row === control.id && !isMet(control, measurement));
}

function controlLines(measurements: readonly Measurement[]): string[] {
  const found = measurements.find(({ row }) => row === control.id);
  if (found === undefined) return [];
  const { median, min, max } = found.ratio;
  const line = `${control.title} against itself: ${short(median)} (${short(min)}–${short(max)}); ${control.target} is expected.`;
  return [line, '', ...(isVoid(measurements) ? ['**This run is void.**', ''] : [])];
}

function tableLines(row: Row, number: number, measurements: readonly Measurement[]): string[] {
  return measurements
    .filter((measurement) => measurement.row === row.id)
    .map((measurement, index) => {
      const { size, unit, ours, baseline, ratio, judged } = measurement;
      const verdict = judged ? (isMet(row, measurement) ? 'met' : '**not met**') : '';
      const cells = [
        index === 0 ? number : '',
        index === 0 ? row.title : '',
        index === 0 ? row.baseline : '',
        judged ? size : `*${size}*`,
        `${written(ours, unit)} ${unit}`,
        `${written(baseline, unit)} ${unit}`,
        `${short(ratio.median)} (${short(ratio.min)}–${short(ratio.max)})`,
        index === 0 ? row.target : '',
        verdict,
      ];
      return `| ${cells.join(' | ')} |`;
    });
}

function summary(measurements: readonly Measurement[]): string[] {
  const states = rows.map((row: Row) => {
    const judged = measurements.filter((measurement) => measurement.row === row.id && measurement.judged);
    return judged.length > 0 && judged.every((measurement) => isMet(row, measurement));
  });
  const met = states.filter(Boolean).length;
  const missed = states.flatMap((isMetEverywhere, index) => (isMetEverywhere ? [] : [index + 1]));
  const rest = missed.length === 0 ? '' : ` Not met: ${missed.join(', ')}.`;
  const reasons = missed.flatMap((number) => {
    const { title, whyNot }: Row = rows[number - 1] as Row;
    return whyNot === undefined ? [] : [`- ${number}, ${title}: ${whyNot}`];
  });
  const why = reasons.length === 0 ? [] : ['', 'Why not:', '', ...reasons];
  return [`**${met} of ${rows.length} targets met.**${rest}`, ...why];
}

function written(value: number, unit: Unit): string {
  if (unit === 'ms') return short(value / 1e6);
  return unit === 'MiB' ? short(value / 1_048_576) : String(Math.round(value));
}

/** Three significant digits, without an exponent. */
function short(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  return value.toFixed(digits);
}
