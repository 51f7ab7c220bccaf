import { printTypeRef, sameType, type TypeRef } from '../../graph/type-ref.js';
import type { Finding } from './change.js';
import type { ChangeKind } from './change-kinds.js';
import type { ComparedPart } from './description-change.js';
import { placeAt } from './places.js';

/** The change of a type, if it changed. `subject` begins its message: `The type of User.email`. */
export function* typeChange(
  { coordinate, spans, touch }: ComparedPart,
  kind: ChangeKind,
  subject: string,
  [before, after]: readonly [TypeRef, TypeRef],
  isSafe: typeof isSafeForReaders,
): Iterable<Finding> {
  if (sameType(before, after)) return;
  const [was, is] = [printTypeRef(before), printTypeRef(after)];
  yield {
    kind,
    level: isSafe(before, after) ? 'safe' : 'breaking',
    coordinate,
    message: `${subject} changed from ${was} to ${is}.`,
    before: placeAt(spans.before, `was ${was}`),
    after: placeAt(spans.after, `is ${is}`),
    touch,
  };
}

/** Whether readers of the old type can read the new one: the same or a stricter one (`T` → `T!`). */
export function isSafeForReaders(before: TypeRef, after: TypeRef): boolean {
  if (after.kind === 'nonNull') {
    return isSafeForReaders(before.kind === 'nonNull' ? before.of : before, after.of);
  }
  if (before.kind === 'list') return after.kind === 'list' && isSafeForReaders(before.of, after.of);
  return before.kind === 'named' && after.kind === 'named' && before.name === after.name;
}

/** Whether senders of the old type can send it for the new one: the same or a looser one (`T!` → `T`). */
export function isSafeForGivers(before: TypeRef, after: TypeRef): boolean {
  return isSafeForReaders(after, before);
}
