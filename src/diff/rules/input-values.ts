import { isRequired } from '../../api/is-required.js';
import { operationCoordinate } from '../../api/operation-coordinate.js';
import { sameJson } from '../../graph/json-value.js';
import { printTypeRef } from '../../graph/type-ref.js';
import type { GqlArgument } from '../../schema/gql-schema.js';
import { inputTypeRef } from '../../schema/schema-index.js';
import type { Span } from '../../source/span.js';
import type { Finding, Touch } from '../model/change.js';
import type { ChangeLevel } from '../model/change-level.js';
import { type Comparison, keptTypes } from '../model/comparison.js';
import { likelyRenamed, pairByName } from '../model/pair-by-name.js';
import { descriptionChange, notesChange, typeChange } from '../model/part-changes.js';
import { placeAt, placeNear, spanOfOperation, spanOfType } from '../model/places.js';

/** Arguments of operations that are in both schemas. */
export function* argumentChanges(comparison: Comparison): Iterable<Finding> {
  for (const [old, found] of comparison.operations.kept) {
    yield* inputValueChanges(comparison, {
      values: 'argument',
      before: old.arguments,
      after: found.arguments,
      spans: { before: spanOfOperation(old), after: spanOfOperation(found) },
      coordinate: (name) => `${operationCoordinate(old)}(${name}:)`,
      touch: { in: 'before', operations: [old] },
    });
  }
}

/** Fields of inputs that are in both schemas. */
export function* inputFieldChanges(comparison: Comparison): Iterable<Finding> {
  const { before, after } = comparison;
  for (const [old, found] of keptTypes(comparison, 'input')) {
    yield* inputValueChanges(comparison, {
      values: 'input-field',
      before: old.fields,
      after: found.fields,
      spans: {
        before: spanOfType(before, { kind: 'input', type: old }),
        after: spanOfType(after, { kind: 'input', type: found }),
      },
      coordinate: (name) => `${old.name}.${name}`,
      touch: { in: 'before', type: old.name },
    });
  }
}

/** A holder of named input values: an operation or a field with its arguments, or an input with its fields. */
interface InputValueHolder {
  /** The name of its values in the kinds of changes. */
  readonly values: 'argument' | 'input-field';
  readonly before: readonly GqlArgument[];
  readonly after: readonly GqlArgument[];
  /** The place of the holder, for values that one side lacks. */
  readonly spans: { readonly before: Span | undefined; readonly after: Span | undefined };
  /** `Query.readUser(id:)` or `UserInput.id` */
  readonly coordinate: (name: string) => string;
  readonly touch: Touch;
}

/** The changes of a holder's values. GraphQL has one set of rules for arguments and input fields. */
export function* inputValueChanges(comparison: Comparison, holder: InputValueHolder): Iterable<Finding> {
  const { values, spans, coordinate } = holder;
  const noun = values === 'argument' ? 'argument' : 'input field';
  const pairing = pairByName(holder.before, holder.after);
  const { removed, added, kept } = pairing;
  const renamed = likelyRenamed(pairing);
  for (const { name, span } of removed) {
    yield {
      kind: `${values}-removed`,
      level: 'breaking',
      coordinate: coordinate(name),
      message: `The ${noun} ${coordinate(name)} was removed${renamed ? `; perhaps it was renamed to ${coordinate(renamed.name)}` : ''}.`,
      before: placeAt(span ?? spans.before, 'removed'),
      after: placeNear(renamed?.span ?? spans.after, renamed ? 'perhaps this' : `without ${name}`),
      touch: holder.touch,
    };
  }
  for (const value of added) {
    const { name, span } = value;
    const type = printTypeRef(inputTypeRef(comparison.after.schema, value.type));
    const required = isRequired(value);
    yield {
      kind: `${values}-added`,
      level: required ? 'breaking' : 'dangerous',
      coordinate: coordinate(name),
      message: `The ${required ? 'required' : 'optional'} ${noun} ${coordinate(name)} of type ${type} was added.`,
      before: placeNear(spans.before, `without ${name}`),
      after: placeAt(span ?? spans.after, 'added'),
      touch: holder.touch,
    };
  }
  for (const pair of kept) yield* changesOfValue(comparison, holder, ...pair);
}

function* changesOfValue(
  comparison: Comparison,
  holder: InputValueHolder,
  before: GqlArgument,
  after: GqlArgument,
): Iterable<Finding> {
  const coordinate = holder.coordinate(before.name);
  const touch = holder.touch;
  const spans = { before: before.span ?? holder.spans.before, after: after.span ?? holder.spans.after };
  const part = { coordinate, spans, touch };
  // A layer may name an object type in place of its input, so the types in the SDL are compared.
  const oldType = inputTypeRef(comparison.before.schema, before.type);
  const newType = inputTypeRef(comparison.after.schema, after.type);
  const kind = `${holder.values}-type-changed` as const;
  yield* typeChange(part, kind, `The type of ${coordinate}`, [oldType, newType], 'given');
  const change = defaultChange(before, after);
  if (change !== undefined) {
    yield {
      kind: `${holder.values}-${change.what}`,
      level: change.level,
      coordinate,
      message: `${coordinate} ${change.words}.`,
      before: placeAt(spans.before, `was ${describeDefault(before)}`),
      after: placeAt(spans.after, `is ${describeDefault(after)}`),
      touch,
    };
  }
  yield* notesChange(part, before, after, 'given');
  yield* descriptionChange(part, before, after);
}

interface DefaultChange {
  readonly what: 'became-required' | 'default-added' | 'default-changed' | 'default-removed';
  readonly level: ChangeLevel;
  /** The rest of the sentence that begins with the coordinate. */
  readonly words: string;
}

/** The change of a default. A non-null value without one is required: calls that omit it are rejected. */
function defaultChange(before: GqlArgument, after: GqlArgument): DefaultChange | undefined {
  if (sameJson(before.fallback, after.fallback)) return undefined;
  const [was, is] = [JSON.stringify(before.fallback), JSON.stringify(after.fallback)];
  if (is === undefined && isRequired(after)) {
    return {
      what: 'became-required',
      level: 'breaking',
      words: `lost its default ${was} and is now required`,
    };
  }
  if (was === undefined)
    return { what: 'default-added', level: 'dangerous', words: `now has the default ${is}` };
  if (is === undefined)
    return { what: 'default-removed', level: 'dangerous', words: `lost its default ${was}` };
  return {
    what: 'default-changed',
    level: 'dangerous',
    words: `now has the default ${is} instead of ${was}`,
  };
}

function describeDefault({ fallback }: GqlArgument): string {
  return fallback === undefined ? 'without a default' : `${JSON.stringify(fallback)} by default`;
}
