import { sameJson } from '../../../base/json-schema/same-json.js';
import type { Span } from '../../../base/source/span.js';
import { builtinScalars } from '../../../compiler/graph/builtin-scalars.js';
import { baseName } from '../../../compiler/graph/type-ref.js';
import {
  allOperations,
  type GqlField,
  type GqlInputType,
  type GqlSchema,
  type GqlUnionType,
} from '../../../compiler/schema/gql-schema.js';
import { accessChanges } from '../model/access-changes.js';
import {
  type ComparedPart,
  type ComparedSchema,
  type Comparison,
  changeOf,
  type DeclaredType,
  keptTypes,
  pairNames,
  partOf,
  printEdges,
  textChange,
} from '../model/comparison.js';
import { descriptionChange, textChanges } from '../model/part-changes.js';

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
  // The origin of the input of an object type is reported there.
  const isMirrored = ({ kind, type }: DeclaredType) => kind === 'input' && type.of !== undefined;
  if (isMirrored(old) || isMirrored(found)) return;
  const [was, is] = [originOf(comparison.before, old), originOf(comparison.after, found)];
  const message = `The origin of ${name} changed from ${was} to ${is}.`;
  yield* textChange(part, 'origin-changed', [was, is], message, ['old origin', 'new origin']);
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

/** The origin of a type as text: equal origins have equal texts. */
function originOf(schema: ComparedSchema, type: DeclaredType): string {
  if (type.kind === 'union') return printEdges(type.type.edges);
  const mirrored = type.kind === 'input' ? schema.types.get(type.type.of ?? '') : undefined;
  const node = (mirrored?.kind === 'object' ? mirrored : type).type.node;
  if (node !== undefined) return `(${[node.id, ...node.labels].join(':')})`;
  return type.kind === 'scalar' && type.type.standard === true ? 'a standard scalar' : 'a layer';
}

/** Values of enums that are in both schemas. */
export function* enumValueChanges(comparison: Comparison) {
  for (const [old, found] of keptTypes(comparison, 'enum')) {
    const ofType = partOf(comparison, old.name);
    const { removed, added } = pairNames(old.values, found.values);
    for (const value of removed) {
      const part = { ...ofType, coordinate: `${old.name}.${value}` };
      const message = `The value ${part.coordinate} was removed.`;
      const notes = [`had ${value}`, `without ${value}`] as const;
      yield changeOf(part, 'enum-value-removed', message, notes, { absentIn: 'after' });
    }
    for (const value of added) {
      const part = { ...ofType, coordinate: `${old.name}.${value}` };
      const message = `The value ${part.coordinate} was added.`;
      const notes = [`without ${value}`, `has ${value}`] as const;
      yield changeOf(part, 'enum-value-added', message, notes, { absentIn: 'before' });
    }
    for (const [at, value] of old.values.entries()) {
      const index = found.values.indexOf(value);
      if (index === -1) continue;
      const part = partOf(comparison, `${old.name}.${value}`);
      const was = old.spellings?.[at] ?? value;
      const is = found.spellings?.[index] ?? value;
      if (was !== is) {
        const message = `The value ${part.coordinate} is spelt “${is}” over REST, no longer “${was}”.`;
        yield changeOf(part, 'enum-value-spelling-changed', message, [`spelt “${was}”`, `spelt “${is}”`]);
      }
      yield* textChanges(part, old.valueNotes?.[at] ?? {}, found.valueNotes?.[index] ?? {});
    }
  }
}

/** Changed specifications of custom scalars, and built-in scalars that are not used any more. */
export function* scalarChanges(comparison: Comparison) {
  const { before, after } = comparison;
  for (const [old, found] of keptTypes(comparison, 'scalar')) {
    const isOtherKind = found.standard !== old.standard;
    if (!isOtherKind && found.specifiedBy === old.specifiedBy) continue;
    const [was, is] = [old, found].map(({ specifiedBy, standard }) =>
      isOtherKind && standard === true ? 'that of the standard scalar' : (specifiedBy ?? 'nothing'),
    );
    const part = partOf(comparison, old.name);
    const message = `The specification of the scalar ${old.name} changed from ${was} to ${is}.`;
    const notes = [`specified by ${was}`, `specified by ${is}`] as const;
    yield changeOf(part, 'scalar-specification-changed', message, notes);
  }
  const stillUsed = usedBuiltins(after.schema);
  for (const name of usedBuiltins(before.schema)) {
    if (stillUsed.has(name)) continue;
    const part = { ...partOf(comparison, name), touch: { in: 'before', operations: [] } } as const;
    yield changeOf(part, 'scalar-unused', `The built-in scalar ${name} is not used any more.`, ['', '']);
  }
}

