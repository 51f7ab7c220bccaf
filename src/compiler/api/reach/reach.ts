import { perObject, remember } from '../../graph/maps.js';
import { nullable, type TypeRef } from '../../graph/type-ref.js';
import type {
  GqlAccess,
  GqlObjectType,
  GqlOperation,
  GqlSchema,
  GqlUnionType,
  GqlVent,
} from '../../schema/gql-schema.js';
import { withInternal } from '../../schema/schema-index.js';
import { operationCoordinate } from '../operation-coordinate.js';

/** An operation that runs when another operation or a field is resolved without a resolver of its own. */
export interface ReachedOperation {
  /** The query that runs: `Query.fast`. It may be internal. */
  readonly coordinate: string;
  readonly operation: GqlOperation;
  /** The demands on callers that name the query, and on those that read its result. */
  readonly access: GqlAccess;
  /** How it is reached: the races and the fallbacks, to the one that runs it. At least one. */
  readonly steps: readonly ReachedStep[];
  /** Why callers need not meet its access; absent if they must. */
  readonly open?: string;
}

/** A race and the member whose query runs, or a fallback. */
export type ReachedStep =
  | { readonly race: GqlUnionType; readonly member: string; readonly vent?: undefined }
  | { readonly vent: GqlVent };

export type Reach = (coordinate: string) => readonly ReachedOperation[];

/**
 * The operations that run beside the operation or field at a coordinate (`Query.found`, `Search.best`) when it has no
 * resolver: a race runs the query of each of its branches with the same arguments, and such a query may race in its
 * turn. The fallback of a query runs when it fails. Each operation is listed once, in the order of the branches. Mutations and subscriptions
 * run no query, and a list is no race.
 *
 * A caller must meet the access of each of them, unless it has `open`.
 */
export const reachOf = perObject((schema: GqlSchema): Reach => {
  const whole = withInternal(schema);
  if (whole.unions.length === 0 && whole.queries.every(({ vent }) => vent === undefined)) return () => none;
  // A union serves values of its own name, an internal race those of its target.
  const raceOf = new Map(whole.unions.map((union) => [union.name, union]));
  for (const race of schema.internal?.races ?? none) raceOf.set(race.target, race);
  const queryOf = queriesByType(whole);
  const starts = new Map<string, Start>();
  // Mutations and subscriptions race constants only.
  for (const operation of whole.queries) starts.set(operationCoordinate(operation), operation);
  const objects = new Map(whole.objects.map((type) => [type.name, type]));
  const known = new Map<string, readonly ReachedOperation[]>();
  const find = (coordinate: string): readonly ReachedOperation[] => {
    const start = starts.get(coordinate) ?? fieldAt(objects, coordinate);
    if (start === undefined) return none;
    const found = new Map<GqlOperation, ReachedOperation>();
    // A stack of its own: a chain of races may be longer than the one of the engine.
    const waiting: Way[] = [];
    const visit = ({ type, vent }: Start, steps: readonly ReachedStep[], open: string | undefined): void => {
      const name = singleType(type);
      const race = name === undefined ? undefined : raceOf.get(name);
      const ways: Way[] = [];
      for (const member of race?.members ?? none) {
        const operation = queryOf.get(member);
        if (race === undefined || operation === undefined) continue;
        ways.push({ operation, steps: [...steps, { race, member }], open: open ?? race.open?.[member] });
      }
      const fallback = vent && starts.get(`Query.${vent.query}`);
      if (fallback !== undefined)
        ways.push({ operation: fallback as GqlOperation, steps: [...steps, { vent: vent as GqlVent }], open });
      waiting.push(...ways.reverse());
    };
    visit(start, none, start.open);
    for (let way = waiting.pop(); way !== undefined; way = waiting.pop()) {
      const { operation, steps, open } = way;
      const before = found.get(operation);
      // A query that was reached on a closed way stays closed, whatever other ways lead to it.
      if (before !== undefined && (before.open === undefined || open !== undefined)) continue;
      const reached = { coordinate: operationCoordinate(operation), operation, access: operation, steps };
      found.set(operation, open === undefined ? reached : { ...reached, open });
      visit(operation, steps, open ?? operation.open);
    }
    // The operation itself is no more than what the caller asked for.
    return [...found.values()].filter((reached) => reached.coordinate !== coordinate);
  };
  return (coordinate) => remember(known, coordinate, () => find(coordinate));
});

/** A query that is reached, and how. */
interface Way extends Pick<ReachedOperation, 'operation' | 'steps'> {
  readonly open: string | undefined;
}

/** An operation, or a field: only queries have fallbacks. */
type Start = Pick<GqlOperation, 'type' | 'open' | 'vent'>;

const none: readonly never[] = [];

function fieldAt(objects: ReadonlyMap<string, GqlObjectType>, coordinate: string): Start | undefined {
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
