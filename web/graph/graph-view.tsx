import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Drawing, DrawnBox, DrawnLine, Point } from '../../src/analysis/diagram/drawing.js';
import { Box } from './box.js';
import { firstView, follow, type Rectangle, reveal } from './camera.js';
import { type CameraControl, createControl } from './camera-control.js';
import { type ChangeMark, markOfBox } from './change-mark.js';
import { Line } from './line.js';
import type { LiveGraph } from './live-graph.js';
import { Minimap } from './minimap.js';
import type { OnSelect, PartProps } from './part.js';
import { Pills } from './pills.js';
import { Pulses } from './pulses.js';
import {
  type Direction,
  type LineEnds,
  nameOfBox,
  nameOfPart,
  neighbourhoodIn,
  nextPart,
  partOfName,
  placeOf,
  type Selection,
  type Structure,
  structureOf,
  titleOfBox,
} from './structure.js';

/** What a graph shows. */
export interface GraphProps {
  readonly drawing: Drawing;
  readonly selection: Selection | undefined;
  readonly onSelect: OnSelect;
  /** Opens a group of nodes. */
  readonly onOpen?: (group: string) => void;
  /** Whether everything far from the selection is dimmed. */
  readonly isFocused?: boolean;
  /** What the last save has changed, by the names of parts. */
  readonly marks?: ReadonlyMap<string, ChangeMark>;
  readonly live?: LiveGraph;
  /** More controls beside those of the zoom. */
  readonly children?: ComponentChildren;
}

/** A topology as a picture that can be moved, and of which a part can be selected. */
export function GraphView(props: GraphProps) {
  const { drawing, selection, onSelect, onOpen, isFocused = false, marks, live, children } = props;
  const view = useRef<SVGSVGElement>(null);
  const world = useRef<SVGGElement>(null);
  const camera = useCamera(view, world, drawing);
  const structure = useMemo(() => structureOf(drawing), [drawing]);
  const selected = selection && nameOfPart(selection);
  const [visited, setVisited] = useState<string>();
  const entry = [visited, selected, ...structure.boxes.keys()].find((name) => name && placeOf(structure, name));
  const near = useMemo(
    () => (isFocused && selected !== undefined ? neighbourhoodIn(structure, selected) : undefined),
    [structure, selected, isFocused],
  );
  const successor = useFollow(drawing, structure, camera, selected, visited);
  const show = (name: string | undefined) => {
    setVisited(name);
    const place = name === undefined ? undefined : placeOf(structure, name);
    if (place !== undefined) camera.glide((from, seen) => reveal(from, place, seen));
  };
  useEffect(() => show(selected), [selected]);

  const visit = (name: string | undefined) => {
    if (name === undefined) return;
    show(name);
    elementOf(view.current, name)?.focus({ preventScroll: true });
  };
  // The group that had the focus was opened: its first part gets the focus.
  useEffect(() => {
    if (successor !== undefined && document.activeElement === document.body) visit(successor);
  }, [successor]);
  const choose = (name: string) => {
    setVisited(name);
    if (structure.boxes.get(name)?.group === undefined) onSelect(partOfName(name));
    else onOpen?.(name);
  };
  const onPartKey = (name: string) => (event: KeyboardEvent) => {
    const direction = directions[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (direction !== undefined) visit(nextPart(structure, name, direction));
    else if (event.key === 'Enter' || event.key === ' ') choose(name);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onViewKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.ctrlKey && !event.metaKey && !event.altKey) {
      onSelect(undefined);
      view.current?.focus({ preventScroll: true });
    } else if (!camera.key(event)) return;
    event.preventDefault();
  };
  const classOf = (isSelected: boolean, isNear: boolean) => `${isSelected ? 'selected ' : ''}${isNear ? '' : 'dimmed'}`;
  const partProps = (name: string, isFirst: boolean): PartProps => {
    const isSelected = name === selected;
    const onClick = () => choose(name);
    const className = `part ${classOf(isSelected, near?.has(name) ?? true)}`;
    // Further lines of an edge are the same part: they can be clicked, and are not announced again.
    if (!isFirst) return { class: className, 'aria-hidden': true, onClick };
    return {
      class: className,
      role: 'button',
      tabindex: name === entry ? 0 : -1,
      ...(structure.boxes.get(name)?.group === undefined ? { 'aria-pressed': isSelected } : { 'aria-expanded': false }),
      'data-part': name,
      onClick,
      onKeyDown: onPartKey(name),
    };
  };
  const drawn = new Set<string>();
  const isNearLine = (line: DrawnLine) => {
    const edges = structure.edges.get(line) ?? [];
    if (near === undefined) return true;
    if (edges.length > 0) return edges.some((edge) => near.has(edge));
    const { sources, targets } = structure.ends.get(line) as LineEnds;
    return [...sources, ...targets].every((name) => near.has(name));
  };
  const meetings = new Set(drawing.lines.filter(isNearLine).map(({ from }) => from));
  return (
    <div class="graph">
      <svg
        ref={view}
        role="application"
        aria-label="Topology"
        aria-describedby="graph-keys"
        tabindex={0}
        onKeyDown={onViewKey}
      >
        <desc id="graph-keys">
          Arrow keys move the picture, plus and minus zoom, 0 shows everything. Tab enters the graph; there, arrow keys
          move along the edges, Enter selects, Escape goes back.
        </desc>
        <g ref={world}>
          {drawing.boxes.map((box) => {
            const { key, node = '', x, y } = box;
            const name = nameOfBox(box);
            if (name === undefined) {
              const isNear = meetings.has(key);
              return <circle key={key} class={`meeting ${classOf(false, isNear)}`} cx={x} cy={y} r={3} />;
            }
            const mark = marks && markOfBox(box, marks);
            return <Box key={key} box={box} node={node} mark={mark} live={live} part={partProps(name, true)} />;
          })}
          {drawing.lines.map((line, index) => {
            const ends = structure.ends.get(line) as LineEnds;
            const edges = structure.edges.get(line) ?? [];
            const [name] = edges;
            const isNear = isNearLine(line);
            const isFirst = line.hasHead && name !== undefined && !drawn.has(name);
            if (isFirst) drawn.add(name);
            const mark = name === undefined ? undefined : marks?.get(name);
            const part =
              name === undefined ? { class: classOf(false, isNear), 'aria-hidden': true } : partProps(name, isFirst);
            const shown = { line, ends, edges, mark, live, part };
            return <Line key={index} {...shown} titleOf={(name) => titleOfBox(structure, name)} />;
          })}
          {live === undefined ? null : (
            <>
              <Pulses structure={structure} live={live} />
              <Pills structure={structure} live={live} near={near} />
            </>
          )}
        </g>
      </svg>
      <Minimap drawing={drawing} camera={camera} />
      <div class="graph-tools" role="toolbar" aria-label="View">
        <span class="group">
          <button type="button" title="Zoom out (−)" aria-label="Zoom out" onClick={() => camera.zoom(0.8)}>
            −
          </button>
          <button type="button" title="Zoom in (+)" aria-label="Zoom in" onClick={() => camera.zoom(1.25)}>
            +
          </button>
          <button type="button" title="Show everything (0)" onClick={() => camera.fit()}>
            Fit
          </button>
        </span>
        {children}
      </div>
    </div>
  );
}

