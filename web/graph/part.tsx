import { Fragment } from 'preact';
import type { Point } from '../../src/analysis/diagram/drawing.js';
import type { Word } from '../../src/analysis/diagram/shapes.js';
import type { ChangeMark } from './change-mark.js';
import type { Selection } from './structure.js';

/** The attributes of a part of the graph that can be selected. */
export interface PartProps {
  readonly class: string;
  readonly role?: 'button';
  /** Attributes of SVG elements are case-sensitive. */
  readonly tabindex?: number;
  readonly 'aria-pressed'?: boolean;
  readonly 'aria-expanded'?: boolean;
  readonly 'aria-hidden'?: boolean;
  readonly 'data-part'?: string;
  readonly onClick?: () => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}

/** Receives the part that was selected; undefined for none. */
export type OnSelect = (part: Selection | undefined) => void;

/** Lines of text, with spaces between them. */
export function Words({ words }: { readonly words: readonly Word[] }) {
  return words.map(({ text, size, ...place }) => (
    <Fragment key={place.y}>
      <text {...place} font-size={size}>
        {text}
      </text>{' '}
    </Fragment>
  ));
}

/** An exclamation mark, a tilde, a plus. They are strokes: the text of a part is its name alone. */
const signs = {
  breaking: 'M0,-4.5V1M0,3.6V4.2',
  dangerous: 'M-4,1.2Q-2,-3,0,0T4,-1.2',
  safe: 'M0,-4V4M-4,0H4',
  reached: '',
} as const;

/** The sign of a change in a corner. */
export function MarkBadge({ mark: { level, title }, x, y }: Point & { readonly mark: ChangeMark }) {
  return (
    <g class={`mark ${level}`} transform={`translate(${x} ${y})`}>
      <circle r={level === 'reached' ? 5 : 8} />
      <path d={signs[level]} />
      <title>{title}</title>
    </g>
  );
}
