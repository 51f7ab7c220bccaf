import { baseName } from '../../../compiler/graph/type-ref.js';
import type { GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import type { Owner } from '../../../runtime/auth/owner.js';
import { replaceLeaves, type Values } from '../step-arguments.js';
import type { Attempt } from './ask.js';
import {
  type Found,
  hasResult,
  itemType,
  type OtherUser,
  objectsIn,
  ownersOf,
  ownersOfType,
  publicTypes,
  type Rule,
} from './rules.js';

/** A wrong answer to another user. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly reason: string;
}

/** The objects of the first user that a run has made. */
export class OwnedObjects {
  readonly #ids = new Set<string>();

  constructor(
    readonly schema: GqlSchema,
    readonly user: string,
    /** The id by which the user owns objects. */
    readonly owner: string,
    readonly names: ReadonlySet<string>,
  ) {}

  /**
   * Adds the objects of a result: those that name the user as owner; with `isMaker`, all outermost objects.
   */
  add(operation: GqlOperation, result: unknown, isMaker: boolean): void {
    for (const { type, object, isTop } of objectsIn(this.schema, operation, result)) {
      if (this.#isNamed(object) || this.#isOwner(object.id) || (isTop && isMaker))
        this.#ids.add(`${type} ${String(object.id)}`);
    }
  }

  /**
   * Whether an object is of the user, by its id or because it names the user. An object can name several callers: then
   * it is of the other user whom all given names of owners name.
   */
  has({ type, object }: Pick<Found, 'type' | 'object'>, names: readonly string[] = [], other?: Owner): boolean {
    if (this.#ids.has(`${type} ${String(object.id)}`)) return true;
    const given = names.filter((name) => Object.hasOwn(object, name));
    const isOfOther = given.length > 0 && given.every((name) => other?.owns(object[name]));
    return !isOfOther && this.#isNamed(object);
  }

  /** `ada's Visit 12`. */
  describe({ type, object }: Pick<Found, 'type' | 'object'>): string {
    return `${this.user}'s ${type} ${String(object.id)}`;
  }

  #isNamed(object: Values): boolean {
    return [...this.names].some((name) => this.#isOwner(object[name]));
  }

  #isOwner(value: unknown): boolean {
    return String(value) === this.owner;
  }

  /** The object that an argument names by its id, such as `Visit 12`; undefined if none is of the user. */
  namedIn(operation: GqlOperation, values: Values, isPrivate: boolean): string | undefined {
    const open = publicTypes(this.schema);
    let found: string | undefined;
    for (const argument of operation.arguments)
      replaceLeaves(this.schema, argument, values[argument.name] ?? null, (leaf, value) => {
        if (baseName(leaf.type) === 'ID' && !this.#isOwner(value))
          found ??= [...this.#ids].find((known) => {
            const [type = '', id] = known.split(/ (.*)/s);
            return id === String(value) && isIdOf(leaf.name, type) && !(isPrivate && open.has(type));
          });
        return value;
      });
    return found;
  }
}

/** Whether a name can be that of the id of a type: `id`, or `visitId` and `ownVisitId` of a `Visit`. */
function isIdOf(name: string, type: string): boolean {
  const subject = name.replace(/_?ids?$/i, '').toLowerCase();
  return subject === '' || subject.endsWith(type.toLowerCase());
}

/** The rule of the topology that an answer breaks; undefined if it breaks none. */
export function judge(
  operation: GqlOperation,
  values: Values,
  { kind, text }: Rule,
  { isSuccess, status, result }: Attempt,
  mine: OwnedObjects,
  { owner }: OtherUser,
): Problem | undefined {
  const { schema, user } = mine;
  if (kind === 'refused' && isDeclared(schema, operation, status))
    return { severity: 'error', reason: `answers ${status}, so the call was not refused (${text})` };
  if (!isSuccess || !hasResult(result)) return undefined;
  const objects = objectsIn(schema, operation, result).filter((one) =>
    mine.has(one, namesOf(schema, operation, one), owner),
  );
  const top = objects.find(({ isTop }) => isTop);
  const named = (one: Found) => mine.describe(one);
  const error = (reason: string): Problem => ({ severity: 'error', reason: `${reason} (${text})` });
  const warning = (reason: string): Problem => ({ severity: 'warning', reason: `${reason}: no rule says whose it is` });
  if (kind === 'refused')
    return error(top === undefined ? `answers ${status}, and must refuse the call` : `answers with ${named(top)}`);
  const isJudged = kind !== 'exempt' && owner !== undefined;
  // The rule of the call has the owners of its own type, but not those of the members of a union or an interface.
  const inside = objects.find(
    ({ type, isTop }) => isJudged && !(isTop && type === itemType(operation)) && ownersOfType(schema, type).length > 0,
  );
  if (inside !== undefined && !isOf(schema, inside, owner)) {
    const rule = ownersOfType(schema, inside.type)[0];
    return { severity: 'error', reason: `answers with ${named(inside)} (owner ${rule})` };
  }
  if (kind === 'exempt' || kind === 'open') return undefined;
  if (kind !== 'unruled' && top !== undefined) return error(`answers with ${named(top)}`);
  if (operation.kind === 'mutation') {
    const used =
      top === undefined ? mine.namedIn(operation, values, kind === 'own') : `${top.type} ${String(top.object.id)}`;
    return used === undefined ? undefined : warning(`succeeds with ${user}'s ${used}`);
  }
  if (kind === 'unruled' && top !== undefined && !publicTypes(schema).has(top.type))
    return warning(`answers with ${named(top)}`);
  return undefined;
}

/** The fields of an object that name its owner: those of its type, or that of the operation which returns it. */
function namesOf(schema: GqlSchema, operation: GqlOperation, { type, isTop }: Found): readonly string[] {
  const names = ownersOfType(schema, type);
  return names.length === 0 && isTop ? ownersOf(operation) : names;
}

/** Whether a status is that of a declared error, which only an operation that runs throws. */
function isDeclared({ problems = [] }: GqlSchema, { throws = [] }: GqlOperation, status: number): boolean {
  return (
    ![401, 403, 404].includes(status) && problems.some((one) => one.status === status && throws.includes(one.name))
  );
}

function isOf(schema: GqlSchema, { type, object }: Found, owner: OtherUser['owner']): boolean {
  return ownersOfType(schema, type).every((name) => owner?.owns(object[name]));
}
