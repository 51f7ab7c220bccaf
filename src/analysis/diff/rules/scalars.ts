import { builtinScalars } from '../../../compiler/graph/builtin-scalars.js';
import { baseName, type TypeRef } from '../../../compiler/graph/type-ref.js';
import { allOperations, type GqlField, type GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { type Comparison, changeOf, keptTypes, partOf } from '../model/comparison.js';

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
  const references = [
    ...[...objects, ...interfaces, ...inputs].flatMap(({ fields }) => fields.flatMap(typesOf)),
    ...allOperations(schema).flatMap((operation) => [operation.type, ...operation.arguments.map(({ type }) => type)]),
  ];
  const names = references.map(baseName).filter((name) => builtinScalars.has(name));
  return new Set([...names, 'String', 'Boolean']);
}

/** The type of a field, and those of its arguments. */
function typesOf({ type, arguments: args = [] }: Pick<GqlField, 'type' | 'arguments'>): readonly TypeRef[] {
  return [type, ...args.map((argument) => argument.type)];
}
