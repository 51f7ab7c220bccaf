import { sameJson } from '../../../base/json-schema/same-json.js';
import { isRequired } from '../../../compiler/api/is-required.js';
import { printTypeRef } from '../../../compiler/graph/type-ref.js';
import type { GqlArgument } from '../../../compiler/schema/gql-schema.js';
import { inputTypeRef } from '../../../compiler/schema/schema-index.js';
import type { Finding } from '../model/change.js';
import { type Comparison, keptTypes, likelyRenamed, pairByName } from '../model/comparison.js';
import { descriptionChange, notesChange, typeChange } from '../model/part-changes.js';
import { type ComparedPart, changeOf, operationPart, spanOfType, typePart } from '../model/parts.js';

/** Arguments of operations that are in both schemas. */
export function* argumentChanges(comparison: Comparison): Iterable<Finding> {
  for (const [old, found] of comparison.operations.kept) {
    const { coordinate, spans, touch } = operationPart(old, found);
    yield* inputValueChanges(comparison, {
      values: 'argument',
      before: old.arguments,
      after: found.arguments,
      spans,
      coordinate: (name) => `${coordinate}(${name}:)`,
      touch,
    });
  }
}

/** Fields of inputs that are in both schemas. */
export function* inputFieldChanges(comparison: Comparison): Iterable<Finding> {
  for (const [old, found] of keptTypes(comparison, 'input')) {
    const before = spanOfType(comparison.before, { kind: 'input', type: old });
    const after = spanOfType(comparison.after, { kind: 'input', type: found });
    yield* inputValueChanges(comparison, {
      ...typePart(old.name, before, after),
      values: 'input-field',
      before: old.fields,
      after: found.fields,
      coordinate: (name) => `${old.name}.${name}`,
    });
  }
}

/** A holder of named input values: an operation or a field with its arguments, or an input with its fields. */
interface InputValueHolder extends Omit<ComparedPart, 'coordinate'> {
  /** The name of its values in the kinds of changes. */
  readonly values: 'argument' | 'input-field';
  readonly before: readonly GqlArgument[];
  readonly after: readonly GqlArgument[];
  /** `Query.readUser(id:)` or `UserInput.id` */
  readonly coordinate: (name: string) => string;
}

/** The changes of a holder's values. GraphQL has one set of rules for arguments and input fields. */
export function* inputValueChanges(comparison: Comparison, holder: InputValueHolder): Iterable<Finding> {
  const { values, spans, touch } = holder;
  const noun = values === 'argument' ? 'argument' : 'input field';
  const pairing = pairByName(holder.before, holder.after);
  const renamed = likelyRenamed(pairing);
  for (const { name, span } of pairing.removed) {
    const coordinate = holder.coordinate(name);
    const places = { before: span ?? spans.before, after: renamed?.span ?? spans.after };
    const guess = renamed ? `; perhaps it was renamed to ${holder.coordinate(renamed.name)}` : '';
    const notes = ['removed', renamed ? 'perhaps this' : `without ${name}`] as const;
    const message = `The ${noun} ${coordinate} was removed${guess}.`;
    const part = { coordinate, spans: places, touch };
    yield changeOf(part, `${values}-removed`, message, notes, { absentIn: 'after' });
  }
  for (const value of pairing.added) {
    const { name, span } = value;
    const coordinate = holder.coordinate(name);
    const type = printTypeRef(inputTypeRef(comparison.after.schema, value.type));
    const required = isRequired(value);
    const message = `The ${required ? 'required' : 'optional'} ${noun} ${coordinate} of type ${type} was added.`;
    const part = { coordinate, spans: { before: spans.before, after: span ?? spans.after }, touch };
    const level = required ? 'breaking' : 'dangerous';
    const notes = [`without ${name}`, 'added'] as const;
    yield changeOf(part, `${values}-added`, message, notes, { level, absentIn: 'before' });
  }
  for (const pair of pairing.kept) yield* changesOfValue(comparison, holder, ...pair);
}

function* changesOfValue(
  comparison: Comparison,
  holder: InputValueHolder,
  before: GqlArgument,
  after: GqlArgument,
): Iterable<Finding> {
  const coordinate = holder.coordinate(before.name);
  const spans = { before: before.span ?? holder.spans.before, after: after.span ?? holder.spans.after };
  const part = { coordinate, spans, touch: holder.touch };
  // A layer may name an object type in place of its input, so the types in the SDL are compared.
  const oldType = inputTypeRef(comparison.before.schema, before.type);
  const newType = inputTypeRef(comparison.after.schema, after.type);
  const kind = `${holder.values}-type-changed` as const;
  yield* typeChange(part, kind, `The type of ${coordinate}`, [oldType, newType], 'given');
  const change = defaultChange(before, after);
  if (change !== undefined) {
    const notes = [`was ${defaultText(before)}`, `is ${defaultText(after)}`] as const;
    yield changeOf(part, `${holder.values}-${change.name}`, `${coordinate} ${change.words}.`, notes);
  }
  yield* notesChange(part, before, after, 'given');
  yield* descriptionChange(part, before, after);
}

interface DefaultChange {
  readonly name: 'became-required' | 'default-added' | 'default-changed' | 'default-removed';
  /** The rest of the sentence that begins with the coordinate. */
  readonly words: string;
}

/** The change of a default. A non-null value without one is required: calls that omit it are rejected. */
function defaultChange(before: GqlArgument, after: GqlArgument): DefaultChange | undefined {
  if (sameJson(before.fallback, after.fallback)) return undefined;
  const [was, is] = [JSON.stringify(before.fallback), JSON.stringify(after.fallback)];
  if (is === undefined && isRequired(after))
    return { name: 'became-required', words: `lost its default ${was} and is now required` };
  if (was === undefined) return { name: 'default-added', words: `now has the default ${is}` };
  if (is === undefined) return { name: 'default-removed', words: `lost its default ${was}` };
  return { name: 'default-changed', words: `now has the default ${is} instead of ${was}` };
}

function defaultText({ fallback }: GqlArgument): string {
  return fallback === undefined ? 'without a default' : `${JSON.stringify(fallback)} by default`;
}