/** The built-in scalars that a schema refers to; GraphQL itself always refers to String and Boolean. */
function usedBuiltins(schema: GqlSchema): ReadonlySet<string> {
  const { objects, interfaces = [], inputs } = schema;
  const fields: readonly Pick<GqlField, 'type' | 'arguments'>[] = [
    ...[...objects, ...interfaces, ...inputs].flatMap((type): readonly Pick<GqlField, 'type'>[] => type.fields),
    ...allOperations(schema),
  ];
  const references = fields.flatMap(({ type, arguments: args = [] }) => [type, ...args.map((one) => one.type)]);
  const names = references.map(baseName).filter((name) => builtinScalars.has(name));
  return new Set([...names, 'String', 'Boolean']);
}

/** Members, timing and access of unions that are in both schemas. */
export function* unionChanges(comparison: Comparison) {
  const { before, after } = comparison;
  for (const [old, union] of keptTypes(comparison, 'union')) {
    const { name } = old;
    const { removed, added } = pairNames(old.members, union.members);
    for (const member of removed) {
      const part = partOf(comparison, `${name}.${member}`);
      const spans = { ...part.spans, before: spanOfMember(before, old, member) };
      const message = `${member} was removed from the union ${name}.`;
      const notes = [`raced ${member}`, `without ${member}`] as const;
      yield changeOf({ ...part, spans }, 'union-member-removed', message, notes, { absentIn: 'after' });
    }
    for (const member of added) {
      const part = partOf(comparison, `${name}.${member}`);
      const spans = { ...part.spans, after: spanOfMember(after, union, member) };
      const message = `${member} was added to the union ${name}.`;
      const notes = [`without ${member}`, `races ${member}`] as const;
      yield changeOf({ ...part, spans }, 'union-member-added', message, notes, { absentIn: 'before' });
    }
    const part = partOf(comparison, name);
    yield* timingChange(part, old, union);
    yield* policyChange(part, old, union);
    for (const [member, open] of Object.entries(union.open ?? {})) {
      const was = old.open?.[member];
      const place = { ...part, coordinate: `${name} of ${member}` };
      yield* accessChanges(place, was === undefined ? {} : { open: was }, { open });
    }
  }
}

/** The place of a union member: the first edge with its node as a source. */
function spanOfMember(schema: ComparedSchema, { edges }: GqlUnionType, member: string): Span | undefined {
  const isSource = (id: string) => schema.objectOfNode.get(id)?.name === member;
  return (edges.find(({ from }) => from.some(isSource)) ?? edges[0])?.span;
}

/** The delays of a race; only members on both sides are compared, the others are reported above. */
function* timingChange(part: ComparedPart, before: GqlUnionType, after: GqlUnionType) {
  const common = before.members.filter((name) => after.members.includes(name));
  const print = (union: GqlUnionType) =>
    common.map((name) => `${name} after ${union.delays?.[union.members.indexOf(name)] ?? 0} ms`).join(', ');
  const [was, is] = [print(before), print(after)];
  const message = `The race ${before.name} now starts ${is} instead of ${was}.`;
  yield* textChange(part, 'race-timing-changed', [was, is], message, ['old delays', 'new delays']);
}

/** The policies of a race. Without `failure`, a failed branch is vented. */
function* policyChange(part: ComparedPart, before: GqlUnionType, after: GqlUnionType) {
  const policyOf = ({ policy }: GqlUnionType) => ({ failure: 'vent', ...policy });
  const [old, found] = [policyOf(before), policyOf(after)];
  if (sameJson(old, found)) return;
  const print = (policy: typeof old) => Object.entries(policy).map(([word, value]) => `${word}: ${value}`);
  const message = `The race ${before.name} now has ${print(found).join(', ')} instead of ${print(old).join(', ')}.`;
  yield changeOf(part, 'race-policy-changed', message, ['old policy', 'new policy']);
}
