import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Drawing, Point } from '../../src/analysis/diagram/drawing.js';
import {
  between,
  type Camera,
  firstView,
  fitTo,
  pan,
  type Rectangle,
  reveal,
  type Size,
  zoomAt,
} from './camera.js';

/** What moves the view of a drawing. */
export interface CameraControl {
  /** Zooms about the middle of the view. */
  zoom(factor: number): void;
  /** Shows a rectangle, or the whole drawing. */
  fit(rectangle?: Rectangle): void;
  /** Shows as much of the drawing as is readable. */
  first(): void;
  pan(by: Point): void;
  /** Shows a point. */
  reveal(point: Point): void;
  /** Moves the view along, without animation, so that a point of the drawing that has moved stays where it was seen. */
  follow(from: Point, to: Point): void;
  /** Moves a point of the drawing to the middle of the view, without animation. */
  centre(point: Point): void;
  /** The middle of the view, as a point of the drawing. */
  middle(): Point;
  /** Calls a function whenever another part of the drawing is seen, until the returned function is called. */
  watch(listener: (seen: Rectangle) => void): () => void;
}

/**
 * Moves the view with the pointer, the wheel and two fingers. The camera is not state of a component: it sets one
 * attribute of `world`, so that a frame costs no rendering.
 *
 * @param view - The element that is seen.
 * @param world - The group of everything that moves.
 */
export function useCamera(
  view: RefObject<SVGSVGElement | null>,
  world: RefObject<SVGGElement | null>,
  drawing: Drawing,
): CameraControl {
  const size = useRef(drawing);
  size.current = drawing;
  const control = useMemo(() => createControl(view, world, size), [view, world]);
  useEffect(() => control.attach(), [control]);
  return control;
}

/** How long the view has to rest before its detail changes, in milliseconds. */
const restTime = 120;

/** At smaller scales the texts of lines are hidden, then the second lines of boxes, then all texts. */
const readableScales = { lines: 0.5, labels: 0.35, boxes: 0.2 } as const;

function createControl(
  view: RefObject<SVGSVGElement | null>,
  world: RefObject<SVGGElement | null>,
  drawing: { readonly current: Drawing },
): CameraControl & { attach(): () => void } {
  let camera: Camera | undefined;
  let target: Camera | undefined;
  let seen: Size = { width: 0, height: 0 };
  let frame = 0;
  let rest: number | undefined;
  const listeners = new Set<(seen: Rectangle) => void>();

  const showDetail = () => {
    if (camera === undefined || view.current === null) return;
    const { scale } = camera;
    const detail = Object.entries(readableScales).find(([, least]) => scale >= least)?.[0] ?? 'none';
    if (view.current.dataset.detail !== detail) view.current.dataset.detail = detail;
  };
  const rectangleOf = ({ x, y, scale }: Camera): Rectangle => ({
    x: -x / scale,
    y: -y / scale,
    width: seen.width / scale,
    height: seen.height / scale,
  });
  const apply = () => {
    if (camera === undefined || world.current === null) return;
    const { x, y, scale } = camera;
    world.current.setAttribute('transform', `translate(${x} ${y}) scale(${scale})`);
    for (const listener of listeners) listener(rectangleOf(camera));
    // Showing or hiding hundreds of texts takes longer than a frame, so a movement does not wait for it.
    clearTimeout(rest);
    rest = window.setTimeout(showDetail, restTime);
  };
  const schedule = (draw: FrameRequestCallback) => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
  };
  /** The next position of a movement that is not animated; several in one frame are drawn once. */
  const move = (change: (from: Camera) => Camera) => {
    const from = target ?? camera;
    if (from === undefined) return;
    target = undefined;
    camera = change(from);
    schedule(apply);
  };
  const glide = (to: Camera) => {
    const from = camera;
    if (from === undefined || matchMedia('(prefers-reduced-motion: reduce)').matches) {
      move(() => to);
      return;
    }
    target = to;
    const began = performance.now();
    const step = (now: number) => {
      const share = Math.min(Math.max((now - began) / 220, 0), 1);
      camera = between(from, to, 1 - (1 - share) ** 3);
      apply();
      if (share < 1) frame = requestAnimationFrame(step);
      else target = undefined;
    };
    schedule(step);
  };
  const whole = (): Rectangle => ({ x: 0, y: 0, ...drawing.current });
  const centre = (): Point => ({ x: seen.width / 2, y: seen.height / 2 });

  return {
    zoom: (factor) => {
      const from = target ?? camera;
      if (from !== undefined) glide(zoomAt(from, centre(), factor, drawing.current, seen));
    },
    fit: (rectangle = whole()) => glide(fitTo(rectangle, seen)),
    first: () => glide(firstView(drawing.current, seen)),
    pan: (by) => move((from) => pan(from, by, drawing.current, seen)),
    reveal: (point) => {
      const from = target ?? camera;
      if (from === undefined) return;
      const to = reveal(from, point, seen);
      if (to !== from) glide(to);
    },
    follow: (from, to) =>
      move(({ x, y, scale }) => ({
        scale,
        x: x + (from.x - to.x) * scale,
        y: y + (from.y - to.y) * scale,
      })),
    centre: ({ x, y }) =>
      move(({ scale }) => ({ scale, x: seen.width / 2 - x * scale, y: seen.height / 2 - y * scale })),
    middle: () => {
      const { x, y, width, height } = rectangleOf(camera ?? fitTo(whole(), seen));
      return { x: x + width / 2, y: y + height / 2 };
    },
    watch(listener) {
      listeners.add(listener);
      if (camera !== undefined) listener(rectangleOf(camera));
      return () => listeners.delete(listener);
    },
    attach() {
      const element = view.current;
      if (element === null) return () => {};
      const resized = new ResizeObserver(([entry]) => {
        if (entry === undefined) return;
        const before = centre();
        seen = entry.contentRect;
        if (camera === undefined) {
          camera = firstView(drawing.current, seen);
          apply();
          showDetail();
        } else {
          const after = centre();
          move((from) => ({ ...from, x: from.x + after.x - before.x, y: from.y + after.y - before.y }));
        }
      });
      resized.observe(element);
      const detach = listenToPointers(element, (by, factor, at) =>
        move((from) => {
          const moved = pan(from, by, drawing.current, seen);
          return factor === 1 ? moved : zoomAt(moved, at, factor, drawing.current, seen);
        }),
      );
      return () => {
        resized.disconnect();
        detach();
        cancelAnimationFrame(frame);
        clearTimeout(rest);
      };
    },
  };
}

