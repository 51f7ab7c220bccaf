import { isRequired } from '../../../compiler/api/is-required.js';
import { printTypeRef, sameType } from '../../../compiler/graph/type-ref.js';
import type { GqlArgument, GqlField } from '../../../compiler/schema/gql-schema.js';
import { inputTypeRef } from '../../../compiler/schema/schema-index.js';
import type { Finding } from '../model/change.js';
import { type ComparedPart, type Comparison, changeOf, type Pairing, pairByName, partOf } from '../model/comparison.js';

/** The members of a part in both schemas. */
interface Members<Member> {
  /** The name of the members in the kinds of changes. */
  readonly kind: 'field' | 'argument' | 'input-field';
  /** The coordinate of the part: `User`, `Query.readUser`. */
  readonly of: string;
  readonly before?: readonly Member[] | undefined;
  readonly after?: readonly Member[] | undefined;
}

/** Added and removed members, and the changes of the others. */
export function* memberChanges<Member extends GqlField | GqlArgument>(
  comparison: Comparison,
  { kind, of, before = [], after = [] }: Members<Member>,
  changesOf: (part: ComparedPart, before: Member, after: Member) => Iterable<Finding>,
) {
  const coordinateOf = (name: string) => (kind === 'argument' ? `${of}(${name}:)` : `${of}.${name}`);
  const noun = kind.replace('-', ' ');
  const pairing = pairByName(before, after);
  const renamed = likelyRenamed(pairing);
  for (const { name } of pairing.removed) {
    const part = partOf(comparison, coordinateOf(name));
    const successor = renamed && coordinateOf(renamed.name);
    const now = comparison.after.placeOf(successor ?? part.coordinate);
    const guess = successor === undefined ? '' : `; perhaps it was renamed to ${successor}`;
    const message = `The ${noun} ${part.coordinate} was removed${guess}.`;
    const notes = ['removed', successor === undefined ? `without ${name}` : 'perhaps this'] as const;
    const place = { ...part, spans: { ...part.spans, after: now } };
    yield changeOf(place, `${kind}-removed`, message, notes, { absentIn: 'after' });
  }
  for (const member of pairing.added) {
    const { name, type } = member;
    const coordinate = coordinateOf(name);
    const notes = [`without ${name}`, 'added'] as const;
    if (kind === 'field') {
      const message = `The field ${coordinate}: ${printTypeRef(type)} was added.`;
      const part = partOf(comparison, coordinate, 'after');
      yield changeOf(part, 'field-added', message, notes, { absentIn: 'before' });
      continue;
    }
    const [needed, level] = isRequired(member)
      ? (['required', 'breaking'] as const)
      : (['optional', 'dangerous'] as const);
    const given = printTypeRef(inputTypeRef(comparison.after.schema, type));
    const message = `The ${needed} ${noun} ${coordinate} of type ${given} was added.`;
    const part = partOf(comparison, coordinate);
    yield changeOf(part, `${kind}-added`, message, notes, { level, absentIn: 'before' });
  }
  for (const [old, found] of pairing.kept) yield* changesOf(partOf(comparison, coordinateOf(old.name)), old, found);
}

/** A guess for the user to confirm: exactly one member was removed and one of the same type was added. */
function likelyRenamed<Member extends GqlField | GqlArgument>({ removed, added }: Pairing<Member>) {
  const [[gone, ...otherGone], [fresh, ...otherFresh]] = [removed, added];
  if (gone === undefined || fresh === undefined || otherGone.length + otherFresh.length > 0) return undefined;
  return sameType(gone.type, fresh.type) ? fresh : undefined;
}
