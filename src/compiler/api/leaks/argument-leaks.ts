import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import { baseName } from '../../graph/type-ref.js';
import type { GqlArgument, GqlField, GqlSchema } from '../../schema/gql-schema.js';
import { indexSchema, inputTypeOf } from '../../schema/schema-index.js';
import { type LeakRule, type Place, wordsOf } from './ways.js';

/**
 * GG3082: callers can find out a guarded field by asking for its values: an argument that filters or sorts by it tells
 * which objects have a value, and in which order.
 */
export const argumentLeaks: LeakRule = function* (schema, ways) {
  for (const place of ways.places()) {
    const args = askingArguments(place);
    if (args.length === 0) continue;
    for (const type of ways.typesOf(place.result)) {
      for (const guarded of type.fields) {
        const argument = guarded.auth === 'required' ? findAsked(schema, args, guarded) : undefined;
        if (argument === undefined) continue;
        const field = `${type.name}.${guarded.name}`;
        for (const leak of ways.leaks(place, guarded, type)) {
          const words = wordsOf(leak, argument, field);
          yield diagnose('GG3082', { operation: leak.operation.name, argument, field, ...words }, leak.span);
        }
      }
    }
  }
};

/** A mutation writes what it is given, and an owner gives its own id. */
function askingArguments({ member, owner }: Place): readonly GqlArgument[] {
  if (owner !== undefined) return member.arguments ?? [];
  return member.kind === 'mutation' ? [] : member.arguments.filter(({ name }) => name !== member.owner);
}

/** The argument, the field of an input or the value of an enum that asks for a field; undefined if none does. */
function findAsked(schema: GqlSchema, args: readonly GqlArgument[], field: GqlField): string | undefined {
  const seen = new Set<string>();
  const find = (given: readonly GqlArgument[], before: string): string | undefined => {
    for (const { name, type } of given) {
      const path = before === '' ? name : `${before}.${name}`;
      if (name === field.name) return path;
      const typeName = baseName(type);
      if (seen.has(typeName)) continue;
      seen.add(typeName);
      const named = indexSchema(schema).types.get(typeName);
      const value = named?.kind === 'enum' ? named.type.values.find((one) => asksFor(one, field.name)) : undefined;
      if (value !== undefined) return `${path}: ${value}`;
      const input = named?.kind === 'input' ? named.type : inputTypeOf(schema, typeName);
      const found = input && find(input.fields, path);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return find(args, '');
}

/** Whether a value of an enum names a field, as sorting does: `SOCIAL_NUMBER`, `social_number_ASC`. */
function asksFor(value: string, field: string): boolean {
  const plain = (text: string) => text.replaceAll('_', '').toLowerCase();
  return plain(value.replace(/_(?:asc|desc|ascending|descending)$/i, '')) === plain(field);
}
