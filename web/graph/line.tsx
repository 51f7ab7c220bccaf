import { useMemo } from 'preact/hooks';
import type { DrawnLine, Point } from '../../src/analysis/diagram/drawing.js';
import type { ChangeMark } from './change-mark.js';
import { describeActivity, type EdgeActivity, healthOf, type LiveGraph } from './live-graph.js';
import { MarkBadge } from './mark-badge.js';
import type { PartProps } from './part.js';
import type { LineEnds } from './structure.js';
import { Words } from './words.js';

/** A line of an edge, or of a field. */
export function Line({
  line,
  ends,
  titleOf,
  edges,
  mark,
  live,
  part,
}: {
  readonly line: DrawnLine;
  readonly ends: LineEnds;
  /** The words for the box of a name. */
  readonly titleOf: (name: string) => string;
  readonly edges: readonly string[];
  readonly mark: ChangeMark | undefined;
  readonly live: LiveGraph | undefined;
  readonly part: PartProps;
}) {
  const { becomes, path, tip, label, text, hasHead } = line;
  const activities = live === undefined ? [] : edges.map((edge) => live.edge(edge).value);
  const [activity = noActivity] = activities;
  const numbers = hasHead ? describeActivity(activity) : [];
  const health = healthOf(activity);
  const name = [
    [...text, ...numbers].join(' '),
    ends.sources.length > 0 && `from ${ends.sources.map(titleOf).join(' and ')}`,
    ends.targets.length > 0 && `to ${ends.targets.map(titleOf).join(' and ')}`,
    mark?.title,
  ];
  // Its own element, so that selecting another part compares this one with itself.
  const content = useMemo(
    () => (
      <>
        <path class="hit" d={path} />
        {mark === undefined ? null : <path class={`glow ${mark.level}`} d={path} />}
        {health === undefined ? null : (
          <path class={`heat ${health}`} d={path} style={{ strokeWidth: `${heatWidth(activity)}px` }} />
        )}
        <path class="stroke" d={path} />
        {tip === undefined ? null : <path class="head" d={headOf(becomes, endOf(path), tip)} />}
        {label === undefined ? null : (
          <>
            <Words
              lines={text.map((line, index) => ({
                text: line,
                class: index === text.length - 1 ? 'name' : 'type',
              }))}
              x={label.x}
              y={label.y + 3}
              size={11}
            />
            {mark === undefined ? null : <MarkBadge mark={mark} x={besideText(text, label.x)} y={label.y} />}
          </>
        )}
      </>
    ),
    [line, mark, activity],
  );
  return (
    <g
      {...part}
      class={`line ${becomes} ${raceClass(activity, ends)} ${stepClass(activity)} ${part.class}`}
      {...(part.role === undefined ? {} : { 'aria-label': name.filter(Boolean).join(', ') })}
    >
      {content}
    </g>
  );
}

const noActivity: EdgeActivity = {};

/** The place of a sign to the left of a text; the width of the text is an estimate. */
function besideText(text: readonly string[], middle: number): number {
  return middle - Math.max(...text.map(({ length }) => length)) * 3.1 - 12;
}

/** Whether the branch that a line shows has won the last race, or was cancelled. */
function raceClass({ race }: EdgeActivity, { sources }: LineEnds): string {
  if (race === undefined || sources.length !== 1) return '';
  const [source = ''] = sources;
  const id = source.slice(1, -1);
  return race.winner === id ? 'won' : race.cancelled.includes(id) ? 'lost' : '';
}

/** The state of the step that a run takes on this edge. */
function stepClass({ step }: EdgeActivity): string {
  return step === undefined ? '' : `walked step-${step.state}`;
}

/** Slow edges are wide: 5 for 1 ms, 8 for 10 ms, 14 for a second and more. */
function heatWidth({ statistics, subscription }: EdgeActivity): number {
  const duration = Math.max(statistics?.p95 ?? 0, subscription?.lag ?? 0, 1);
  return 5 + 3 * Math.min(Math.log10(duration), 3);
}

function endOf(path: string): Point {
  const [x = 0, y = 0] = path
    .slice(path.search(/[^MC, ]+,[^MC, ]+$/))
    .split(',')
    .map(Number);
  return { x, y };
}

/** The head of a line, from the end of its path to its tip. */
function headOf(becomes: DrawnLine['becomes'], from: Point, tip: Point): string {
  const length = Math.hypot(tip.x - from.x, tip.y - from.y) || 1;
  const [dx, dy] = [(tip.x - from.x) / length, (tip.y - from.y) / length];
  const at = (along: number, aside: number) =>
    `${round(from.x + dx * along - dy * aside)},${round(from.y + dy * along + dx * aside)}`;
  switch (becomes) {
    case 'subscription': {
      const radius = length / 2;
      return `M${at(0, 0)}A${radius},${radius},0,1,1,${at(length, 0)}A${radius},${radius},0,1,1,${at(0, 0)}Z`;
    }
    case 'union':
      return `M${at(0, 0)}L${at(length / 2, length / 3)}L${at(length, 0)}L${at(length / 2, -length / 3)}Z`;
    case 'field':
      return `M${at(0, length / 2)}L${at(length, 0)}L${at(0, -length / 2)}`;
    default:
      return `M${at(0, length * 0.42)}L${at(length, 0)}L${at(0, -length * 0.42)}Z`;
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
