import type { GqlInputType, GqlNodeOrigin } from '../../../compiler/schema/gql-schema.js';
import {
  type ComparedPart,
  type ComparedSchema,
  type Comparison,
  changeOf,
  type DeclaredType,
  partOf,
  printEdges,
} from '../model/comparison.js';
import { descriptionChange } from '../model/part-changes.js';

/** Added and removed types, and changes of their kinds, descriptions and origins. */
export function* typeChanges(comparison: Comparison) {
  const { removed, added, kept } = comparison.types;
  for (const { kind, type } of removed) {
    const message = `The ${kindWords[kind]} ${type.name} was removed.`;
    yield changeOf(partOf(comparison, type.name), 'type-removed', message, ['removed', '']);
  }
  for (const { kind, type } of added) {
    const message = `The ${kindWords[kind]} ${type.name} was added.`;
    yield changeOf(partOf(comparison, type.name, 'after'), 'type-added', message, ['', 'added']);
  }
  for (const [old, found] of kept) yield* changesOfType(comparison, old, found);
}

function* changesOfType(comparison: Comparison, old: DeclaredType, found: DeclaredType) {
  const { name } = old.type;
  const part = partOf(comparison, name);
  if (old.kind !== found.kind) {
    const [was, is] = [kindWords[old.kind], kindWords[found.kind]];
    const message = `${name} changed from ${was} to ${is}.`;
    yield changeOf(part, 'type-kind-changed', message, [`was ${was}`, `is ${is}`]);
  }
  yield* descriptionChange(part, old.type, found.type);
  if (old.kind === 'input' && found.kind === 'input') yield* oneOfChange(part, old.type, found.type);
  const [was, is] = [originOf(comparison.before, old), originOf(comparison.after, found)];
  if (was === is || isMirrored(old) || isMirrored(found)) return;
  const message = `The origin of ${name} changed from ${was} to ${is}.`;
  yield changeOf(part, 'origin-changed', message, ['old origin', 'new origin']);
}

/** Whether a type is the input of an object type, where its origin is reported. */
function isMirrored(declared: DeclaredType): boolean {
  return declared.kind === 'input' && declared.type.of !== undefined;
}

function* oneOfChange(part: ComparedPart, before: GqlInputType, after: GqlInputType) {
  if (before.oneOf === after.oneOf) return;
  const { name } = before;
  if (after.oneOf === true) {
    const message = `${name} now takes exactly one of its fields.`;
    yield changeOf(part, 'input-one-of-added', message, ['took any fields', 'takes one field']);
  } else {
    const message = `${name} takes any of its fields, no longer exactly one.`;
    yield changeOf(part, 'input-one-of-removed', message, ['took one field', 'takes any fields']);
  }
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
  if (type.kind === 'union') return printEdges(type.type.edges);
  const mirrored = type.kind === 'input' ? schema.types.get(type.type.of ?? '') : undefined;
  const node = (mirrored?.kind === 'object' ? mirrored : type).type.node;
  if (node !== undefined) return printNode(node);
  return type.kind === 'scalar' && type.type.standard === true ? 'a standard scalar' : 'a layer';
}

/** The origin of a type as text: equal origins have equal texts. */
function printNode({ id, labels }: GqlNodeOrigin): string {
  return `(${[id, ...labels].join(':')})`;
}
