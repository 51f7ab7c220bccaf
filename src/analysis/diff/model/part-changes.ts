import { isMultiple } from '../../../base/json-schema/limits.js';
import { appendTo } from '../../../compiler/graph/maps.js';
import { isSubtype, printTypeRef, sameType, type TypeRef } from '../../../compiler/graph/type-ref.js';
import type { Constraints, ValueNotes } from '../../../compiler/graph/value-notes.js';
import type { GqlPage } from '../../../compiler/schema/gql-schema.js';
import type { ChangeKind } from './change-kinds.js';
import type { ChangeLevel } from './change-level.js';
import { type ComparedPart, changeOf, textChange } from './comparison.js';

/** Whether callers give the values of a place, or read them. */
export type Giver = 'given' | 'read';

/** Whether all values that callers send, or expect, are values of the new type. */
export function isSafeType(before: TypeRef, after: TypeRef, giver: Giver): boolean {
  return giver === 'read' ? isSubtype(after, before) : isSubtype(before, after);
}

/** The change of a type, if it changed. `subject` begins its message: `The type of User.email`. */
export function* typeChange(
  part: ComparedPart,
  kind: ChangeKind,
  subject: string,
  [before, after]: readonly [TypeRef, TypeRef],
  giver: Giver,
) {
  if (sameType(before, after)) return;
  const [was, is] = [printTypeRef(before), printTypeRef(after)];
  const level = isSafeType(before, after, giver) ? 'safe' : 'breaking';
  const message = `${subject} changed from ${was} to ${is}.`;
  yield changeOf(part, kind, message, [`was ${was}`, `is ${is}`], { level });
}

export function* descriptionChange(part: ComparedPart, old: Described, found: Described) {
  const [was = '', is = ''] = [old.description, found.description];
  const verb = was === '' ? 'was added' : is === '' ? 'was removed' : 'changed';
  const noteOf = (text: string) => (text === '' ? 'without a description' : 'described');
  const message = `The description of ${part.coordinate} ${verb}.`;
  yield* textChange(part, 'description-changed', [was, is], message, [noteOf(was), noteOf(is)]);
}

/** Anything that may have a description, where an empty one is none, and that may be deprecated. */
interface Described {
  readonly description?: string | undefined;
  readonly deprecated?: string | undefined;
}

type Noted = ValueNotes & Described;

/** The changes of the constraints of a value, of its deprecation and of its description. */
export function* notesChanges(part: ComparedPart, before: Noted, after: Noted, giver: Giver) {
  yield* constraintChanges(part, before.constraints ?? {}, after.constraints ?? {}, giver);
  yield* textChanges(part, before, after);
}

/** The change of the number of items in a page, unless only one side has pages, whose types differ then. */
export function* pageChange(part: ComparedPart, before?: GqlPage, after?: GqlPage) {
  if (before === undefined || after === undefined) return;
  if (before.isCounted !== after.isCounted) {
    const [level, verb] = after.isCounted ? (['safe', 'has'] as const) : (['breaking', 'no longer has'] as const);
    const noteOf = ({ isCounted }: GqlPage) => `${isCounted ? 'with' : 'without'} totalCount`;
    const message = `A page of ${part.coordinate} ${verb} the number of all items.`;
    yield changeOf(part, 'page-count-changed', message, [noteOf(before), noteOf(after)], { level });
  }
  if (before.size === after.size) return;
  const message = `A page of ${part.coordinate} has ${after.size} items by default instead of ${before.size}.`;
  const level = after.size < before.size ? 'dangerous' : 'safe';
  const notes = [`${before.size} here`, `${after.size} here`] as const;
  yield changeOf(part, 'page-size-changed', message, notes, { level });
}

export function* textChanges(part: ComparedPart, before: Described, after: Described) {
  yield* deprecationChange(part, before, after);
  yield* descriptionChange(part, before, after);
}

function* deprecationChange(part: ComparedPart, old: Described, found: Described) {
  const [was, is] = [old.deprecated, found.deprecated];
  if (was === is) return;
  const { coordinate } = part;
  const message =
    is === undefined
      ? `${coordinate} is not deprecated any more.`
      : was === undefined
        ? `${coordinate} is deprecated now: ${is}.`.replace(/\.\.$/, '.')
        : `The reason why ${coordinate} is deprecated changed.`;
  const noteOf = (reason: string | undefined) => (reason === undefined ? 'not deprecated' : 'deprecated');
  yield changeOf(part, 'deprecation-changed', message, [noteOf(was), noteOf(is)]);
}

type Direction = 'tightened' | 'loosened' | 'changed';

const levels: Readonly<Record<Giver, Readonly<Record<Direction, ChangeLevel>>>> = {
  given: { tightened: 'breaking', loosened: 'safe', changed: 'breaking' },
  read: { tightened: 'safe', loosened: 'dangerous', changed: 'dangerous' },
};

const verbs = { tightened: 'became tighter', loosened: 'became looser', changed: 'changed' } as const;

/** One finding for each direction, with all constraints that changed in it. */
function* constraintChanges(part: ComparedPart, before: Constraints, after: Constraints, giver: Giver) {
  if (before === after) return;
  const changed = new Map<Direction, string[]>();
  const keywords = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof Constraints)[];
  for (const keyword of keywords) {
    const direction = directionOf(keyword, before[keyword], after[keyword]);
    if (direction !== undefined) appendTo(changed, direction, constraintText(keyword, before[keyword], after[keyword]));
  }
  for (const [direction, texts] of changed) {
    const message = `The constraints of ${part.coordinate} ${verbs[direction]}: ${texts.join(', ')}.`;
    const notes = ['old constraints', 'new constraints'] as const;
    yield changeOf(part, `constraint-${direction}`, message, notes, { level: levels[giver][direction] });
  }
}

type Limit = Constraints[keyof Constraints];

function directionOf(keyword: keyof Constraints, was: Limit, is: Limit): Direction | undefined {
  if (was === is) return undefined;
  if (was === undefined) return 'tightened';
  if (is === undefined) return 'loosened';
  if (typeof was !== 'number' || typeof is !== 'number') return 'changed';
  if (keyword === 'multipleOf') return isMultiple(is, was) ? 'tightened' : isMultiple(was, is) ? 'loosened' : 'changed';
  return is > was === /^(min|exclusiveMin)/.test(keyword) ? 'tightened' : 'loosened';
}

function constraintText(keyword: string, was: Limit, is: Limit): string {
  if (was === undefined) return `${keyword} ${is} was added`;
  return is === undefined ? `${keyword} ${was} was removed` : `${keyword} is ${is} instead of ${was}`;
}
