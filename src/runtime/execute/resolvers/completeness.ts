import { types } from 'node:util';
import type { GraphQLLeafType, GraphQLSchema } from 'graphql';
import { shownValue } from '../../../base/diagnostics/shown-value.js';
import { printPath } from '../../../base/source/json-pointer.js';
import { GuardedList } from '../../../base/values/guarded-list.js';
import { isPromiseLike } from '../../../base/values/maybe-promise.js';
import { nullable, type TypeRef } from '../../../compiler/graph/type-ref.js';
import type { GqlField, GqlObjectType, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { memberNames, namedType } from '../../../compiler/schema/schema-index.js';
import { RaceWinner } from './race-winner.js';

export interface Misfit {
  readonly path: readonly (string | number)[];
  /** The mistake: `is missing`, `must be a 32-bit integer`. */
  readonly problem: string;
  /** The wrong value, for messages to its owner: `"x"`. */
  readonly actual?: string;
}

export type Completeness = ReturnType<typeof createCompleteness>;

/**
 * Makes the checks of the values of a schema. A check reads only data: properties with a resolver, accessors, methods
 * and promises count as values that fit, because their result depends on the execution.
 *
 * @param hasOther - Whether the value of a field may come from elsewhere than its parent: a resolver, a constant.
 */
export function createCompleteness(
  schema: GqlSchema,
  executable: GraphQLSchema,
  hasOther: (owner: string, field: GqlField) => 'always' | 'ifMissing' | 'never',
) {
  const required = new Checks(schema, executable, hasOther, false);
  const all = new Checks(schema, executable, hasOther, true);
  const completeness = {
    /** The first place that makes a value null in spite of its type: a required field that is missing or unusable. */
    incompleteAt: (type: TypeRef, value: unknown) => required.present(nullable(type))(value, new Set()),
    /**
     * The first place where a value does not fit its type.
     *
     * @param mayLack - Whether a field of the object may be missing although it is required.
     */
    misfitOf: (type: TypeRef, value: unknown, mayLack?: (field: string) => boolean) =>
      all.value(type)(value, new Set(), mayLack),
  };
  known.set(executable, completeness);
  return completeness;
}

const known = new WeakMap<GraphQLSchema, Completeness>();

/** The checks of a schema, for the resolvers that get it as `info.schema`. */
export function completenessOf(executable: GraphQLSchema): Completeness | undefined {
  return known.get(executable);
}

/** Checks a value. Objects that were checked are not checked again, because a value may be cyclic. */
type Check = (value: unknown, seen: Set<object>, mayLack?: (field: string) => boolean) => Misfit | undefined;

const fits: Check = () => undefined;

class Checks {
  readonly #named = new Map<string, Check>();

  /** @param examinesNullable - Whether fields and items of nullable types are checked. */
  constructor(
    private readonly schema: GqlSchema,
    private readonly executable: GraphQLSchema,
    private readonly hasOther: (owner: string, field: GqlField) => 'always' | 'ifMissing' | 'never',
    private readonly examinesNullable: boolean,
  ) {}

  value(type: TypeRef): Check {
    if (type.kind === 'nonNull') {
      const present = this.present(type.of);
      return (value, seen, mayLack) => {
        if (value === undefined) return { path: [], problem: 'is missing' };
        return value === null ? { path: [], problem: 'must not be null' } : present(value, seen, mayLack);
      };
    }
    if (!this.examinesNullable) return fits;
    const present = this.present(type);
    return (value, ...rest) => (value === null || value === undefined ? undefined : present(value, ...rest));
  }

  present(type: ReturnType<typeof nullable>): Check {
    if (type.kind === 'named') return this.#namedCheck(type.name);
    const item = this.value(type.of);
    return (value, seen) => {
      if (isUnknown(value)) return undefined;
      const list = value instanceof GuardedList ? value.items : value;
      if (isUnknown(list)) return undefined;
      if (typeof list !== 'object' || list === null) return misfit('a list', list);
      // Other iterables may be consumed by reading them.
      if (!Array.isArray(list)) return Symbol.iterator in list ? undefined : misfit('a list', list);
      for (const [index, one] of list.entries()) {
        const found = item(one, seen);
        if (found !== undefined) return { ...found, path: [index, ...found.path] };
      }
      return undefined;
    };
  }

  #namedCheck(name: string): Check {
    let check = this.#named.get(name);
    if (check === undefined) {
      // A type may contain itself.
      this.#named.set(name, (...given) => this.#namedCheck(name)(...given));
      check = this.#make(name);
      this.#named.set(name, check);
    }
    return check;
  }

  #make(name: string): Check {
    const found = namedType(this.schema, name);
    if (found.kind === 'object') return this.#object(found.type);
    if (found.kind === 'union' || found.kind === 'interface') {
      const members = new Map(memberNames(found).map((member) => [member, this.#namedCheck(member)]));
      return (value, seen) => {
        if (isUnknown(value)) return undefined;
        const typeName = value instanceof RaceWinner ? value.typeName : ownData(value, '__typename');
        return typeof typeName === 'string' ? members.get(typeName)?.(value, seen) : undefined;
      };
    }
    if (found.kind === 'builtin') return this.#leaf(name, found.wire.expected);
    if (found.kind === 'enum' || found.kind === 'scalar') return this.#leaf(name, `a value of ${name}`);
    return fits;
  }

  #leaf(name: string, expected: string): Check {
    const leaf = this.executable.getType(name) as GraphQLLeafType;
    return (value) => {
      if (isUnknown(value)) return undefined;
      try {
        const serialized = leaf.serialize(value);
        if (serialized !== undefined && serialized !== null) return undefined;
      } catch {
        // The message of the scalar is about its GraphQL type.
      }
      return misfit(expected, value);
    };
  }

  #object({ name: owner, fields }: GqlObjectType): Check {
    const plans = fields.flatMap((field) => {
      const other = this.hasOther(owner, field);
      const { name, type } = field;
      if (other === 'always' || (type.kind !== 'nonNull' && !this.examinesNullable)) return [];
      return [{ name, check: this.value(type), mayBeMissing: other === 'ifMissing' }];
    });
    return (given, seen, mayLack) => {
      if (isUnknown(given)) return undefined;
      const value = given instanceof RaceWinner ? given.value : given;
      if (isUnknown(value)) return undefined;
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return misfit('an object', value);
      if (seen.has(value)) return undefined;
      seen.add(value);
      for (const { name, check, mayBeMissing } of plans) {
        const member = ownData(value, name);
        if (member === undefined && (mayBeMissing || mayLack?.(name))) continue;
        const found = check(member, seen);
        if (found !== undefined) return { ...found, path: [name, ...found.path] };
      }
      return undefined;
    };
  }
}

/** Stands for a property that cannot be read without running code. */
const unknown = Symbol('unknown');

/** An own data property; undefined if the object does not have the property. */
function ownData(object: unknown, name: string): unknown {
  if (typeof object !== 'object' || object === null) return undefined;
  const property = Object.getOwnPropertyDescriptor(object, name);
  if (property !== undefined) return 'value' in property ? property.value : unknown;
  return name in object && !(name in Object.prototype) ? unknown : undefined;
}

/** Whether the execution decides what a value is: methods are called, promises awaited, errors reported. */
function isUnknown(value: unknown): boolean {
  if (value === unknown || typeof value === 'function') return true;
  if (typeof value !== 'object' || value === null) return false;
  return types.isProxy(value) || value instanceof Error || isPromiseLike(value);
}

function misfit(expected: string, value: unknown): Misfit {
  return { path: [], problem: `must be ${expected}`, actual: shownValue(value) };
}

/** A misfit as a sentence for the owner of the value: `input.count must be a 32-bit integer, not "x".` */
export function printMisfit({ path, problem, actual }: Misfit, name?: string): string {
  return `${printPath(path, name) || 'it'} ${problem}${actual === undefined ? '' : `, not ${actual}`}`;
}
