import type { Point } from '../../src/analysis/diagram/drawing.js';
import type { ChangeMark } from './change-mark.js';

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
