import { sameJson } from '../../../base/json-schema/same-json.js';
import { isRequired } from '../../../compiler/api/is-required.js';
import { operationCoordinate } from '../../../compiler/api/operation-coordinate.js';
import type { GqlArgument } from '../../../compiler/schema/gql-schema.js';
import { inputTypeRef } from '../../../compiler/schema/schema-index.js';
import { type ComparedPart, type Comparison, changeOf, keptTypes } from '../model/comparison.js';
import { notesChanges, typeChange } from '../model/part-changes.js';
import { memberChanges } from './members.js';

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
export function* inputValueChanges(
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
