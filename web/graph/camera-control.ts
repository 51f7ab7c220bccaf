import type { Point } from '../../src/analysis/diagram/drawing.js';
import { between, type Camera, fitTo, pan, type Rectangle, type Size, zoomAt } from './camera.js';

/** Finds the next camera; the same one to stay. */
type CameraChange = (from: Camera, view: Size) => Camera;

/** What moves the view of a drawing. */
export interface CameraControl {
  /** Zooms about the middle of the view. */
  zoom(factor: number): void;
  /** Shows the whole drawing, with everything that is shown around it. */
  fit(): void;
  /** Moves the view without animation. */
  move(change: CameraChange): void;
  /** Moves the view with an animation. */
  glide(change: CameraChange): void;
  /** The part of the drawing that is seen. */
  seen(): Rectangle;
  /** Calls a function whenever another part of the drawing is seen, until the returned function is called. */
  watch(listener: (seen: Rectangle, scale: number) => void): () => void;
  /** Moves the view as a key says. Returns whether it is one of these keys. */
  key(event: KeyboardEvent): boolean;
  /** Listens to the pointer and the wheel, until the returned function is called. */
  attach(): () => void;
}

/**
 * Moves the view with the pointer, the wheel and two fingers. Each movement sets one attribute of `world`, so that a frame
 * costs no rendering.
 *
 * @param view - The element that is seen.
 * @param world - The group of everything that moves.
 * @param first - What is seen at first.
 * @param scrolls - Whether the wheel without Ctrl scrolls the page around the view.
 */
export function createControl(
  view: { readonly current: SVGSVGElement | null },
  world: { readonly current: SVGGElement | null },
  drawing: { readonly current: Size },
  first: (seen: Size) => Camera,
  scrolls = false,
): CameraControl {
  let camera: Camera | undefined;
  let target: Camera | undefined;
  let seen: Size = { width: 0, height: 0 };
  let frame = 0;
  const listeners = new Set<(seen: Rectangle, scale: number) => void>();

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
    for (const listener of listeners) listener(rectangleOf(camera), scale);
  };
  const schedule = (draw: FrameRequestCallback) => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
  };
  /** The next position of a movement that is not animated; several in one frame are drawn once. */
  const move = (change: CameraChange) => {
    const from = target ?? camera;
    if (from === undefined) return;
    target = undefined;
    camera = change(from, seen);
    schedule(apply);
  };
  const glide = (change: CameraChange) => {
    const from = camera;
    if (from === undefined || matchMedia('(prefers-reduced-motion: reduce)').matches) {
      move(change);
      return;
    }
    const before = target ?? from;
    const to = change(before, seen);
    if (to === before) return;
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
  /** The whole drawing, and the numbers of edges that stand beside it. */
  const shown = (): Rectangle => {
    const { width, height } = drawing.current;
    const box = world.current?.getBBox() ?? whole();
    const [x, y] = [Math.min(box.x, 0), Math.min(box.y, 0)];
    return { x, y, width: Math.max(box.x + box.width, width) - x, height: Math.max(box.y + box.height, height) - y };
  };
  const centre = (): Point => ({ x: seen.width / 2, y: seen.height / 2 });

  const zoom = (factor: number) => glide((from) => zoomAt(from, centre(), factor, drawing.current, seen));
  const showAll = () => glide(() => fitTo(shown(), seen));
  return {
    zoom,
    fit: showAll,
    key({ key, ctrlKey, metaKey, altKey }) {
      const by = panSteps[key];
      if (ctrlKey || metaKey || altKey) return false;
      if (by !== undefined) move((from) => pan(from, by, drawing.current, seen));
      else if (key === '+' || key === '=') zoom(1.25);
      else if (key === '-' || key === '_') zoom(0.8);
      else if (key === '0') showAll();
      else return false;
      return true;
    },
    move,
    glide,
    seen: () => rectangleOf(camera ?? fitTo(whole(), seen)),
    watch(listener) {
      listeners.add(listener);
      if (camera !== undefined) listener(rectangleOf(camera), camera.scale);
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
          camera = first(seen);
          apply();
        } else {
          const after = centre();
          move((from) => ({ ...from, x: from.x + after.x - before.x, y: from.y + after.y - before.y }));
        }
      });
      resized.observe(element);
      const detach = listenToPointers(element, scrolls, (by, factor, at) =>
        move((from) => {
          const moved = pan(from, by, drawing.current, seen);
          return factor === 1 ? moved : zoomAt(moved, at, factor, drawing.current, seen);
        }),
      );
      return () => {
        resized.disconnect();
        detach();
        cancelAnimationFrame(frame);
      };
    },
  };
}

const panSteps: Readonly<Record<string, Point | undefined>> = {
  ArrowLeft: { x: 60, y: 0 },
  ArrowRight: { x: -60, y: 0 },
  ArrowUp: { x: 0, y: 60 },
  ArrowDown: { x: 0, y: -60 },
};

/** A movement of the pointers: by how much, and the factor of the zoom about a point of the view. */
type Moved = (by: Point, factor: number, at: Point) => void;

/** One pointer pans, two pan and zoom, the wheel pans, and zooms with Ctrl, as the pinch of a touchpad is reported. */
function listenToPointers(element: SVGSVGElement, scrolls: boolean, moved: Moved): () => void {
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
    if (scrolls && !event.ctrlKey && !event.metaKey) return;
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
  const detached = new AbortController();
  const { signal } = detached;
  element.addEventListener('pointerdown', down, { signal });
  element.addEventListener('pointermove', move, { signal });
  element.addEventListener('pointerup', up, { signal });
  element.addEventListener('pointercancel', up, { signal });
  element.addEventListener('wheel', wheel, { passive: false, signal });
  return () => detached.abort();
}
