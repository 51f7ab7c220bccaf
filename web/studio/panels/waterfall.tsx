import type { CallSpan } from '../../../src/tools/studio/protocol.js';
import { durationText } from '../../try/exchange-view.js';
import { spanRows, withGaps } from './span-rows.js';

/** The spans of a call as bars over its duration. */
export function Waterfall({ spans, duration }: { readonly spans: readonly CallSpan[]; readonly duration: number }) {
  return (
    <ol class="waterfall" aria-label="Spans">
      {spanRows(withGaps(spans, duration), duration).map(({ span, depth, left, width }) => {
        const { id, name, error, attributes } = span;
        const { 'db.query.text': statement } = attributes;
        const facts = Object.entries(attributes).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
        return (
          <li key={id} class={error === undefined ? '' : 'failed'} title={facts.join('\n')}>
            <span class="name" style={{ paddingLeft: `${Math.min(depth, 8) * 0.7}rem` }}>
              {name}
            </span>
            <span class="track" aria-hidden="true">
              <span class="bar" style={{ left: `${left}%`, width: `${width}%` }} />
            </span>
            <span class="time">{durationText(span.duration)}</span>
            {statement === undefined ? null : <code class="statement">{String(statement)}</code>}
            {error === undefined ? null : <span class="problem">{error}</span>}
          </li>
        );
      })}
    </ol>
  );
}
