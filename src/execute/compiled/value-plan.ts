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
import { isPlainReader } from '../resolvers/plain-readers.js';
import { RaceWinner } from '../resolvers/race.js';
import { readProperty } from '../values/read-property.js';
import { printText } from './print-text.js';

/**
 * Turns a value that a resolver gave into what a result holds of it. Both ways say {@link unsure} or
 * {@link lively} where they do not know for certain that graphql-js would make the same of it.
 */
export interface ValuePlan {
  /** Makes what the result holds. */
  read(value: unknown): unknown;
  /** Writes the JSON of what the result holds, without making it first. */
  print(value: unknown): string | Doubt;
}

/** The value is not of the plain kind: graphql-js has to see it. */
export const unsure: unique symbol = Symbol('unsure');

/** So it is, and looking at it again may do work again: values of this kind should not be looked at twice. */
export const lively: unique symbol = Symbol('lively');

/** Why a value is left to graphql-js. */
export type Doubt = typeof unsure | typeof lively;

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
  const isRequired = isNonNullType(type);
  const inner = planPresent(schema, isRequired ? type.ofType : type, selections);
  if (inner === undefined) return undefined;
  const [nothing, nothingPrinted] = isRequired ? ([unsure, unsure] as const) : ([null, 'null'] as const);
  return {
    read: (value) => (value === null || value === undefined ? nothing : inner.read(value)),
    print: (value) => (value === null || value === undefined ? nothingPrinted : inner.print(value)),
  };
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
    return leaf((value): value is string => typeof value === 'string' && names.has(value), printText);
  }
  if (!isSpecifiedScalarType(type)) return undefined;
  switch (type.name) {
    case 'String':
      return leaf((value): value is string => typeof value === 'string', printText);
    case 'Boolean':
      return leaf((value): value is boolean => typeof value === 'boolean', String);
    case 'Int':
      // In JSON as in text there is no -0.
      return leaf((value): value is number => typeof value === 'number' && (value | 0) === value, String);
    case 'Float':
      return leaf((value): value is number => typeof value === 'number' && Number.isFinite(value), String);
    case 'ID':
      return {
        read: (value) => readId(value) ?? kindOf(value),
        print: (value) => {
          const id = readId(value);
          return id === undefined ? kindOf(value) : printText(id);
        },
      };
    default:
      return undefined;
  }
}

function leaf<Leaf>(fits: (value: unknown) => value is Leaf, print: (value: Leaf) => string): ValuePlan {
  return {
    read: (value) => (fits(value) ? value : kindOf(value)),
    print: (value) => (fits(value) ? print(value) : kindOf(value)),
  };
}

function readId(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isInteger(value) ? String(value) : undefined;
}

function planList(item: ValuePlan): ValuePlan {
  const isPlain = (value: unknown): value is readonly unknown[] =>
    Array.isArray(value) && Object.getPrototypeOf(value) === Array.prototype;
  return {
    read(value) {
      if (!isPlain(value)) return kindOf(value);
      const items = new Array<unknown>(value.length);
      for (let at = 0; at < value.length; at++) {
        const made = item.read(value[at]);
        if (made === unsure || made === lively) return made;
        items[at] = made;
      }
      return items;
    },
    print(value) {
      if (!isPlain(value)) return kindOf(value);
      let text = '[';
      for (let at = 0; at < value.length; at++) {
        const printed = item.print(value[at]);
        if (typeof printed !== 'string') return printed;
        text += at === 0 ? printed : `,${printed}`;
      }
      return `${text}]`;
    },
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
  return {
    read: (value) =>
      value instanceof RaceWinner
        ? (members.get(value.typeName)?.read(value.value) ?? unsure)
        : kindOf(value),
    print: (value) =>
      value instanceof RaceWinner
        ? (members.get(value.typeName)?.print(value.value) ?? unsure)
        : kindOf(value),
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
  // The text of an object between its values: `{"id":`, then `,"name":` and so on.
  const heads = fields.map(({ key }, at) => `${at === 0 ? '{' : ','}${JSON.stringify(key)}:`);
  const printedName = JSON.stringify(typeName);
  return {
    read(value) {
      const doubt = doubtOf(value);
      if (doubt !== undefined) return doubt;
      const object: Record<string, unknown> = Object.create(null);
      for (const { key, name, plan } of fields) {
        if (plan === undefined) {
          object[key] = typeName;
          continue;
        }
        const property = readProperty(value, name);
        // What the parent lacks the topology may give, and a method has to be called.
        if (property === undefined) return unsure;
        const made = plan.read(property);
        if (made === unsure || made === lively) return made;
        object[key] = made;
      }
      return object;
    },
    print(value) {
      const doubt = doubtOf(value);
      if (doubt !== undefined) return doubt;
      let text = fields.length === 0 ? '{' : '';
      for (let at = 0; at < fields.length; at++) {
        const { name, plan } = fields[at] as PlannedField;
        if (plan === undefined) {
          text += heads[at] + printedName;
          continue;
        }
        const property = readProperty(value, name);
        if (property === undefined) return unsure;
        const printed = plan.print(property);
        if (typeof printed !== 'string') return printed;
        text += heads[at] + printed;
      }
      return `${text}}`;
    },
  };
}

/** Why a value is no plain object with the fields of its type, if it is none. */
function doubtOf(value: unknown): Doubt | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return kindOf(value);
  if (value instanceof Error || value instanceof RaceWinner) return unsure;
  return isLively(value) ? lively : undefined;
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
function kindOf(value: unknown): Doubt {
  return isLively(value) ? lively : unsure;
}

function isLively(value: unknown): boolean {
  if (typeof value === 'function') return true;
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}
