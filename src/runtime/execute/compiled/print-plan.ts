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
import { GuardedList } from '../../../base/values/guarded-list.js';
import { type PropertyReads, Thrown } from '../../../base/values/property-reads.js';
import { isPromiseLike } from '../../../base/values/read-property.js';
import { isPlainReader } from '../resolvers/guard-field.js';
import { isStandardType } from '../resolvers/internal-values.js';
import { RaceWinner } from '../resolvers/race-winner.js';

/**
 * Prints the value at an index of a list as JSON. Returns undefined unless graphql-js would certainly give the same
 * result.
 */
export type ValuePrinter = (values: unknown[], index: number, reads: PropertyReads) => string | undefined;

type ObjectPrinter = (object: unknown, reads: PropertyReads) => string | undefined;

/**
 * Plans how a selection of a value is printed. Plans cover the parts of most results: objects and lists of the built-in
 * and standard scalars and of enums, with fields that are read from their parent, and race winners. There is no plan for custom
 * scalars, fields with resolvers, arguments, directives, named fragments, and response names that occur twice:
 * graphql-js executes those.
 */
export function planPrinting(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  selections: SelectionSetNode | undefined,
): ValuePrinter | undefined {
  const isRequired = isNonNullType(type);
  const print = planNullable(schema, isRequired ? type.ofType : type, selections);
  const absent = isRequired ? undefined : 'null';
  return (
    print &&
    ((values, index, reads) => {
      const value = values[index];
      return value === null || value === undefined ? absent : print(values, index, reads);
    })
  );
}

function planNullable(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  selections: SelectionSetNode | undefined,
): ValuePrinter | undefined {
  if (isListType(type)) {
    const item = planPrinting(schema, type.ofType, selections);
    return item && planList(item);
  }
  if (isLeafType(type)) return selections === undefined ? planLeaf(type) : undefined;
  if (selections === undefined) return undefined;
  if (isUnionType(type)) return planUnion(schema, type, selections);
  const print = isObjectType(type) ? planObject(schema, type, selections) : undefined;
  return print && ((values, index, reads) => print(values[index], reads));
}

function planLeaf(type: GraphQLLeafType): ValuePrinter | undefined {
  if (isEnumType(type)) {
    const names = new Set(type.getValues().flatMap(({ name, value }) => (name === value ? [name] : [])));
    return leaf((value) => (typeof value === 'string' && names.has(value) ? printText(value) : undefined));
  }
  const print = isStandardType(type)
    ? planStandard(type)
    : isSpecifiedScalarType(type)
      ? scalarPrinters[type.name]
      : undefined;
  return print && leaf(print);
}

/** Values whose serialization runs code of users are left to graphql-js. */
function planStandard(type: GraphQLLeafType): (value: unknown) => string | undefined {
  return (value) => {
    if (typeof value === 'object' && !(value instanceof Date) && !(value instanceof URL)) return undefined;
    try {
      const serialized = type.serialize(value);
      return serialized === null || serialized === undefined ? undefined : JSON.stringify(serialized);
    } catch {
      return undefined;
    }
  };
}

const scalarPrinters: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  String: (value) => (typeof value === 'string' ? printText(value) : undefined),
  Boolean: (value) => (typeof value === 'boolean' ? String(value) : undefined),
  // `String` prints -0 as 0, like JSON.
  Int: (value) => (typeof value === 'number' && (value | 0) === value ? String(value) : undefined),
  Float: (value) => (typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined),
  ID(value) {
    if (typeof value === 'string') return printText(value);
    return typeof value === 'number' && Number.isInteger(value) ? printText(String(value)) : undefined;
  },
};

function leaf(print: (value: unknown) => string | undefined): ValuePrinter {
  return (values, index) => print(values[index]);
}

/** The characters that JSON escapes: quotes, backslashes, control characters, unpaired surrogates. */
const special = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Up to this length, searching for characters to escape is faster than `JSON.stringify`. */
const maxSearched = 64;

function printText(text: string): string {
  return text.length > maxSearched || special.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** The list is copied, so that graphql-js does not read its items again if the plan gives up. */
function planList(item: ValuePrinter): ValuePrinter {
  return (values, index, reads) => {
    const value = values[index];
    const list = value instanceof GuardedList ? value.items : value;
    if (!Array.isArray(list) || isPromiseLike(list)) return undefined;
    let items: unknown[];
    try {
      items = [...list];
    } catch (error) {
      values[index] = failingList(error);
      return undefined;
    }
    values[index] = items;
    let text = '[';
    for (let at = 0; at < items.length; at++) {
      const printed = item(items, at, reads);
      if (printed === undefined) return undefined;
      text += at === 0 ? printed : `,${printed}`;
    }
    return `${text}]`;
  };
}

function failingList(error: unknown): Iterable<never> {
  return {
    [Symbol.iterator]() {
      throw error;
    },
  };
}

function planUnion(
  schema: GraphQLSchema,
  union: GraphQLUnionType,
  selections: SelectionSetNode,
): ValuePrinter | undefined {
  const members = new Map<string, ObjectPrinter>();
  for (const type of union.getTypes()) {
    const print = planObject(schema, type, selections);
    if (print === undefined) return undefined;
    members.set(type.name, print);
  }
  return (values, index, reads) => {
    const value = values[index];
    return value instanceof RaceWinner ? members.get(value.typeName)?.(value.value, reads) : undefined;
  };
}

/** One member of an object in a result: `__typename`, or a field with its printer. */
interface PlannedField {
  readonly key: string;
  readonly name: string;
  readonly print: ValuePrinter | undefined;
}

function planObject(
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  selections: SelectionSetNode,
): ObjectPrinter | undefined {
  if (type.isTypeOf) return undefined;
  const fields = planFields(schema, type, selections);
  if (fields === undefined || new Set(fields.map(({ key }) => key)).size < fields.length) return undefined;
  // The text of an object between its values: `{"id":`, then `,"name":` and so on.
  const heads = fields.map(({ key }, at) => `${at === 0 ? '{' : ','}${JSON.stringify(key)}:`);
  const printedName = JSON.stringify(type.name);
  return (object, reads) => {
    if (!isPlainParent(object)) return undefined;
    let text = fields.length === 0 ? '{' : '';
    for (let at = 0; at < fields.length; at++) {
      const { name, print } = fields[at] as PlannedField;
      if (print === undefined) {
        text += heads[at] + printedName;
        continue;
      }
      const index = reads.read(object, name);
      // The topology may have a constant for a missing property, and only graphql-js calls methods.
      const printed = reads.values[index] === undefined ? undefined : print(reads.values, index, reads);
      if (printed === undefined) return undefined;
      text += heads[at] + printed;
    }
    return `${text}}`;
  };
}

function isPlainParent(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if (value instanceof Error || value instanceof RaceWinner || value instanceof Thrown) return false;
  return !isPromiseLike(value);
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
      // A condition on the union itself matches all members; it is too rare for a plan.
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
      fields.push({ key, name, print: undefined });
      continue;
    }
    const field = type.getFields()[name];
    if (field === undefined || field.args.length > 0 || !isPlainReader(field.resolve)) return undefined;
    const print = planPrinting(schema, field.type, selection.selectionSet);
    if (print === undefined) return undefined;
    fields.push({ key, name, print });
  }
  return fields;
}
