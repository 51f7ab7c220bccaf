import type { GqlInputType } from '../../schema/gql-schema.js';
import type { Finding } from '../model/change.js';
import { type ComparedSchema, type Comparison, type DeclaredType, nodeOf } from '../model/comparison.js';
import { type ComparedPart, descriptionChange } from '../model/part-changes.js';
import { describeEdges, describeNode, placeAt, spanOfType } from '../model/places.js';

/** Added and removed types, and changes of their kinds, descriptions and origins. */
export function* typeChanges(comparison: Comparison): Iterable<Finding> {
  const { before, after, types } = comparison;
  const { removed, added, kept } = types;
  for (const type of removed) {
    const { name } = type.type;
    yield {
      kind: 'type-removed',
      level: 'breaking',
      coordinate: name,
      message: `The ${kindWords[type.kind]} ${name} was removed.`,
      before: placeAt(spanOfType(before, type), 'removed'),
      after: undefined,
      touch: { in: 'before', type: name },
    };
  }
  for (const type of added) {
    const { name } = type.type;
    yield {
      kind: 'type-added',
      level: 'safe',
      coordinate: name,
      message: `The ${kindWords[type.kind]} ${name} was added.`,
      before: undefined,
      after: placeAt(spanOfType(after, type), 'added'),
      touch: { in: 'after', type: name },
    };
  }
  for (const [old, found] of kept) yield* changesOfType(comparison, old, found);
}

function* changesOfType(
  { before, after }: Comparison,
  old: DeclaredType,
  found: DeclaredType,
): Iterable<Finding> {
  const { name } = old.type;
  const spans = { before: spanOfType(before, old), after: spanOfType(after, found) };
  const touch = { in: 'before', type: name } as const;
  if (old.kind !== found.kind) {
    const [was, is] = [kindWords[old.kind], kindWords[found.kind]];
    yield {
      kind: 'type-kind-changed',
      level: 'breaking',
      coordinate: name,
      message: `${name} changed from ${was} to ${is}.`,
      before: placeAt(spans.before, `was ${was}`),
      after: placeAt(spans.after, `is ${is}`),
      touch,
    };
  }
  yield* descriptionChange({ coordinate: name, spans, touch }, old.type, found.type);
  const [was, is] = [originOf(before, old), originOf(after, found)];
  if (old.kind === 'input' && found.kind === 'input')
    yield* oneOfChange(old.type, found.type, { spans, touch });
  if (was === is || isMirrored(old) || isMirrored(found)) return;
  yield {
    kind: 'origin-changed',
    level: 'safe',
    coordinate: name,
    message: `The origin of ${name} changed from ${was} to ${is}.`,
    before: placeAt(spans.before, 'old origin'),
    after: placeAt(spans.after, 'new origin'),
    touch,
  };
}

/** Whether a type is the input of an object type, where its origin is reported. */
function isMirrored(declared: DeclaredType): boolean {
  return declared.kind === 'input' && declared.type.of !== undefined;
}

function* oneOfChange(
  before: GqlInputType,
  after: GqlInputType,
  { spans, touch }: Omit<ComparedPart, 'coordinate'>,
): Iterable<Finding> {
  const { name } = before;
  if (before.oneOf === after.oneOf) return;
  const isAdded = after.oneOf === true;
  yield {
    kind: isAdded ? 'input-one-of-added' : 'input-one-of-removed',
    level: isAdded ? 'breaking' : 'safe',
    coordinate: name,
    message: isAdded
      ? `${name} now takes exactly one of its fields.`
      : `${name} takes any of its fields, no longer exactly one.`,
    before: placeAt(spans.before, isAdded ? 'took any fields' : 'took one field'),
    after: placeAt(spans.after, isAdded ? 'takes one field' : 'takes any fields'),
    touch,
  };
}

const kindWords = {
  object: 'object type',
  interface: 'interface',
  input: 'input',
  enum: 'enum',
  scalar: 'scalar',
  union: 'union',
} as const satisfies Readonly<Record<DeclaredType['kind'], string>>;

function originOf(schema: ComparedSchema, type: DeclaredType): string {
  if (type.kind === 'union') return describeEdges(type.type.edges);
  const node = nodeOf(schema, type);
  if (node !== undefined) return describeNode(node);
  return type.kind === 'scalar' && type.type.standard === true ? 'a standard scalar' : 'a layer';
}
