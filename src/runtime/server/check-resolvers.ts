import { type Diagnostic, diagnose } from '../../base/diagnostics/diagnostic.js';
import { wholeFile } from '../../base/source/span.js';
import { readProperty } from '../../base/values/read-property.js';
import { operationCoordinate } from '../../compiler/api/operation-coordinate.js';
import { createSuggester } from '../../compiler/graph/suggest.js';
import { allOperations, type GqlSchema } from '../../compiler/schema/gql-schema.js';
import { indexSchema } from '../../compiler/schema/schema-index.js';
import { isBatchResolver, keysOfBatch } from '../execute/resolvers/batch.js';
import type { Resolvers } from '../execute/resolvers/contract.js';

/** The place of findings about resolvers, which are in a program and not in a topology. */
const place = wholeFile('resolvers');

const rootLists = { Query: 'queries', Mutation: 'mutations', Subscription: 'subscriptions' } as const;

/**
 * Checks a map of resolvers against the schema: each must belong to an existing field (GG5002) and have the right
 * kind (GG5005). A resolver that is never called usually has a misspelt name.
 */
export function checkResolvers(schema: GqlSchema, resolvers: Resolvers<never>): readonly Diagnostic[] {
  return given(resolvers).flatMap(([typeName, entry]) => {
    const operation = typeof entry === 'function' ? operationNamed(schema, typeName) : undefined;
    if (operation !== undefined) return [unknown(typeName, operation)];
    if (typeof entry !== 'object' || entry === null) return [wrongKind(typeName, 'an object of resolvers')];
    return isRoot(typeName) ? checkRoot(schema, typeName, entry) : checkType(schema, typeName, entry);
  });
}

function checkRoot(schema: GqlSchema, root: keyof typeof rootLists, entry: object): Diagnostic[] {
  const internal = root === 'Query' ? (schema.internal?.queries ?? []) : [];
  const names = new Set([...schema[rootLists[root]], ...internal].map(nameOf));
  return given(entry).flatMap(([name, resolver]) => {
    const coordinate = `${root}.${name}`;
    if (!names.has(name)) return [unknown(coordinate, suggestOperation(schema, root, name))];
    if (root !== 'Subscription' || isSubscriptionResolver(resolver)) return [];
    return [wrongKind(coordinate, 'a function that returns an async iterable, or { subscribe, resolve }')];
  });
}

function checkType(schema: GqlSchema, typeName: string, entry: object): Diagnostic[] {
  const found = indexSchema(schema).types.get(typeName);
  switch (found?.kind) {
    case 'object': {
      const fields = found.type.fields.map(nameOf);
      const withoutKey = found.type.fields.filter((field) => {
        const value = Object.hasOwn(entry, field.name) && (entry as Record<string, unknown>)[field.name];
        return isBatchResolver(value) && keysOfBatch(schema, found.type, field, value).length === 0;
      });
      return [
        ...checkFields(typeName, entry, [...fields, '__isTypeOf'], '__isTypeOf'),
        ...withoutKey.map(({ name }) => wrongKind(`${typeName}.${name}`, withoutBatch)),
      ];
    }
    case 'union':
    case 'interface':
      return checkFields(typeName, entry, ['__resolveType'], '__resolveType');
    case 'scalar': {
      const fits = ['serialize', 'parseValue', 'parseLiteral'].every(
        (part) => typeof readProperty(entry, part) === 'function',
      );
      return fits ? [] : [wrongKind(typeName, 'a GraphQLScalarType')];
    }
    case 'enum':
      return [unknown(typeName, undefined)];
    default: {
      const candidates = [
        ...Object.keys(rootLists),
        ...[schema.objects, schema.unions, schema.interfaces ?? [], schema.scalars].flat().map(nameOf),
      ];
      return [unknown(typeName, createSuggester(candidates).nearest(typeName))];
    }
  }
}

const withoutBatch =
  'a function or a value: a batch resolver needs a field with the key, such as authorId for author, or id';

/** Checks names against `known`; the one named `callable` must be a function. */
function checkFields(typeName: string, entry: object, known: readonly string[], callable: string) {
  const names = new Set(known);
  return given(entry).flatMap(([name, resolver]) => {
    const coordinate = `${typeName}.${name}`;
    if (names.has(name))
      return name === callable && typeof resolver !== 'function' ? [wrongKind(coordinate, 'a function')] : [];
    const suggestion = createSuggester(known).nearest(name);
    return [unknown(coordinate, suggestion && `${typeName}.${suggestion}`)];
  });
}

/** A field of the same name under another root is the likelier mistake, then a similar name under this one. */
function suggestOperation(schema: GqlSchema, root: keyof typeof rootLists, name: string): string | undefined {
  const elsewhere = operationNamed(schema, name);
  if (elsewhere !== undefined) return elsewhere;
  const suggestion = createSuggester(schema[rootLists[root]].map(nameOf)).nearest(name);
  return suggestion && `${root}.${suggestion}`;
}

function operationNamed(schema: GqlSchema, name: string): string | undefined {
  const found = allOperations(schema).find((operation) => operation.name === name);
  return found && operationCoordinate(found);
}

function isRoot(typeName: string): typeName is keyof typeof rootLists {
  return Object.hasOwn(rootLists, typeName);
}

function isSubscriptionResolver(resolver: unknown): boolean {
  if (typeof resolver === 'function') return true;
  if (typeof resolver !== 'object' || resolver === null) return false;
  const { subscribe, resolve } = resolver as Record<string, unknown>;
  return typeof subscribe === 'function' && (resolve === undefined || typeof resolve === 'function');
}

/** A name without a value is a conditional resolver, not an error. */
function given(map: object): readonly (readonly [string, unknown])[] {
  return Object.entries(map).filter(([, value]) => value !== undefined);
}

function nameOf(item: { readonly name: string }): string {
  return item.name;
}

function unknown(coordinate: string, suggestion: string | undefined): Diagnostic {
  return diagnose('GG5002', { coordinate, suggestion }, place);
}

function wrongKind(coordinate: string, expected: string): Diagnostic {
  return diagnose('GG5005', { coordinate, expected }, place);
}
