import { Fragment } from 'preact';
import type { Point } from '../../src/analysis/diagram/drawing.js';

/** Lines of text around a point. A line that is wider than its place is set narrower. */
export function Words({
  lines,
  x,
  y,
  size,
  width,
}: Point & {
  readonly lines: readonly { readonly text: string; readonly class: string }[];
  /** The distance of lines. */
  readonly size: number;
  /** The width of the place; unlimited by default. */
  readonly width?: number;
}) {
  return lines.map(({ text, class: className }, index) => {
    const isTooWide = width !== undefined && widthOf(text) > width;
    return (
      <Fragment key={index}>
        <text
          class={className}
          x={x}
          y={y + (index - (lines.length - 1) / 2) * size}
          {...(isTooWide ? { textLength: width, lengthAdjust: 'spacingAndGlyphs' } : {})}
        >
          {text}
        </text>{' '}
      </Fragment>
    );
  });
}

const widths = new Map<string, number>();
let context: CanvasRenderingContext2D | null | undefined;

/** The width of a text in boxes. */
function widthOf(text: string): number {
  const known = widths.get(text);
  if (known !== undefined) return known;
  if (context === undefined) {
    context = document.createElement('canvas').getContext('2d');
    const style = getComputedStyle(document.documentElement);
    if (context !== null) context.font = `12px ${style.getPropertyValue('--graph-font')}`;
  }
  const width = context?.measureText(text).width ?? 0;
  widths.set(text, width);
  return width;
}
