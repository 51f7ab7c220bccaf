import type { DiagramBox, DiagramLine } from './diagram.js';

/** A diagram with coordinates, in points; the origin is the upper left corner. Plain data. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly DrawnBox[];
  readonly lines: readonly DrawnLine[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A box; its point is its centre. */
export interface DrawnBox extends DiagramBox, Point {
  readonly width: number;
  readonly height: number;
}

export interface DrawnLine extends DiagramLine {
  /** Its course in the notation of SVG paths: `M…C…`. */
  readonly path: string;
  /** The end of its head; the path ends where the head begins. Absent without a head. */
  readonly tip?: Point | undefined;
  /** The place of its text, as that of a box; absent without a text. */
  readonly label?: (Point & Record<'width' | 'height', number>) | undefined;
}