const directions: Readonly<Record<string, Direction | undefined>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

function useCamera(view: RefObject<SVGSVGElement | null>, world: RefObject<SVGGElement | null>, drawing: Drawing) {
  const size = useRef(drawing);
  size.current = drawing;
  const control = useMemo(
    () => createControl(view, world, size, (seen) => firstView(size.current, seen)),
    [view, world],
  );
  useEffect(() => {
    let rest: number | undefined;
    // Showing or hiding hundreds of texts takes longer than a frame, so a movement does not wait for it.
    control.watch((_, scale) => {
      const { current } = view;
      if (current === null) return;
      const detail = Object.entries(readableScales).find(([, least]) => scale >= least)?.[0] ?? 'none';
      const show = () => {
        if (current.dataset.detail !== detail) current.dataset.detail = detail;
      };
      if (current.dataset.detail === undefined) show();
      clearTimeout(rest);
      rest = window.setTimeout(show, restTime);
    });
    return control.attach();
  }, [control]);
  return control;
}

/** How long the view has to rest before its detail changes, in milliseconds. */
const restTime = 120;

/** At smaller scales the texts of lines are hidden, then the second lines of boxes, then all texts. */
const readableScales = { lines: 0.5, labels: 0.35, boxes: 0.2 } as const;

function elementOf(view: SVGSVGElement | null, name: string): SVGElement | undefined {
  const parts = view?.querySelectorAll<SVGElement>('[data-part]') ?? [];
  return [...parts].find((part) => part.dataset.part === name);
}

/**
 * When another drawing is shown, a part stays where it was seen: the first part of the group that was opened, the selected
 * part, or else the one in the middle.
 *
 * @returns The first part of the group that was opened.
 */
function useFollow(
  drawing: Drawing,
  structure: Structure,
  camera: CameraControl,
  selected: string | undefined,
  visited: string | undefined,
): string | undefined {
  const former = useRef(structure);
  const [successor, setSuccessor] = useState<string>();
  const moveAlong = (from: Point, to: Point) => camera.move((before) => follow(before, from, to));
  useEffect(() => {
    const before = former.current;
    former.current = structure;
    if (before === structure) return;
    const first = visited === undefined ? undefined : firstOf(before.boxes.get(visited), structure);
    setSuccessor(first);
    if (first !== undefined) {
      moveAlong(placeOf(before, visited as string) as Point, placeOf(structure, first) as Point);
      return;
    }
    const anchor = [selected, nearestTo(before, camera.seen())].find(
      (name) => name && placeOf(before, name) && placeOf(structure, name),
    );
    const from = anchor && placeOf(before, anchor);
    const to = anchor && placeOf(structure, anchor);
    if (from && to) moveAlong(from, to);
    else camera.glide((_, seen) => firstView(drawing, seen));
  }, [structure]);
  return successor;
}

/** The first part of a group that is not in a structure any more. */
function firstOf(group: DrawnBox | undefined, { boxes }: Structure): string | undefined {
  if (group?.group === undefined || boxes.has(group.group)) return undefined;
  const members = new Set(group.members);
  return [...boxes].find(([, box]) => members.has(box.node ?? box.members?.[0] ?? ''))?.[0];
}

function nearestTo(structure: Structure, { x, y, width, height }: Rectangle): string | undefined {
  let best: string | undefined;
  let shortest = Number.POSITIVE_INFINITY;
  for (const [name, box] of structure.boxes) {
    const distance = Math.hypot(box.x - x - width / 2, box.y - y - height / 2);
    if (distance < shortest) [best, shortest] = [name, distance];
  }
  return best;
}