/** A movement of the pointers: by how much, and the factor of the zoom about a point of the view. */
type Moved = (by: Point, factor: number, at: Point) => void;

/** One pointer pans, two pan and zoom, the wheel pans, and zooms with Ctrl, as the pinch of a touchpad is reported. */
function listenToPointers(element: SVGSVGElement, moved: Moved): () => void {
  const pointers = new Map<number, Point>();
  let travelled = 0;
  const placeOf = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top } = element.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const spread = () => {
    const [a, b] = [...pointers.values()];
    if (a === undefined) return { x: 0, y: 0, distance: 0 };
    if (b === undefined) return { ...a, distance: 0 };
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, distance: Math.hypot(a.x - b.x, a.y - b.y) };
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0 && event.button !== 1) return;
    if (pointers.size === 0) travelled = 0;
    pointers.set(event.pointerId, placeOf(event));
  };
  const move = (event: PointerEvent) => {
    if (!pointers.has(event.pointerId)) return;
    const before = spread();
    pointers.set(event.pointerId, placeOf(event));
    const after = spread();
    const by = { x: after.x - before.x, y: after.y - before.y };
    travelled += Math.abs(by.x) + Math.abs(by.y);
    // A small movement is a click; the capture of the pointer would take the click from the part below it.
    if (travelled > 4 && !element.hasPointerCapture(event.pointerId)) {
      element.setPointerCapture(event.pointerId);
      element.dataset.dragging = '';
    }
    moved(by, before.distance > 0 && after.distance > 0 ? after.distance / before.distance : 1, after);
  };
  const up = (event: PointerEvent) => {
    pointers.delete(event.pointerId);
    if (pointers.size === 0) delete element.dataset.dragging;
  };
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const [x, y] = [event.deltaX * lines, event.deltaY * lines];
    if (event.ctrlKey || event.metaKey) {
      const most = 120;
      const by = Math.min(Math.max(y, -most), most);
      moved({ x: 0, y: 0 }, Math.exp(-by / 250), placeOf(event));
    } else {
      moved(event.shiftKey && x === 0 ? { x: -y, y: 0 } : { x: -x, y: -y }, 1, placeOf(event));
    }
  };
  element.addEventListener('pointerdown', down);
  element.addEventListener('pointermove', move);
  element.addEventListener('pointerup', up);
  element.addEventListener('pointercancel', up);
  element.addEventListener('wheel', wheel, { passive: false });
  return () => {
    element.removeEventListener('pointerdown', down);
    element.removeEventListener('pointermove', move);
    element.removeEventListener('pointerup', up);
    element.removeEventListener('pointercancel', up);
    element.removeEventListener('wheel', wheel);
  };
}
