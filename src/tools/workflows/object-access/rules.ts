import { answerType } from '../../../compiler/api/rest-routes.js';
import { clausesOf, printClause } from '../../../compiler/graph/access.js';
import type { JsonValue } from '../../../compiler/graph/json-value.js';
import { baseName } from '../../../compiler/graph/type-ref.js';
import {
  allOperations,
  type GqlAccess,
  type GqlOperation,
  type GqlSchema,
} from '../../../compiler/schema/gql-schema.js';
import { namedType, objectFields } from '../../../compiler/schema/schema-index.js';
import { denialOf } from '../../../runtime/auth/denial.js';
import type { Owner } from '../../../runtime/auth/owner.js';
import type { Principal } from '../../../runtime/auth/principal.js';
import type { Values } from '../step-arguments.js';

/** A user that replays requests. */
export interface OtherUser {
  readonly id: string;
  /** Undefined for a caller without credentials. */
  readonly token: string | undefined;
  readonly principal: Principal | null;
  /** Undefined for a user that acts for every owner. */
  readonly owner: Owner | undefined;
}

/**
 * How the topology judges a call:
 * - `refused`: the caller may not make it,
 * - `own`: the caller may, because it is the owner that the arguments name,
 * - `hidden`: it may, but must not get objects of others,
 * - `exempt`: it acts for every owner,
 * - `unruled`: it must authenticate, but no rule names an owner,
 * - `open`: every caller may.
 */
export interface Rule {
  readonly kind: 'refused' | 'own' | 'hidden' | 'exempt' | 'unruled' | 'open';
  /** The rule in a few words: `owner patientId`; empty without one. */
  readonly text: string;
}

export function ruleOf(schema: GqlSchema, operation: GqlOperation, values: Values, user: OtherUser): Rule {
  const clauses = clausesOf(operation);
  const lacking = clauses.find((clause) => denialOf([clause], user.principal, []) !== undefined);
  if (lacking !== undefined) return { kind: 'refused', text: printClause(lacking) };
  const names = ownersOf(operation);
  const ofType = ownersOfType(schema, itemType(operation));
  const text = [...names, ...ofType].map((of) => printClause({ kind: 'owner', of }))[0] ?? '';
  if (text !== '' && user.owner === undefined) return { kind: 'exempt', text };
  const named = names.filter((name) => operation.arguments.some((argument) => argument.name === name));
  if (named.some((name) => !user.owner?.owns(values[name]))) return { kind: 'refused', text };
  if (names.length > named.length || ofType.length > 0) return { kind: 'hidden', text };
  if (named.length > 0) return { kind: 'own', text };
  return { kind: clauses.length === 0 || operation.open !== undefined ? 'open' : 'unruled', text };
}

/** The arguments or fields of a result that must be the id of the caller. */
export function ownersOf(access: GqlAccess): readonly string[] {
  return clausesOf(access).flatMap((clause) => (clause.kind === 'owner' ? [clause.of] : []));
}

export function ownersOfType(schema: GqlSchema, name: string): readonly string[] {
  const found = namedType(schema, name);
  return found.kind === 'object' || found.kind === 'interface' ? ownersOf(found.type) : [];
}

/** The names of all arguments and fields that hold an owner. `id` alone does not say whose id it is. */
export function ownerNames(schema: GqlSchema): ReadonlySet<string> {
  const places: GqlAccess[] = [
    ...allOperations(schema),
    ...[...schema.objects, ...(schema.interfaces ?? [])].flatMap((type) => [type, ...type.fields]),
  ];
  return new Set(places.flatMap(ownersOf).filter((name) => name !== 'id'));
}

/** The types whose objects every caller may read, by a query for them. */
export function publicTypes(schema: GqlSchema): ReadonlySet<string> {
  return new Set(
    schema.queries.flatMap((query) => {
      const type = itemType(query);
      const isOpen = clausesOf(query).length === 0 || query.open !== undefined;
      return isOpen && ownersOfType(schema, type).length === 0 ? [type] : [];
    }),
  );
}

/** The name of the type of the objects that an operation returns: of a page, that of its items. */
export function itemType({ page, type }: GqlOperation): string {
  return page?.node ?? baseName(type);
}

/** An object in a result. */
export interface Found {
  readonly type: string;
  readonly object: Values;
  /** Whether it is no part of another object with an id. */
  readonly isTop: boolean;
}

/** The objects with ids in the result of an operation, over REST or GraphQL. */
export function objectsIn(schema: GqlSchema, operation: GqlOperation, result: unknown): readonly Found[] {
  const found: Found[] = [];
  const walk = (name: string, value: unknown, isTop: boolean): void => {
    if (Array.isArray(value)) for (const item of value) walk(name, item, isTop);
    else if (typeof value === 'object' && value !== null) {
      const object = value as Readonly<Record<string, JsonValue>>;
      const type = typeof object.__typename === 'string' ? object.__typename : name;
      const hasId = object.id !== undefined && object.id !== null;
      if (hasId) found.push({ type, object, isTop });
      for (const field of objectFields(schema, type))
        if (typeof object[field.name] === 'object') walk(baseName(field.type), object[field.name], isTop && !hasId);
    }
  };
  walk(isPage(result) ? baseName(operation.type) : baseName(answerType(operation)), result, true);
  return found;
}

/** Whether a result is a connection of GraphQL. */
function isPage(result: unknown): boolean {
  return typeof result === 'object' && result !== null && Object.hasOwn(result, 'edges');
}

/** Whether a result has content: anything but null, an empty list and an empty page. */
export function hasResult(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  if (isPage(value)) return hasResult((value as { readonly edges: unknown }).edges);
  return true;
}
