import type { Span } from '../../source/span.js';
import type { Finding, Touch } from './change.js';
import { placeAt } from './places.js';

/** Anything that may have a description. */
export interface Described {
  readonly description: string | undefined;
}

/** The change of a description, if it changed; always safe. */
export function* descriptionChange(
  coordinate: string,
  before: Described,
  after: Described,
  spans: { readonly before: Span | undefined; readonly after: Span | undefined },
  touch: Touch,
): Iterable<Finding> {
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
