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

/** Finds the violations in a coerced value, at most `maxViolations`. */
export type ArgumentCheck = (value: unknown) => readonly Violation[];

/** The maximum number of violations that a check finds. */
const maxViolations = 100;

/** Adds the violations of a value, whose paths begin at the value. */
type Collect = (value: unknown, found: Violation[]) => void;

/** Checks arguments by their declarations; undefined if no value of them can break a constraint. */
export type ArgumentChecks = (declarations: readonly GqlArgument[]) => ArgumentCheck | undefined;

/** Compiles the constraints of the arguments of a schema, at any depth. Each type is compiled once. */
export function createArgumentChecks(schema: GqlSchema, formatOf: FormatLookup): ArgumentChecks {
  /** The names of the inputs that have constraints, or refer to an input that has. */
  const constrained = constrainedInputs(schema);
  const inputChecks = new Map<string, Collect>();

  const ofMembers = (declarations: readonly GqlArgument[]): Collect | undefined => {
    const checks = declarations.flatMap(({ name, type, constraints }) => {
      const check = ofValue(type, constraints && compileLimits(constraints, formatOf));
      return check === undefined ? [] : [{ name, check }];
    });
    if (checks.length === 0) return undefined;
    return (value, found) => {
      const members = value as Readonly<Record<string, unknown>>;
      for (const { name, check } of checks) collectWithin(name, check, members[name], found);
    };
  };
  const ofValue = (type: TypeRef, checks: ValueChecks | undefined): Collect | undefined => {
    const bare = nullable(type);
    if (bare.kind === 'named') return ofNamed(bare.name, checks);
    const { list, ...ofItems } = checks ?? {};
    const item = ofValue(bare.of, checks && ofItems);
    if (item === undefined && list === undefined) return undefined;
    return (value, found) => {
      const items = value as readonly unknown[];
      const reason = list?.(items);
      if (reason !== undefined) found.push({ path: '', reason });
      for (let at = 0; item !== undefined && at < items.length; at++) {
        if (found.length === maxViolations) return;
        collectWithin(at, item, items[at], found);
      }
    };
  };
  const ofNamed = (name: string, checks: ValueChecks | undefined): Collect | undefined => {
    const input = inputTypeOf(schema, name);
    if (input !== undefined) return constrained.has(input.name) ? ofInput(input) : undefined;
    if (checks === undefined || Object.values(checks).every((check) => check === undefined)) return undefined;
    // A custom scalar can be anything.
    return (value, found) => {
      const reason = checkOne(checks, value);
      if (reason !== undefined) found.push({ path: '', reason });
    };
  };
  /** Compiled for the first value, because an input may contain itself. */
  const ofInput = (input: GqlInputType): Collect => {
    return (value, found) => {
      const check = remember(inputChecks, input.name, () => ofMembers(input.fields) ?? (() => undefined));
      collectWithin('.', check, value, found);
    };
  };
  return (declarations) => {
    const collect = ofMembers(declarations);
    if (collect === undefined) return undefined;
    return (value) => {
      const found: Violation[] = [];
      collect(value, found);
      return found;
    };
  };
}

/** Adds the violations of a part, which has a name, an index or, as the members of an input, a dot in their paths. */
function collectWithin(step: string | number, collect: Collect, value: unknown, found: Violation[]): void {
  if (value === undefined || value === null || found.length === maxViolations) return;
  const first = found.length;
  collect(value, found);
  const prefix = typeof step === 'number' ? `[${step}]` : step;
  for (let at = first; at < found.length; at++) {
    const { path, reason } = found[at] as Violation;
    found[at] = { path: prefix + path, reason };
  }
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
