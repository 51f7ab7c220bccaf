import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import { type AccessClause, lackingClauses, printClause } from '../../graph/access.js';
import { baseName } from '../../graph/type-ref.js';
import {
  allOperations,
  type GqlAccess,
  type GqlArgument,
  type GqlField,
  type GqlSchema,
} from '../../schema/gql-schema.js';
import { indexSchema, inputTypeOf } from '../../schema/schema-index.js';
import type { LeakRule } from './leak-rule.js';
import { printPath, rootOf, spanOf, type Way } from './ways.js';

/**
 * GG3082: callers can find out a guarded field by asking for its values: an argument that filters or sorts by it tells
 * which objects have a value, and in which order.
 */
export const argumentLeaks: LeakRule = function* (schema, ways) {
  const guarded = (type: string) =>
    ways
      .typesOf(type)
      .flatMap(({ name, fields }) => fields.filter(isGuarded).map((field) => ({ name, field })));
  for (const operation of allOperations(schema)) {
    // A mutation writes what it is given.
    if (operation.kind === 'mutation' || operation.open !== undefined) continue;
    const way = { operation, steps: [rootOf(operation), operation.name] };
    for (const { name, field } of guarded(operation.page?.node ?? baseName(operation.type))) {
      // An owner gives its own id.
      const own = operation.arguments.filter((argument) => argument.name !== operation.owner);
      const asked = findAsked(schema, own, field);
      const lacking = asked === undefined ? [] : lackingClauses(field, operation, ways.types.get(name) ?? {});
      if (lacking.length > 0)
        yield leak(way, asked as string, `${name}.${field.name}`, lacking, spanOf(operation));
    }
  }
  for (const type of schema.objects) {
    for (const parent of type.fields) {
      if (parent.arguments === undefined) continue;
      for (const { name, field } of guarded(parent.page?.node ?? baseName(parent.type))) {
        const asked = findAsked(schema, parent.arguments, field);
        if (asked === undefined) continue;
        for (const clause of lackingClauses(field, type, parent, ways.types.get(name) ?? {})) {
          const way = ways.to(type.name, clause);
          if (way === undefined) continue;
          const steps = [...way.steps, `${type.name}.${parent.name}`];
          const span = parent.span ?? spanOf(way.operation);
          yield leak({ ...way, steps }, asked, `${name}.${field.name}`, [clause], span);
        }
      }
    }
  }
};

function isGuarded({ auth }: GqlAccess): boolean {
  return auth === 'required';
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
      const value =
        named?.kind === 'enum' ? named.type.values.find((one) => asksFor(one, field.name)) : undefined;
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

function leak(
  { operation, steps }: Way,
  argument: string,
  field: string,
  lacking: readonly AccessClause[],
  span: Span,
): Diagnostic {
  const path = printPath([...steps, argument, field], lacking);
  const needs = lacking.map(printClause).join(', ');
  return diagnose('GG3082', { operation: operation.name, argument, field, lacking: needs, path }, span);
}
