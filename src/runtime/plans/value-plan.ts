import {
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type GraphQLUnionType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
  type SelectionSetNode,
} from 'graphql';
import { RaceWinner } from '../race.js';
import { readProperty } from '../read-property.js';
import { isPlainReader } from './plain-readers.js';

/**
 * Turns a value that a resolver gave into what a result holds of it, or gives {@link unsure} where it does
 * not know for certain that graphql-js would make the same of it.
 */
export type ValuePlan = (value: unknown) => unknown;

/** The value is not of the plain kind: graphql-js has to see it. */
export const unsure: unique symbol = Symbol('unsure');

/** So it is, and looking at it again may do work again: values of this kind should not be looked at twice. */
export const lively: unique symbol = Symbol('lively');

/**
 * Plans what a selection makes of a value of a type. It covers what most results are made of: objects and
 * lists of the scalars of GraphQL and of enums, with fields that are read from their parent, and winners of
 * races. There is no plan for anything else: custom scalars, fields with resolvers of their own, arguments,
 * directives, named fragments, one name for two fields.
 */
export function planValue(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  selections: SelectionSetNode | undefined,
): ValuePlan | undefined {
  if (isNonNullType(type)) {
    const inner = planPresent(schema, type.ofType, selections);
    return inner && ((value) => (value === null || value === undefined ? unsure : inner(value)));
  }
  const inner = planPresent(schema, type, selections);
  return inner && ((value) => (value === null || value === undefined ? null : inner(value)));
}

/** The plan for a value that is neither null nor undefined. */
function planPresent(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  selections: SelectionSetNode | undefined,
): ValuePlan | undefined {
  if (isListType(type)) {
    const item = planValue(schema, type.ofType, selections);
    return item && planList(item);
  }
  if (isLeafType(type)) return selections === undefined ? planLeaf(type) : undefined;
  if (selections === undefined) return undefined;
  if (isObjectType(type)) return planObject(schema, type, selections);
  if (isUnionType(type)) return planUnion(schema, type, selections);
  return undefined;
}

function planLeaf(type: GraphQLLeafType): ValuePlan | undefined {
  if (isEnumType(type)) {
    const names = new Set(type.getValues().flatMap(({ name, value }) => (name === value ? [name] : [])));
    return (value) => (typeof value === 'string' && names.has(value) ? value : kindOf(value));
  }
  if (!isSpecifiedScalarType(type)) return undefined;
  switch (type.name) {
    case 'String':
      return (value) => (typeof value === 'string' ? value : kindOf(value));
    case 'Boolean':
      return (value) => (typeof value === 'boolean' ? value : kindOf(value));
    case 'Int':
      return (value) => (typeof value === 'number' && (value | 0) === value ? value : kindOf(value));
    case 'Float':
      return (value) => (typeof value === 'number' && Number.isFinite(value) ? value : kindOf(value));
    case 'ID':
      return (value) => {
        if (typeof value === 'string') return value;
        return typeof value === 'number' && Number.isInteger(value) ? String(value) : kindOf(value);
      };
    default:
      return undefined;
  }
}

function planList(item: ValuePlan): ValuePlan {
  return (value) => {
    if (!Array.isArray(value) || Object.getPrototypeOf(value) !== Array.prototype) return kindOf(value);
    const items = new Array<unknown>(value.length);
    for (let at = 0; at < value.length; at++) {
      const made = item(value[at]);
      if (made === unsure || made === lively) return made;
      items[at] = made;
    }
    return items;
  };
}

function planUnion(
  schema: GraphQLSchema,
  union: GraphQLUnionType,
  selections: SelectionSetNode,
): ValuePlan | undefined {
  const members = new Map<string, ValuePlan>();
  for (const type of union.getTypes()) {
    const plan = planObject(schema, type, selections);
    if (plan === undefined) return undefined;
    members.set(type.name, plan);
  }
  return (value) => {
    if (!(value instanceof RaceWinner)) return kindOf(value);
    return members.get(value.typeName)?.(value.value) ?? unsure;
  };
}

/** One member of an object in a result: `__typename`, or a field with its plan. */
interface PlannedField {
  readonly key: string;
  readonly name: string;
  readonly plan: ValuePlan | undefined;
}

function planObject(
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  selections: SelectionSetNode,
): ValuePlan | undefined {
  if (type.isTypeOf) return undefined;
  const fields = planFields(schema, type, selections);
  if (fields === undefined || new Set(fields.map(({ key }) => key)).size < fields.length) return undefined;
  const { name: typeName } = type;
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return kindOf(value);
    if (value instanceof Error || value instanceof RaceWinner) return unsure;
    if (isLively(value)) return lively;
    const object: Record<string, unknown> = Object.create(null);
    for (const { key, name, plan } of fields) {
      if (plan === undefined) {
        object[key] = typeName;
        continue;
      }
      const property = readProperty(value, name);
      // What the parent lacks the topology may give, and a method has to be called.
      if (property === undefined) return unsure;
      const made = plan(property);
      if (made === unsure || made === lively) return made;
      object[key] = made;
    }
    return object;
  };
}

function planFields(
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  { selections }: SelectionSetNode,
): PlannedField[] | undefined {
  const fields: PlannedField[] = [];
  for (const selection of selections) {
    if ((selection.directives ?? []).length > 0 || selection.kind === 'FragmentSpread') return undefined;
    if (selection.kind === 'InlineFragment') {
      const condition = selection.typeCondition?.name.value;
      const named = condition === undefined ? type : schema.getType(condition);
      // A condition on a union is met by all its members; that is rare enough to leave it.
      if (!isObjectType(named)) return undefined;
      if (named !== type) continue;
      const inner = planFields(schema, type, selection.selectionSet);
      if (inner === undefined) return undefined;
      fields.push(...inner);
      continue;
    }
    const name = selection.name.value;
    const key = selection.alias?.value ?? name;
    if (name === '__typename') {
      fields.push({ key, name, plan: undefined });
      continue;
    }
    const field = type.getFields()[name];
    if (field === undefined || field.args.length > 0 || !isPlainReader(field.resolve)) return undefined;
    const plan = planValue(schema, field.type, selection.selectionSet);
    if (plan === undefined) return undefined;
    fields.push({ key, name, plan });
  }
  return fields;
}

/** What is to be thought of a value that is not the one that was looked for. */
function kindOf(value: unknown): typeof unsure | typeof lively {
  return isLively(value) ? lively : unsure;
}

function isLively(value: unknown): boolean {
  if (typeof value === 'function') return true;
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}
