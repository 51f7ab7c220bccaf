import { compileSchema, type JsonSchema } from '../../base/json-schema/compile-schema.js';
import type { Constraints, FormatLookup } from '../../base/json-schema/limits.js';
import { defined } from '../../base/values/defined.js';
import { appendTo } from '../graph/maps.js';
import { baseName, nullable, type TypeRef } from '../graph/type-ref.js';
import type { GqlArgument, GqlSchema } from '../schema/gql-schema.js';
import { inputTypeOf } from '../schema/schema-index.js';

/** A value that breaks its constraints, and its path in the value that was checked: `lines[2].quantity`. */
export interface Violation {
  readonly path: string;
  readonly reason: string;
}

/** Finds the violations in a coerced value, at most `maxViolations`. */
export type ArgumentCheck = (value: unknown) => readonly Violation[];

const maxViolations = 100;

/** Checks arguments by their declarations; undefined if no value of them can break a constraint. */
export type ArgumentChecks = (declarations: readonly GqlArgument[]) => ArgumentCheck | undefined;

/** Compiles the constraints of the arguments of a schema, at any depth. */
export function createArgumentChecks(schema: GqlSchema, formatOf: FormatLookup): ArgumentChecks {
  /** The names of the inputs that have constraints, or refer to an input that has. */
  const constrained = constrainedInputs(schema);
  /** The constraints of a value, its elements and its fields; undefined without any. */
  const schemaOf = (type: TypeRef, constraints: Constraints = {}, notNull?: true): JsonSchema | undefined => {
    if (notNull) return { ...schemaOf(type, constraints), not: { type: 'null' } };
    const bare = nullable(type);
    if (bare.kind === 'list') {
      const { minItems, maxItems, ...ofItems } = constraints;
      return ifAny(defined({ minItems, maxItems, items: schemaOf(bare.of, ofItems) }));
    }
    const input = inputTypeOf(schema, bare.name);
    if (input === undefined) return ifAny(constraints);
    return constrained.has(input.name) ? { $ref: `#/${input.name}` } : undefined;
  };
  const membersOf = (declarations: readonly GqlArgument[]) => {
    const members = declarations.map(({ name, type, constraints, notNull }) => [
      name,
      schemaOf(type, constraints, notNull),
    ]);
    return Object.fromEntries(members.filter(([, member]) => member !== undefined));
  };
  const inputs = schema.inputs.filter(({ name }) => constrained.has(name));
  const document = Object.fromEntries(inputs.map(({ name, fields }) => [name, { properties: membersOf(fields) }]));
  return (declarations) => {
    const properties = ifAny(membersOf(declarations));
    if (properties === undefined) return undefined;
    const check = compileSchema({ properties }, { document, formatOf, most: maxViolations });
    return (value) => check(value).map(({ path, reason }) => ({ path: path.map(printStep).join(''), reason }));
  };
}

function ifAny<Members extends object>(members: Members): Members | undefined {
  return Object.keys(members).length === 0 ? undefined : members;
}

function printStep(step: string | number, at: number): string {
  if (typeof step === 'number') return `[${step}]`;
  return at === 0 ? step : `.${step}`;
}

function constrainedInputs(schema: GqlSchema): ReadonlySet<string> {
  const usersOf = new Map<string, string[]>();
  const found = new Set<string>();
  for (const { name, fields } of schema.inputs) {
    for (const { type, constraints, notNull } of fields) {
      if (constraints !== undefined || notNull !== undefined) found.add(name);
      const inner = inputTypeOf(schema, baseName(type))?.name;
      if (inner === undefined) continue;
      appendTo(usersOf, inner, name);
    }
  }
  // A set is iterated in order of insertion, with what is added meanwhile.
  for (const name of found) for (const user of usersOf.get(name) ?? []) found.add(user);
  return found;
}
