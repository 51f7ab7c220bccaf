import {
  type FieldNode,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type GraphQLUnionType,
  getNullableType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { countOfPromises, GuardedList } from '../../../base/values/guarded-list.js';
import { isPromiseLike } from '../../../base/values/maybe-promise.js';
import { type Place, Thrown, unread } from '../../../base/values/property-reads.js';
import { readProperty } from '../../../base/values/read-property.js';
import { completeResolveInfo } from '../graphql-js/releases.js';
import { isPlainReader } from '../resolvers/guard-field.js';
import { isStandardType } from '../resolvers/internal-values.js';
import { RaceWinner } from '../resolvers/race-winner.js';
import { planArguments } from './argument-plan.js';
import { writeAscii, writeBytes, writeNumber, writeString, writeText } from './json-text.js';
import { fragmentsOfText, isPassing, noFragments, PassedText } from './passed-text.js';
import type { PlanTurn, ValuePrinter } from './plan-run.js';

export interface Planned {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  /** The names of the properties that are read without {@link readProperty}. */
  readonly names: Set<string>;
}

/** Prints the fields of an object. Its place is that of its field or, with an index, that of its list. */
export type ObjectPrinter = (object: unknown, turn: PlanTurn, place: Place | undefined, at: number) => boolean;

/** Prints a value that is there; false if it is none that JSON certainly shows as graphql-js does. */
type LeafPrinter = (value: unknown) => boolean;

/**
 * Plans how a selection of a value is printed. Plans cover the parts of most results: objects and lists of the built-in
 * and standard scalars and of enums, race winners, and promises of them. There is no plan for custom scalars,
 * interfaces, directives, named fragments, and response names that occur twice: graphql-js executes those.
 */
function planPrinting(
  planned: Planned,
  type: GraphQLOutputType,
  selections: SelectionSetNode | undefined,
): ValuePrinter | undefined {
  const isRequired = isNonNullType(type);
  const print = planNullable(planned, isRequired ? type.ofType : type, selections);
  if (print === undefined) return undefined;
  const printed: ValuePrinter = (values, index, turn, place, at) => {
    const value = values[index];
    if (value === null || value === undefined) return !isRequired && writeAscii('null');
    if (print(values, index, turn, place, at)) return true;
    return isPromiseLike(value) && turn.wait(values, index, placeOf(place, at) as Place, printed);
  };
  return printed;
}

function placeOf(place: Place | undefined, at: number): Place | undefined {
  return at < 0 ? place : { prev: place, key: at, typename: undefined };
}

function planNullable(
  planned: Planned,
  type: GraphQLOutputType,
  selections: SelectionSetNode | undefined,
): ValuePrinter | undefined {
  if (isListType(type)) {
    const item = planPrinting(planned, type.ofType, selections);
    return item && planList(item);
  }
  if (isLeafType(type)) {
    const print = selections === undefined ? planLeaf(type) : undefined;
    return print && ((values, index) => print(values[index]));
  }
  if (selections === undefined) return undefined;
  if (isUnionType(type)) return planUnion(planned, type, selections);
  const print = isObjectType(type) ? planObject(planned, type, selections) : undefined;
  return print && ((values, index, turn, place, at) => print(values[index], turn, place, at));
}

function planLeaf(type: GraphQLLeafType): LeafPrinter | undefined {
  if (isEnumType(type)) {
    const names = new Set(type.getValues().flatMap(({ name, value }) => (name === value ? [name] : [])));
    return (value) => typeof value === 'string' && names.has(value) && writeString(value);
  }
  if (isStandardType(type)) return planStandard(type);
  return isSpecifiedScalarType(type) ? scalarPrinters[type.name] : undefined;
}

/** Values whose serialization runs code of users are left to graphql-js. */
function planStandard(type: GraphQLLeafType): LeafPrinter {
  return (value) => {
    if (typeof value === 'object' && !(value instanceof Date) && !(value instanceof URL)) return false;
    try {
      const serialized = type.serialize(value);
      if (serialized === null || serialized === undefined) return false;
      const text = JSON.stringify(serialized) as string | undefined;
      return text !== undefined && writeText(text);
    } catch {
      return false;
    }
  };
}

const scalarPrinters: Readonly<Record<string, LeafPrinter>> = {
  String: (value) => typeof value === 'string' && writeString(value),
  Boolean: (value) => typeof value === 'boolean' && writeAscii(value ? 'true' : 'false'),
  // -0 is printed as 0, like JSON.
  Int: (value) => typeof value === 'number' && (value | 0) === value && writeNumber(value),
  Float: (value) => typeof value === 'number' && Number.isFinite(value) && writeNumber(value),
  ID(value) {
    if (typeof value === 'string') return writeString(value);
    return typeof value === 'number' && Number.isInteger(value) && writeString(String(value));
  },
};

/** The list is copied, so that graphql-js does not read its items again if the plan gives up. */
function planList(item: ValuePrinter): ValuePrinter {
  return (values, index, turn, place, at) => {
    const value = values[index];
    const list = value instanceof GuardedList ? value.items : value;
    if (!Array.isArray(list) || isPromiseLike(list)) return false;
    let items: unknown[];
    try {
      items = [...list];
    } catch (error) {
      values[index] = failingList(error);
      return false;
    }
    values[index] = items;
    const own = placeOf(place, at);
    const promises = countOfPromises();
    writeAscii('[');
    for (let next = 0; next < items.length; next++) {
      if (next > 0) writeAscii(',');
      // As in a `GuardedList`, items after one with a promise have a turn of their own.
      const itemTurn =
        countOfPromises() === promises ? turn : turn.ofItem({ prev: own, key: next, typename: undefined });
      if (!item(items, next, itemTurn, own as Place, next)) return false;
      turn.relieve();
    }
    return writeAscii(']');
  };
}

function failingList(error: unknown): Iterable<never> {
  return {
    [Symbol.iterator]() {
      throw error;
    },
  };
}

function planUnion(planned: Planned, union: GraphQLUnionType, selections: SelectionSetNode): ValuePrinter | undefined {
  const members = new Map<string, ObjectPrinter>();
  for (const type of union.getTypes()) {
    const print = planObject(planned, type, selections);
    if (print === undefined) return undefined;
    members.set(type.name, print);
  }
  return (values, index, turn, place, at) => {
    const value = values[index];
    if (!(value instanceof RaceWinner)) return false;
    return members.get(value.typeName)?.(value.value, turn, place, at) ?? false;
  };
}

interface PlannedField {
  readonly key: string;
  readonly name: string;
  /** Whether every object inherits a property of its name. */
  readonly isInherited: boolean;
  /** Calls its resolver; undefined if the field is read from its parent. */
  readonly call: FieldCall | undefined;
  /** Whether its strings are printed as they are: most values of most results are read and printed without a call. */
  readonly isText: boolean;
  /** Prints a value that is there; undefined for lists and objects. */
  readonly leaf: LeafPrinter | undefined;
  readonly print: ValuePrinter;
}

/** Adds the result of a resolver to the values of a turn; false if graphql-js reports an error in the arguments. */
type FieldCall = (parent: unknown, turn: PlanTurn, place: Place) => boolean;

function planObject(
  planned: Planned,
  type: GraphQLObjectType,
  selections: SelectionSetNode,
): ObjectPrinter | undefined {
  if (type.isTypeOf) return undefined;
  const members = planMembers(planned, type, selections);
  if (members === undefined || new Set(members.map(({ key }) => key)).size < members.length) return undefined;
  const fields: PlannedField[] = [];
  // The text of an object before each value, and behind the last: `{"id":`, then `,"name":` and so on.
  const heads: Uint8Array[] = [];
  let head = '{';
  for (const [at, member] of members.entries()) {
    head += `${at === 0 ? '' : ','}${JSON.stringify(member.key)}:`;
    if (member.print === undefined) {
      head += JSON.stringify(type.name);
      continue;
    }
    fields.push(member);
    heads.push(Buffer.from(head));
    head = '';
  }
  const tail = Buffer.from(`${head}}`);
  return (object, turn, place, at) => {
    if (!isPlainParent(object)) return false;
    const { values } = turn;
    for (let next = 0; next < fields.length; next++) {
      const { key, name, isInherited, call, isText, leaf, print } = fields[next] as PlannedField;
      writeBytes(heads[next] as Uint8Array);
      const index = values.length;
      if (call === undefined) {
        const value = read(object, name, isInherited);
        values.push(value);
        if (isText && typeof value === 'string' ? writeString(value) : leaf?.(value)) continue;
        // The topology may have a constant for a missing property, and only graphql-js calls methods.
        if (value === undefined) return false;
      }
      const own = { prev: placeOf(place, at), key, typename: type.name };
      if (call !== undefined && !call(object, turn, own)) return false;
      if (!print(values, index, turn, own, -1)) return false;
    }
    return writeBytes(tail);
  };
}

function isPlainParent(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if (value instanceof Error || value instanceof RaceWinner || value instanceof Thrown) return false;
  return !isPromiseLike(value);
}

function read(parent: object, name: string, isInherited: boolean): unknown {
  try {
    return isInherited ? readProperty(parent, name) : (parent as Record<string, unknown>)[name];
  } catch (error) {
    return new Thrown(error);
  }
}

/** A field, or `__typename`, which needs no printer. */
type Member = PlannedField | { readonly key: string; readonly print: undefined };

function planMembers(
  planned: Planned,
  type: GraphQLObjectType,
  { selections }: SelectionSetNode,
): Member[] | undefined {
  const members: Member[] = [];
  for (const selection of selections) {
    if ((selection.directives ?? []).length > 0 || selection.kind === 'FragmentSpread') return undefined;
    if (selection.kind === 'InlineFragment') {
      const condition = selection.typeCondition?.name.value;
      const named = condition === undefined ? type : planned.schema.getType(condition);
      // A condition on the union itself matches all members; it is too rare for a plan.
      if (!isObjectType(named)) return undefined;
      if (named !== type) continue;
      const inner = planMembers(planned, type, selection.selectionSet);
      if (inner === undefined) return undefined;
      members.push(...inner);
    } else if (selection.name.value === '__typename') {
      members.push({ key: selection.alias?.value ?? '__typename', print: undefined });
    } else {
      const field = planField(planned, type, selection);
      if (field === undefined) return undefined;
      members.push(field);
    }
  }
  return members;
}

/** Plans a field without directives; undefined if it has no plan. */
export function planField(planned: Planned, parentType: GraphQLObjectType, node: FieldNode): PlannedField | undefined {
  const name = node.name.value;
  const field = parentType.getFields()[name];
  const print = field?.resolve && planPrinting(planned, field.type, node.selectionSet);
  if (field === undefined || print === undefined) return undefined;
  const key = node.alias?.value ?? name;
  const isInherited = name in Object.prototype;
  const isRequired = isNonNullType(field.type);
  const named = getNullableType(field.type);
  const leaf = isLeafType(named) ? planLeaf(named) : undefined;
  const isText = leaf !== undefined && (leaf === scalarPrinters.String || leaf === scalarPrinters.ID);
  if (!isPlainReader(field.resolve)) {
    const call = planCall(planned, parentType, field, node);
    return { key, name, isInherited, call, isText, leaf, print: isPassing(field) ? passing(print) : print };
  }
  if (field.args.length > 0) return undefined;
  if (!isInherited) planned.names.add(name);
  const nullable = leaf && ((value: unknown) => (value === null ? writeAscii('null') : leaf(value)));
  return { key, name, isInherited, call: undefined, isText, leaf: isRequired ? leaf : nullable, print };
}

/** Prints a value, or passes its text on. */
function passing(print: ValuePrinter): ValuePrinter {
  const printed: ValuePrinter = (values, index, turn, place, at) => {
    const value = values[index];
    if (value instanceof PassedText) {
      // If the plan gives up, graphql-js reads what is in the text with another value, which it asks for.
      values[index] = unread;
      if (place.prev !== undefined) turn.run.reads.begin(place);
      return turn.pass(value.text);
    }
    return isPromiseLike(value) ? turn.wait(values, index, place, printed) : print(values, index, turn, place, at);
  };
  return printed;
}

function planCall(
  { schema, operation }: Planned,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): FieldCall {
  const readArguments = planArguments(field, node);
  const { name: fieldName, type: returnType } = field;
  const fieldNodes = [node];
  const fragments = isPassing(field) ? fragmentsOfText : noFragments;
  return (parent, { run, values }, path) => {
    const { root: rootValue, variables: variableValues } = run;
    const args = readArguments(variableValues);
    if (args === undefined || field.resolve === undefined) return false;
    const info = completeResolveInfo({
      fieldName,
      fieldNodes,
      returnType,
      parentType,
      path,
      schema,
      fragments,
      rootValue,
      operation,
      variableValues,
    });
    try {
      values.push(field.resolve(parent, args, run.args.contextValue, info));
    } catch (error) {
      values.push(new Thrown(error));
      run.hasThrown = true;
    }
    return true;
  };
}
