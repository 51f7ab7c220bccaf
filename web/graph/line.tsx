import { useMemo } from 'preact/hooks';
import type { DrawnLine } from '../../src/analysis/diagram/drawing.js';
import { lineHead, lineStroke, lineWords } from '../../src/analysis/diagram/shapes.js';
import type { ChangeMark } from './change-mark.js';
import { describeActivity, type EdgeActivity, healthOf, type LiveGraph } from './live-graph.js';
import { MarkBadge, type PartProps, Words } from './part.js';
import type { LineEnds } from './structure.js';

interface LineProps {
  readonly line: DrawnLine;
  readonly ends: LineEnds;
  /** The words for the box of a name. */
  readonly titleOf: (name: string) => string;
  readonly edges: readonly string[];
  readonly mark: ChangeMark | undefined;
  readonly live: LiveGraph | undefined;
  readonly part: PartProps;
}

/** A line of an edge, or of a field. */
export function Line({ line, ends, titleOf, edges, mark, live, part }: LineProps) {
  const { becomes, path, label, text, hasHead } = line;
  const head = lineHead(line);
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
        <path {...lineStroke(line)} />
        {head === undefined ? null : <path {...head} />}
        <Words words={lineWords(line)} />
        {mark === undefined || label === undefined ? null : (
          <MarkBadge mark={mark} x={label.x - label.width / 2 - 8} y={label.y} />
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
