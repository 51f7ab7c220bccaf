import { Fragment } from 'preact';
import type { Word } from '../../src/analysis/diagram/shapes.js';

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
