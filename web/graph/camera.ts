import type { Drawing, DrawnBox, Point } from '../../src/analysis/diagram/drawing.js';

/** Which part of a drawing is seen: a point of the drawing is at `x + scale · point` of the view. */
export interface Camera extends Point {
  readonly scale: number;
}

/** A width and a height. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A rectangle; its point is the upper left corner. */
export interface Rectangle extends Point, Size {}

const margin = 24;

/** The largest scale. The smallest one shows the whole drawing at a third of the view. */
const largest = 4;

/** Shows a rectangle in the middle of the view, above the controls at its lower edge, a little enlarged at most. */
export function fitTo({ x, y, width, height }: Rectangle, view: Size): Camera {
  const controls = 36;
  const across = (view.width - 2 * margin) / Math.max(width, 1);
  const down = (view.height - 2 * margin - controls) / Math.max(height, 1);
  const scale = Math.max(Math.min(across, down, 1.2), 0.01);
  return {
    scale,
    x: view.width / 2 - (x + width / 2) * scale,
    y: (view.height - controls) / 2 - (y + height / 2) * scale,
  };
}

/** The smallest scale at which all texts are readable. */
const readable = 0.8;

/**
 * Shows a drawing as a whole, or, if its texts would be too small to read, the part of it with the most boxes. A drawing
 * without groups has few boxes: its shape is worth smaller texts.
 */
export function firstView({ boxes, width, height }: Drawing, view: Size): Camera {
  const whole = fitTo({ x: 0, y: 0, width, height }, view);
  const least = boxes.some(({ kind }) => kind === 'group') ? readable : 0.5;
  if (whole.scale >= least) return whole;
  const [across, down] = [view.width / readable, view.height / readable];
  const start = (middle: number, seen: number, size: number) =>
    seen >= size ? (size - seen) / 2 : Math.min(Math.max(middle - seen / 2, -margin), size - seen + margin);
  let best: Camera = { ...whole, scale: readable };
  let most = 0;
  for (const { x, y } of [{ x: 0, y: 0 }, ...boxes]) {
    const [left, top] = [start(x, across, width), start(y, down, height)];
    const isWithin = (box: DrawnBox) =>
      Math.abs(box.x - left - across / 2) <= (across - box.width) / 2 &&
      Math.abs(box.y - top - down / 2) <= (down - box.height) / 2;
    const count = boxes.filter(isWithin).length;
    if (count > most) [best, most] = [{ scale: readable, x: -left * readable, y: -top * readable }, count];
  }
  return best;
}

/** Zooms about a point of the view, which stays where it is. */
export function zoomAt(camera: Camera, at: Point, factor: number, drawing: Size, view: Size): Camera {
  const smallest = Math.min(fitTo({ x: 0, y: 0, ...drawing }, view).scale / 3, 0.5);
  const scale = Math.min(Math.max(camera.scale * factor, smallest), largest);
  const ratio = scale / camera.scale;
  return { scale, x: at.x - (at.x - camera.x) * ratio, y: at.y - (at.y - camera.y) * ratio };
}

/** Moves the drawing; some of it always stays in the view. */
export function pan(camera: Camera, by: Point, drawing: Size, view: Size): Camera {
  const kept = 40;
  const clamp = (value: number, size: number, seen: number) =>
    Math.min(Math.max(value, kept - size * camera.scale), seen - kept);
  return {
    scale: camera.scale,
    x: clamp(camera.x + by.x, drawing.width, view.width),
    y: clamp(camera.y + by.y, drawing.height, view.height),
  };
}

/** Shows a point in the middle of the view, unless it is seen already; small texts are enlarged to a readable size. */
export function reveal(camera: Camera, point: Point, view: Size): Camera {
  const edge = 60;
  const x = camera.x + point.x * camera.scale;
  const y = camera.y + point.y * camera.scale;
  const isSeen = x > edge && y > edge && x < view.width - edge && y < view.height - edge;
  if (isSeen && camera.scale >= readable) return camera;
  const scale = Math.max(camera.scale, readable);
  return centreOn({ ...camera, scale }, point, view);
}

/** Moves the view along with a point of the drawing that has moved. */
export function follow({ scale, x, y }: Camera, from: Point, to: Point): Camera {
  return { scale, x: x + (from.x - to.x) * scale, y: y + (from.y - to.y) * scale };
}

/** Moves a point of the drawing to the middle of the view. */
export function centreOn({ scale }: Camera, { x, y }: Point, view: Size): Camera {
  return { scale, x: view.width / 2 - x * scale, y: view.height / 2 - y * scale };
}

/** A camera between two cameras. */
export function between(from: Camera, to: Camera, share: number): Camera {
  const mix = (a: number, b: number) => a + (b - a) * share;
  return { scale: mix(from.scale, to.scale), x: mix(from.x, to.x), y: mix(from.y, to.y) };
}
