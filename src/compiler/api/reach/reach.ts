import { remember } from '../../graph/maps.js';
import { nullable, type TypeRef } from '../../graph/type-ref.js';
import type {
  GqlAccess,
  GqlObjectType,
  GqlOperation,
  GqlSchema,
  GqlUnionType,
} from '../../schema/gql-schema.js';
import { withInternal } from '../../schema/schema-index.js';
import { operationCoordinate } from '../operation-coordinate.js';

/** An operation that runs when another operation or a field is resolved without a resolver of its own. */
export interface ReachedOperation {
  /** The query that runs: `Query.fast`. It may be internal. */
  readonly coordinate: string;
  readonly operation: GqlOperation;
  /** What the query demands of callers that name it, and what reading its result demands. */
  readonly access: GqlAccess;
  /** How it is reached: the races, from the first to the one whose branch it is. */
  readonly races: readonly ReachedBranch[];
  /** Why callers need not meet its access; absent if they must. */
  readonly open?: string;
}

export interface ReachedBranch {
  readonly race: GqlUnionType;
  /** The member of the race whose query runs. */
  readonly member: string;
  readonly operation: GqlOperation;
}

export type Reach = (coordinate: string) => readonly ReachedOperation[];

const reaches = new WeakMap<GqlSchema, Reach>();

/**
 * What runs beside the operation or field at a coordinate (`Query.found`, `Search.best`) when it has no resolver: a race
 * runs the query of each of its branches with the same arguments, and such a query may race in its turn. Each operation
 * is listed once, in the order of the branches. Mutations and subscriptions run no query, and a list is no race.
 *
 * A caller must meet the access of each of them, unless it has `open`.
 */
export function reachOf(schema: GqlSchema): Reach {
  return remember(reaches, schema, () => createReach(withInternal(schema), schema));
}

function createReach(whole: GqlSchema, { internal }: GqlSchema): Reach {
  if (whole.unions.length === 0) return () => none;
  // A union serves values of its own name, an internal race those of its target.
  const raceOf = new Map(whole.unions.map((union) => [union.name, union]));
  for (const race of internal?.races ?? none) raceOf.set(race.target, race);
  const queryOf = queriesByType(whole);
  const starts = new Map<string, { readonly type: TypeRef; readonly open?: string }>();
  // Mutations and subscriptions race constants only.
  for (const operation of whole.queries) starts.set(operationCoordinate(operation), operation);
  const objects = new Map(whole.objects.map((type) => [type.name, type]));
  const known = new Map<string, readonly ReachedOperation[]>();
  const find = (coordinate: string): readonly ReachedOperation[] => {
    const start = starts.get(coordinate) ?? fieldAt(objects, coordinate);
    if (start === undefined) return none;
    const found = new Map<GqlOperation, ReachedOperation>();
    const visit = (type: TypeRef, races: readonly ReachedBranch[], open: string | undefined): void => {
      const name = singleType(type);
      const race = name === undefined ? undefined : raceOf.get(name);
      for (const member of race?.members ?? none) {
        const operation = queryOf.get(member);
        // A query that was reached on a closed way stays closed, whatever other ways lead to it.
        if (operation === undefined || (found.has(operation) && found.get(operation)?.open === undefined))
          continue;
        const reason = open ?? race?.open?.[member];
        if (found.has(operation) && reason !== undefined) continue;
        const path = [...races, { race: race as GqlUnionType, member, operation }];
        const reached = { coordinate: `Query.${operation.name}`, operation, access: operation, races: path };
        found.set(operation, reason === undefined ? reached : { ...reached, open: reason });
        visit(operation.type, path, reason ?? operation.open);
      }
    };
    visit(start.type, none, start.open);
    // The operation itself is no more than what the caller asked for.
    return [...found.values()].filter((reached) => reached.coordinate !== coordinate);
  };
  return (coordinate) => remember(known, coordinate, () => find(coordinate));
}

const none: readonly never[] = [];

function fieldAt(
  objects: ReadonlyMap<string, GqlObjectType>,
  coordinate: string,
): { readonly type: TypeRef; readonly open?: string } | undefined {
  const [owner, name] = coordinate.split('.');
  const field = objects.get(owner ?? '')?.fields.find((one) => one.name === name);
  // A constant is served as it is.
  return field?.fallback === undefined ? field : undefined;
}

/** The first query that returns one value of a type, which runs for that member of a race. */
export function queriesByType({ queries }: Pick<GqlSchema, 'queries'>): ReadonlyMap<string, GqlOperation> {
  const found = new Map<string, GqlOperation>();
  for (const query of queries) {
    const type = singleType(query.type);
    if (type !== undefined && !found.has(type)) found.set(type, query);
  }
  return found;
}

/** The name of the type of a single value; undefined for lists. */
export function singleType(type: TypeRef): string | undefined {
  const bare = nullable(type);
  return bare.kind === 'list' ? undefined : bare.name;
}
