import type { Span } from '../../source/span.js';
import type { Finding, Touch } from './change.js';
import { placeAt } from './places.js';

/** A part of the API that both schemas have. */
export interface ComparedPart {
  readonly coordinate: string;
  readonly spans: { readonly before: Span | undefined; readonly after: Span | undefined };
  readonly touch: Touch;
}

/** Anything that may have a description. */
export interface Described {
  readonly description?: string | undefined;
}

/** The change of a description, if it changed; always safe. */
export function* descriptionChange(
  part: ComparedPart,
  before: Described,
  after: Described,
): Iterable<Finding> {
  const { coordinate, spans, touch } = part;
  // A missing description and an empty one are equal for clients.
  if ((before.description ?? '') === (after.description ?? '')) return;
  const what = !before.description ? 'was added' : !after.description ? 'was removed' : 'changed';
  yield {
    kind: 'description-changed',
    level: 'safe',
    coordinate,
    message: `The description of ${coordinate} ${what}.`,
    before: placeAt(spans.before, before.description ? 'described' : 'without a description'),
    after: placeAt(spans.after, after.description ? 'described' : 'without a description'),
    touch,
  };
}
