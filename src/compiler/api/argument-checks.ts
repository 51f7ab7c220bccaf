import {
  checkOne,
  compileLimits,
  type FormatLookup,
  type ValueChecks,
} from '../../base/json-schema/limits.js';
import { appendTo, remember } from '../graph/maps.js';
import { baseName, nullable, type TypeRef } from '../graph/type-ref.js';
import type { GqlArgument, GqlInputType, GqlSchema } from '../schema/gql-schema.js';
import { inputTypeOf } from '../schema/schema-index.js';

/** A value that breaks its constraints, and its path in the value that was checked: `lines[2].quantity`. */
export interface Violation {
  readonly path: string;
  readonly reason: string;
}

/** Finds the first violation in a coerced value. */
export type ArgumentCheck = (value: unknown) => Violation | undefined;

/** Checks arguments by their declarations; undefined if no value of them can break a constraint. */
export type ArgumentChecks = (declarations: readonly GqlArgument[]) => ArgumentCheck | undefined;

/** Compiles the constraints of the arguments of a schema, at any depth. Each type is compiled once. */
export function createArgumentChecks(schema: GqlSchema, formatOf: FormatLookup): ArgumentChecks {
  /** The names of the inputs that have constraints, or refer to an input that has. */
  const constrained = constrainedInputs(schema);
  const inputChecks = new Map<string, ArgumentCheck>();

  const ofMembers: ArgumentChecks = (declarations) => {
    const checks = declarations.flatMap(({ name, type, constraints }) => {
      const check = ofValue(type, constraints && compileLimits(constraints, formatOf));
      return check === undefined ? [] : [{ name, check }];
    });
    if (checks.length === 0) return undefined;
    return (value) => {
      const members = value as Readonly<Record<string, unknown>>;
      for (const { name, check } of checks) {
        const member = members[name];
        const found = member === undefined || member === null ? undefined : check(member);
        if (found !== undefined) return { path: name + found.path, reason: found.reason };
      }
      return undefined;
    };
  };
  const ofValue = (type: TypeRef, checks: ValueChecks | undefined): ArgumentCheck | undefined => {
    const bare = nullable(type);
    if (bare.kind === 'named') return ofNamed(bare.name, checks);
    const { list, ...ofItems } = checks ?? {};
    const item = ofValue(bare.of, checks && ofItems);
    if (item === undefined && list === undefined) return undefined;
    return (value) => {
      const items = value as readonly unknown[];
      const reason = list?.(items);
      if (reason !== undefined) return { path: '', reason };
      for (let at = 0; item !== undefined && at < items.length; at++) {
        const one = items[at];
        const found = one === undefined || one === null ? undefined : item(one);
        if (found !== undefined) return { path: `[${at}]${found.path}`, reason: found.reason };
      }
      return undefined;
    };
  };
  const ofNamed = (name: string, checks: ValueChecks | undefined): ArgumentCheck | undefined => {
    const input = inputTypeOf(schema, name);
    if (input !== undefined) return constrained.has(input.name) ? ofInput(input) : undefined;
    if (checks === undefined || Object.values(checks).every((check) => check === undefined)) return undefined;
    // A custom scalar can be anything.
    return (value) => {
      const reason = checkOne(checks, value);
      return reason === undefined ? undefined : { path: '', reason };
    };
  };
  /** Compiled for the first value, because an input may contain itself. */
  const ofInput = (input: GqlInputType): ArgumentCheck => {
    return (value) => {
      const check = remember(inputChecks, input.name, () => ofMembers(input.fields) ?? (() => undefined));
      const found = check(value);
      return found && { path: `.${found.path}`, reason: found.reason };
    };
  };
  return ofMembers;
}

function constrainedInputs(schema: GqlSchema): ReadonlySet<string> {
  const usersOf = new Map<string, string[]>();
  const found = new Set<string>();
  for (const { name, fields } of schema.inputs) {
    for (const { type, constraints } of fields) {
      if (constraints !== undefined) found.add(name);
      const inner = inputTypeOf(schema, baseName(type))?.name;
      if (inner === undefined) continue;
      appendTo(usersOf, inner, name);
    }
  }
  // A set is iterated in order of insertion, with what is added meanwhile.
  for (const name of found) for (const user of usersOf.get(name) ?? []) found.add(user);
  return found;
}
