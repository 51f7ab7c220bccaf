import { sameJson } from '../../../base/json-schema/same-json.js';
import { isRequired } from '../../../compiler/api/is-required.js';
import { operationCoordinate } from '../../../compiler/api/operation-coordinate.js';
import { printTypeRef, sameType } from '../../../compiler/graph/type-ref.js';
import type { GqlArgument, GqlField, GqlObjectType } from '../../../compiler/schema/gql-schema.js';
import { inputTypeRef } from '../../../compiler/schema/schema-index.js';
import { accessChanges } from '../model/access-changes.js';
import type { Finding } from '../model/change.js';
import {
  type ComparedPart,
  type Comparison,
  changeOf,
  keptTypes,
  type Pairing,
  pairByName,
  pairNames,
  partOf,
} from '../model/comparison.js';
import { notesChanges, pageChange, typeChange } from '../model/part-changes.js';

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

/** Fields of object types that are in both schemas. */
export function* fieldChanges(comparison: Comparison) {
  for (const [old, found] of keptTypes(comparison, 'object', 'interface')) {
    const part = partOf(comparison, old.name);
    yield* interfaceChanges(part, old, found);
    yield* accessChanges(part, old, found);
    const members = { kind: 'field', of: old.name, before: old.fields, after: found.fields } as const;
    yield* memberChanges(comparison, members, function* (part, before, after) {
      const { coordinate } = part;
      const types = [before.type, after.type] as const;
      yield* typeChange(part, 'field-type-changed', `The type of ${coordinate}`, types, 'read');
      yield* notesChanges(part, before, after, 'read');
      yield* accessChanges(part, before, after);
      yield* inputValueChanges(comparison, 'argument', coordinate, before.arguments, after.arguments);
      yield* constantChange(part, before, after);
      yield* headerChange(part, before, after);
      yield* pageChange(part, before.page, after.page);
    });
  }
}

function* interfaceChanges(part: ComparedPart, old: GqlObjectType, found: GqlObjectType) {
  const { removed, added } = pairNames(old.interfaces, found.interfaces);
  const { coordinate } = part;
  const [lost, won] = [removed.join(', '), added.join(', ')];
  if (lost !== '') {
    const notes = [`implemented ${lost}`, `without ${lost}`] as const;
    const message = `${coordinate} no longer implements ${lost}.`;
    yield changeOf(part, 'interface-removed-from-type', message, notes, { absentIn: 'after' });
  }
  if (won !== '') {
    const notes = [`without ${won}`, `implements ${won}`] as const;
    const message = `${coordinate} now implements ${won}.`;
    yield changeOf(part, 'interface-added-to-type', message, notes, { absentIn: 'before' });
  }
}

/** The header that also has the value. The names of headers ignore case. */
function* headerChange(part: ComparedPart, { sentAs: was }: GqlField, { sentAs: is }: GqlField) {
  if (was?.toLowerCase() === is?.toLowerCase()) return;
  const [before, after] = [was, is].map((header) => (header === undefined ? 'no header' : `the header ${header}`));
  const message = `${part.coordinate} is sent as ${after} instead of ${before}.`;
  yield changeOf(part, 'field-header-changed', message, [`sent as ${before}`, `sent as ${after}`]);
}

/** The constant that a server returns without a resolver. A comparison of SDL cannot see it. */
function* constantChange(part: ComparedPart, before: GqlField, after: GqlField) {
  if (sameJson(before.fallback, after.fallback)) return;
  const { coordinate } = part;
  const [was, is] = [JSON.stringify(before.fallback), JSON.stringify(after.fallback)];
  const notes = [`was ${was ?? 'no constant'}`, `is ${is ?? 'no constant'}`] as const;
  const message = `The constant ${coordinate} changed from ${was} to ${is}.`;
  if (was === undefined) yield changeOf(part, 'constant-added', `${coordinate} became the constant ${is}.`, notes);
  else if (is === undefined)
    yield changeOf(part, 'constant-removed', `${coordinate} is no longer the constant ${was}.`, notes);
  else yield changeOf(part, 'constant-changed', message, notes);
}

type InputValueKind = 'argument' | 'input-field';

/** Arguments of operations that are in both schemas. */
export function* argumentChanges(comparison: Comparison) {
  for (const [old, found] of comparison.operations.kept) {
    const of = operationCoordinate(old);
    yield* inputValueChanges(comparison, 'argument', of, old.arguments, found.arguments);
  }
}

/** Fields of inputs that are in both schemas. */
export function* inputFieldChanges(comparison: Comparison) {
  for (const [old, found] of keptTypes(comparison, 'input'))
    yield* inputValueChanges(comparison, 'input-field', old.name, old.fields, found.fields);
}

/** The changes of arguments or input fields, for which GraphQL has one set of rules. */
function* inputValueChanges(
  comparison: Comparison,
  kind: InputValueKind,
  of: string,
  before: readonly GqlArgument[] | undefined,
  after: readonly GqlArgument[] | undefined,
) {
  yield* memberChanges(comparison, { kind, of, before, after }, function* (part, old, found) {
    // A layer may name an object type in place of its input, so the types in the SDL are compared.
    const types = [
      inputTypeRef(comparison.before.schema, old.type),
      inputTypeRef(comparison.after.schema, found.type),
    ] as const;
    yield* typeChange(part, `${kind}-type-changed`, `The type of ${part.coordinate}`, types, 'given');
    yield* defaultChange(part, kind, old, found);
    yield* nullChange(part, old, found);
    yield* notesChanges(part, old, found, 'given');
  });
}

/** Whether null is a value: the change of a type says it of a non-null one. */
function* nullChange(part: ComparedPart, old: GqlArgument, found: GqlArgument) {
  if (old.notNull === found.notNull || old.type.kind === 'nonNull' || found.type.kind === 'nonNull') return;
  const [kind, words] = found.notNull
    ? (['null-refused', 'must not be null any more'] as const)
    : (['null-accepted', 'may be null now'] as const);
  const noteOf = ({ notNull }: GqlArgument) => (notNull ? 'not null' : 'may be null');
  yield changeOf(part, kind, `${part.coordinate} ${words}.`, [noteOf(old), noteOf(found)]);
}

/** The change of a default. A non-null value without one is required: calls that omit it are rejected. */
function* defaultChange(part: ComparedPart, kind: InputValueKind, before: GqlArgument, after: GqlArgument) {
  if (sameJson(before.fallback, after.fallback)) return;
  const [was, is] = [JSON.stringify(before.fallback), JSON.stringify(after.fallback)];
  const [change, words] =
    is === undefined && isRequired(after)
      ? (['became-required', `lost its default ${was} and is now required`] as const)
      : was === undefined
        ? (['default-added', `now has the default ${is}`] as const)
        : is === undefined
          ? (['default-removed', `lost its default ${was}`] as const)
          : (['default-changed', `now has the default ${is} instead of ${was}`] as const);
  const noteOf = (text: string | undefined) => (text === undefined ? 'without a default' : `${text} by default`);
  const notes = [`was ${noteOf(was)}`, `is ${noteOf(is)}`] as const;
  yield changeOf(part, `${kind}-${change}`, `${part.coordinate} ${words}.`, notes);
}
