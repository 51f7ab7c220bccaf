import { useMemo } from 'preact/hooks';
import { describeActivity, describeStep, healthOf, type LiveGraph } from './live-graph.js';
import { farAway, type Pill, pillSize, placePills, tagSize } from './place-pills.js';
import type { Structure } from './structure.js';

interface PillsProps {
  readonly structure: Structure;
  readonly live: LiveGraph;
  /** The parts that are not dimmed; undefined if none is. */
  readonly near: ReadonlySet<string> | undefined;
}

/** The numbers of edges and the outcomes of races, each in its reserved place above the lines. */
export function Pills({ structure, live, near }: PillsProps) {
  const pills = useMemo(() => placePills(structure), [structure]);
  return (
    // Each edge has them in its name, too.
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a group of SVG is not focusable.
    <g class="pills" aria-hidden="true">
      {pills.map((pill, at) => (
        <Shown key={at} pill={pill} live={live} isNear={near?.has(pill.coordinate) ?? true} />
      ))}
    </g>
  );
}

function Shown({ pill, live, isNear }: { readonly pill: Pill; readonly live: LiveGraph; readonly isNear: boolean }) {
  const { x, y, coordinate, branch, line } = pill;
  const label = branch === undefined ? line.label : undefined;
  const activity = live.edge(coordinate).value;
  const { race, step } = activity;
  const isLost = branch !== undefined && race?.cancelled.includes(branch) === true;
  const lines =
    branch === undefined
      ? describeActivity(race?.winner === undefined ? activity : withoutRace(activity)).slice(0, 2)
      : isLost
        ? ['✕ cancelled']
        : race !== undefined && race.winner === branch
          ? ['✓ won']
          : [];
  if (lines.length === 0) return null;
  const { width } = branch === undefined ? pillSize : tagSize;
  const height = branch === undefined ? 3 + lines.length * 12 : tagSize.height;
  const state = branch !== undefined ? (isLost ? 'lost' : 'won') : step === undefined ? '' : `step-${step.state}`;
  return (
    <g class={`pill ${healthOf(activity) ?? ''} ${state} ${isNear ? '' : 'dimmed'}`} data-edge={coordinate}>
      {label !== undefined && Math.hypot(label.x - x, label.y - y) > farAway ? (
        <path class="leader" d={`M${label.x},${label.y}L${x},${y}`} />
      ) : null}
      <rect x={x - width / 2} y={y - height / 2} width={width} height={height} rx={7} />
      {lines.map((text, at) => (
        <text
          key={at}
          class={step !== undefined && text === describeStep(step) ? 'step' : 'numbers'}
          x={x}
          y={y + 3 + (at - (lines.length - 1) / 2) * 11}
          {...(text.length * widthOfCharacter > width - 8
            ? { textLength: width - 8, lengthAdjust: 'spacingAndGlyphs' }
            : {})}
        >
          {text}
        </text>
      ))}
    </g>
  );
}

/** About the width of a character of this size; a text that may be wider is set narrower. */
const widthOfCharacter = 4.7;

/** The branches of a race show its outcome. */
function withoutRace<Activity extends { readonly race?: object }>({ race: _, ...rest }: Activity) {
  return rest;
}
