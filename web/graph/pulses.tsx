import { useLayoutEffect, useRef } from 'preact/hooks';
import type { DrawnLine } from '../../src/analysis/diagram/drawing.js';
import { appendTo } from '../../src/compiler/graph/maps.js';
import type { LiveGraph } from './live-graph.js';
import { branchOf } from './place-pills.js';
import type { Structure } from './structure.js';

/** Spots of light that run along an edge for each of its calls; none for users who want less motion. */
export function Pulses({ structure, live }: { readonly structure: Structure; readonly live: LiveGraph }) {
  const group = useRef<SVGGElement>(null);
  // Calls may come before the first frame, after which other effects run.
  useLayoutEffect(() => {
    const stems = new Map<string, DrawnLine[]>();
    for (const [line, edges] of structure.edges) {
      if (line.hasHead) continue;
      for (const edge of edges) appendTo(stems, edge, line);
    }
    const last = new Map<string, number>();
    const still = matchMedia('(prefers-reduced-motion: reduce)');
    return live.onCall(({ coordinate, hasFailed, cancelled = [], isSlow = false }) => {
      const now = performance.now();
      const rest = 90;
      if (still.matches || document.hidden || now - (last.get(coordinate) ?? Number.NEGATIVE_INFINITY) < rest) return;
      last.set(coordinate, now);
      const duration = isSlow ? slow : fast;
      const before = stems.get(coordinate) ?? [];
      for (const line of before) {
        const isCancelled = cancelled.includes(branchOf(structure, line) ?? '');
        run(group.current, line, { hasFailed, duration, isCancelled });
      }
      const delay = before.length === 0 ? 0 : duration * 0.8;
      for (const line of structure.lines.get(coordinate) ?? [])
        run(group.current, line, { hasFailed, duration, delay });
    });
  }, [structure, live]);
  return <g ref={group} class="pulses" />;
}

/** How long a spot takes for an edge, in milliseconds: usually, and in slow motion. */
const [fast, slow] = [650, 2600];

interface Course {
  readonly hasFailed: boolean;
  readonly duration: number;
  readonly delay?: number;
  /** Whether the spot stops on its way. */
  readonly isCancelled?: boolean;
}

function run(group: SVGGElement | null, { path, becomes }: DrawnLine, course: Course): void {
  if (group === null) return;
  const { hasFailed, duration, delay = 0, isCancelled = false } = course;
  const spot = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  spot.setAttribute('d', path);
  spot.setAttribute('pathLength', '100');
  spot.setAttribute('class', `pulse ${becomes} ${isCancelled ? 'cancelled' : hasFailed ? 'failed' : ''}`);
  group.append(spot);
  // One dash of 9 and a gap longer than the path: its offset moves it from before the start to behind the end.
  const start = { strokeDashoffset: 9 };
  const frames = isCancelled
    ? [start, { strokeDashoffset: -55, opacity: 1, offset: 0.55 }, { strokeDashoffset: -55, opacity: 0 }]
    : [start, { strokeDashoffset: -100 }];
  const movement = spot.animate(frames, { duration, delay, easing: 'ease-in-out', fill: 'backwards' });
  movement.onfinish = movement.oncancel = () => spot.remove();
}
