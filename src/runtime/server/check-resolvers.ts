import { type Diagnostic, diagnose } from '../../base/diagnostics/diagnostic.js';
import { wholeFile } from '../../base/source/span.js';
import { batchKeyOf } from '../../compiler/api/batch-key.js';
import { createSuggester } from '../../compiler/graph/suggest.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import { indexSchema } from '../../compiler/schema/schema-index.js';
import { isBatchResolver } from '../execute/resolvers/batch.js';
import type { Resolvers } from '../execute/resolvers/contract.js';

/** The place of findings about resolvers, which are in a program and not in a topology. */
const place = wholeFile('resolvers');

const rootLists = { Query: 'queries', Mutation: 'mutations', Subscription: 'subscriptions' } as const;

/**
 * Checks a map of resolvers against the schema: each must belong to an existing field (GG5002) and have the right
 * kind (GG5005). A resolver that is never called usually has a misspelt name.
 */
export function checkResolvers(schema: GqlSchema, resolvers: Resolvers<never>): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const [typeName, entry] of given(resolvers)) {
    const operation = typeof entry === 'function' ? operationNamed(schema, typeName) : undefined;
    if (operation !== undefined) {
      diagnostics.push(unknown(typeName, operation));
    } else if (typeof entry !== 'object' || entry === null) {
      diagnostics.push(wrongKind(typeName, 'an object of resolvers'));
    } else if (isRoot(typeName)) {
      diagnostics.push(...checkRoot(schema, typeName, entry));
    } else {
      diagnostics.push(...checkType(schema, typeName, entry));
    }
  }
  return diagnostics;
}

function checkRoot(schema: GqlSchema, root: keyof typeof rootLists, entry: object): Diagnostic[] {
  const internal = root === 'Query' ? (schema.internal?.queries ?? []) : [];
  const names = new Set([...schema[rootLists[root]], ...internal].map(nameOf));
  const diagnostics: Diagnostic[] = [];
  for (const [name, resolver] of given(entry)) {
    if (!names.has(name)) {
      diagnostics.push(unknown(`${root}.${name}`, suggestOperation(schema, root, name)));
    } else if (root === 'Subscription' && !isSubscriptionResolver(resolver)) {
      diagnostics.push(
        wrongKind(`${root}.${name}`, 'a function that returns an async iterable, or { subscribe, resolve }'),
      );
    }
  }
  return diagnostics;
}

function checkType(schema: GqlSchema, typeName: string, entry: object): Diagnostic[] {
  const found = indexSchema(schema).types.get(typeName);
  switch (found?.kind) {
    case 'object': {
      const fields = found.type.fields.map(nameOf);
      const withoutKey = found.type.fields.filter(
        (field) =>
          isBatchResolver(own(entry, field.name)) && batchKeyOf(schema, found.type, field) === undefined,
      );
      return [
        ...checkFields(typeName, entry, [...fields, '__isTypeOf'], '__isTypeOf'),
        ...withoutKey.map(({ name }) => wrongKind(`${typeName}.${name}`, withoutBatch)),
      ];
    }
    case 'union':
    case 'interface':
      return checkFields(typeName, entry, ['__resolveType'], '__resolveType');
    case 'scalar': {
      const parts = entry as Record<string, unknown>;
      const fits = ['serialize', 'parseValue', 'parseLiteral'].every(
        (part) => typeof parts[part] === 'function',
      );
      return fits ? [] : [wrongKind(typeName, 'a GraphQLScalarType')];
    }
    case 'enum':
      return [unknown(typeName, undefined)];
    default: {
      const candidates = [
        ...Object.keys(rootLists),
        ...schema.objects.map(nameOf),
        ...schema.unions.map(nameOf),
        ...(schema.interfaces ?? []).map(nameOf),
        ...schema.scalars.map(nameOf),
      ];
      return [unknown(typeName, createSuggester(candidates).nearest(typeName))];
    }
  }
}

const withoutBatch =
  'a function or a value: a batch resolver needs a field with the key, such as authorId for author, or id';

function own(map: object, name: string): unknown {
  return Object.hasOwn(map, name) ? (map as Record<string, unknown>)[name] : undefined;
}

/** Checks names against `known`; the one named `callable` must be a function. */
function checkFields(
  typeName: string,
  entry: object,
  known: readonly string[],
  callable: string,
): Diagnostic[] {
  const names = new Set(known);
  const diagnostics: Diagnostic[] = [];
  for (const [name, resolver] of given(entry)) {
    const coordinate = `${typeName}.${name}`;
    if (!names.has(name)) {
      const suggestion = createSuggester(known).nearest(name);
      diagnostics.push(unknown(coordinate, suggestion && `${typeName}.${suggestion}`));
    } else if (name === callable && typeof resolver !== 'function') {
      diagnostics.push(wrongKind(coordinate, 'a function'));
    }
  }
  return diagnostics;
}

/** A field of the same name under another root is the likelier mistake, then a similar name under this one. */
function suggestOperation(schema: GqlSchema, root: keyof typeof rootLists, name: string): string | undefined {
  const elsewhere = operationNamed(schema, name);
  if (elsewhere !== undefined) return elsewhere;
  const suggestion = createSuggester(schema[rootLists[root]].map(nameOf)).nearest(name);
  return suggestion && `${root}.${suggestion}`;
}

function operationNamed(schema: GqlSchema, name: string): string | undefined {
  const [root] = Object.entries(rootLists).filter(([, list]) =>
    schema[list].some((one) => one.name === name),
  );
  return root === undefined ? undefined : `${root[0]}.${name}`;
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
