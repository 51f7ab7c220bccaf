import { isSubtype, printTypeRef, sameType, type TypeRef } from '../../graph/type-ref.js';
import type { Constraints, ValueNotes } from '../../graph/value-notes.js';
import type { Span } from '../../source/span.js';
import type { Finding, Touch } from './change.js';
import type { ChangeKind } from './change-kinds.js';
import type { ChangeLevel } from './change-level.js';
import { placeAt } from './places.js';

/** A part of the API that both schemas have. */
export interface ComparedPart {
  readonly coordinate: string;
  readonly spans: { readonly before: Span | undefined; readonly after: Span | undefined };
  readonly touch: Touch;
}

/** Whether callers give the values of a place, or read them. */
export type Giver = 'given' | 'read';

/** Whether all values that callers send, or expect, are values of the new type. */
export function isSafeType(before: TypeRef, after: TypeRef, giver: Giver): boolean {
  return giver === 'read' ? isSubtype(after, before) : isSubtype(before, after);
}

/** The change of a type, if it changed. `subject` begins its message: `The type of User.email`. */
export function* typeChange(
  { coordinate, spans, touch }: ComparedPart,
  kind: ChangeKind,
  subject: string,
  [before, after]: readonly [TypeRef, TypeRef],
  giver: Giver,
): Iterable<Finding> {
  if (sameType(before, after)) return;
  const [was, is] = [printTypeRef(before), printTypeRef(after)];
  yield {
    kind,
    level: isSafeType(before, after, giver) ? 'safe' : 'breaking',
    coordinate,
    message: `${subject} changed from ${was} to ${is}.`,
    before: placeAt(spans.before, `was ${was}`),
    after: placeAt(spans.after, `is ${is}`),
    touch,
  };
}

/** The change of a description, if it changed; always safe. */
export function* descriptionChange(
  { coordinate, spans, touch }: ComparedPart,
  before: Described,
  after: Described,
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

/** Anything that may have a description. */
interface Described {
  readonly description?: string | undefined;
}

/** The changes of the constraints of a value, and of its deprecation. */
export function* notesChange(
  part: ComparedPart,
  before: ValueNotes,
  after: ValueNotes,
  giver: Giver,
): Iterable<Finding> {
  yield* constraintChanges(part, before.constraints ?? {}, after.constraints ?? {}, giver);
  yield* deprecationChange(part, before, after);
}

/** The change of a deprecation or of its reason; always safe. */
export function* deprecationChange(
  { coordinate, spans, touch }: ComparedPart,
  { deprecated: was }: Pick<ValueNotes, 'deprecated'>,
  { deprecated: is }: Pick<ValueNotes, 'deprecated'>,
): Iterable<Finding> {
  if (was === is) return;
  const what =
    was === undefined ? 'is deprecated now' : is === undefined ? 'is not deprecated any more' : undefined;
  const message =
    what === undefined
      ? `The reason why ${coordinate} is deprecated changed.`
      : `${coordinate} ${what}${is === undefined ? '' : `: ${is}`}.`.replace(/\.\.$/, '.');
  yield {
    kind: 'deprecation-changed',
    level: 'safe',
    coordinate,
    message,
    before: placeAt(spans.before, was === undefined ? 'not deprecated' : 'deprecated'),
    after: placeAt(spans.after, is === undefined ? 'not deprecated' : 'deprecated'),
    touch,
  };
}

type Direction = 'tightened' | 'loosened' | 'changed';

const levels: Readonly<Record<Giver, Readonly<Record<Direction, ChangeLevel>>>> = {
  given: { tightened: 'breaking', loosened: 'safe', changed: 'breaking' },
  read: { tightened: 'safe', loosened: 'dangerous', changed: 'dangerous' },
};

/** One finding for each direction, with all constraints that changed in it. */
function* constraintChanges(
  { coordinate, spans, touch }: ComparedPart,
  before: Constraints,
  after: Constraints,
  giver: Giver,
): Iterable<Finding> {
  if (before === after) return;
  const changed = new Map<Direction, string[]>();
  const keywords = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof Constraints)[];
  for (const keyword of keywords) {
    const direction = directionOf(keyword, before[keyword], after[keyword]);
    if (direction === undefined) continue;
    const texts = changed.get(direction) ?? [];
    texts.push(describe(keyword, before[keyword], after[keyword]));
    changed.set(direction, texts);
  }
  for (const [direction, texts] of changed) {
    yield {
      kind: `constraint-${direction}`,
      level: levels[giver][direction],
      coordinate,
      message: `The constraints of ${coordinate} ${verbs[direction]}: ${texts.join(', ')}.`,
      before: placeAt(spans.before, 'old constraints'),
      after: placeAt(spans.after, 'new constraints'),
      touch,
    };
  }
}

const verbs = { tightened: 'became tighter', loosened: 'became looser', changed: 'changed' };

type Limit = Constraints[keyof Constraints];

function directionOf(keyword: keyof Constraints, was: Limit, is: Limit): Direction | undefined {
  if (was === is) return undefined;
  if (was === undefined) return 'tightened';
  if (is === undefined) return 'loosened';
  if (typeof was !== 'number' || typeof is !== 'number') return 'changed';
  if (keyword === 'multipleOf') return is % was === 0 ? 'tightened' : was % is === 0 ? 'loosened' : 'changed';
  return is > was === /^(min|exclusiveMin)/.test(keyword) ? 'tightened' : 'loosened';
}

function describe(keyword: string, was: Limit, is: Limit): string {
  if (was === undefined) return `${keyword} ${is} was added`;
  return is === undefined ? `${keyword} ${was} was removed` : `${keyword} is ${is} instead of ${was}`;
}
