import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { type AccessClause, clausesOf } from '../../graph/access.js';
import { baseName, nullable, type TypeRef } from '../../graph/type-ref.js';
import {
  allOperations,
  type GqlAccess,
  type GqlObjectType,
  type GqlPage,
  type GqlSchema,
} from '../../schema/gql-schema.js';
import type { LeakRule } from './leak-rule.js';
import { printPath, rootOf, spanOf, type Ways } from './ways.js';

/**
 * GG3086: a list, a page or a stream of objects with owners, whose length, cursors or times tell of the objects of
 * others. A single object is compared with the caller when it is read.
 */
export const ownerLeaks: LeakRule = (schema, ways) => [
  ...ofOperations(schema, ways),
  ...ofFields(schema, ways),
];

function* ofOperations(schema: GqlSchema, ways: Ways): Iterable<Diagnostic> {
  for (const operation of allOperations(schema)) {
    if (operation.open !== undefined || namesOwner(operation)) continue;
    if (operation.kind !== 'subscription' && !isMany(operation)) continue;
    for (const { type, clause } of ownedIn(operation, ways)) {
      const path = printPath([rootOf(operation), operation.name, type.name], [clause]);
      const params = { place: operation.name, type: type.name, owner: clause.of, path };
      yield diagnose('GG3086', params, spanOf(operation));
    }
  }
}

function* ofFields(schema: GqlSchema, ways: Ways): Iterable<Diagnostic> {
  for (const parent of schema.objects) {
    // The connections of pages belong to the operations and fields that return them.
    if (parent.node === undefined || namesOwner(parent)) continue;
    for (const field of parent.fields) {
      if (!isMany(field) || namesOwner(field)) continue;
      for (const { type, clause } of ownedIn(field, ways)) {
        const way = ways.to(parent.name, clause);
        if (way === undefined) continue;
        const place = `${parent.name}.${field.name}`;
        const path = printPath([...way.steps, place, type.name], [clause]);
        const params = { place, type: type.name, owner: clause.of, path };
        yield diagnose('GG3086', params, field.span ?? spanOf(way.operation));
      }
    }
  }
}

interface Owned {
  readonly type: GqlObjectType;
  readonly clause: Extract<AccessClause, { kind: 'owner' }>;
}

/** The types with owners of which results can be. */
function ownedIn({ type, page }: { readonly type: TypeRef; readonly page?: GqlPage }, ways: Ways): Owned[] {
  return ways.typesOf(page?.node ?? baseName(type)).flatMap((found) => {
    const clause = clausesOf(found).find((one) => one.kind === 'owner');
    return clause === undefined ? [] : [{ type: found, clause }];
  });
}

function isMany({ type, page }: { readonly type: TypeRef; readonly page?: GqlPage }): boolean {
  return page !== undefined || nullable(type).kind === 'list';
}

function namesOwner(place: GqlAccess): boolean {
  return clausesOf(place).some(({ kind }) => kind === 'owner');
}
