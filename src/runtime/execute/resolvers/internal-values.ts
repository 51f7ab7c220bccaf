import { types } from 'node:util';
import {
  GraphQLError,
  GraphQLID,
  type GraphQLLeafType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  type GraphQLSchema,
  type GraphQLType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { JsonValue } from '../../../compiler/graph/json-value.js';
import type { TypeRef } from '../../../compiler/graph/type-ref.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import type { ScalarImplementation } from '../../scalars/standard-scalars.js';
import { readDefaultAgain, replaceScalarFunctions } from '../graphql-js/releases.js';
import type { GivenResolvers } from './given-resolvers.js';

/**
 * Gives the custom scalars of an executable schema the behaviour of the given scalars of the same name. The parts
 * are copied, not the object, because it may come from another copy of graphql-js.
 */
export function attachScalars(schema: GqlSchema, executable: GraphQLSchema, given: GivenResolvers): void {
  let attached = false;
  for (const { name } of schema.scalars) {
    const scalar = executable.getType(name);
    if (!(scalar instanceof GraphQLScalarType)) continue;
    const parts = given.scalar(name);
    replaceScalarFunctions(scalar, {
      serialize: (value) => serialize(name, parts, value),
      ...(parts && {
        parseValue: (value) => parts.parseValue(value),
        parseLiteral: (...args) => parts.parseLiteral(...args),
        ...(parts.coerceInputLiteral && { coerceInputLiteral: (...args) => parts.coerceInputLiteral?.(...args) }),
      }),
    });
    if (parts?.isStandard === true) standardTypes.add(scalar);
    attached ||= parts !== undefined;
  }
  if (attached) readDefaultsAgain(executable);
}

const standardTypes = new WeakSet<GraphQLLeafType>();

/** Whether a scalar has the implementation of a standard scalar: its conversions may be called in compiled plans. */
export function isStandardType(type: GraphQLLeafType): boolean {
  return standardTypes.has(type);
}

/** Serializes a value to one that has a JSON form, so that writing the result cannot fail. */
function serialize(name: string, parts: ScalarImplementation | undefined, value: unknown): unknown {
  const serialized = parts === undefined ? value : parts.serialize(value);
  if (serialized === null || serialized === undefined || isJson(serialized)) return serialized;
  // `toJSON` and getters are called once. A BigInt or a cycle makes `stringify` throw.
  const text = JSON.stringify(serialized);
  if (text === undefined) throw new Error(`${name}.serialize returned a ${typeof serialized}, which has no JSON form.`);
  return JSON.parse(text);
}

/** The depth to which values are searched; deeper ones are copied. */
const maxDepth = 32;

/** Whether a value is plain JSON: serializing it runs no code. */
function isJson(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) {
    return value === null || ['string', 'number', 'boolean'].includes(typeof value);
  }
  if (depth > maxDepth || types.isProxy(value) || 'toJSON' in value) return false;
  return Object.values(Object.getOwnPropertyDescriptors(value)).every(
    (property) => property.get === undefined && isJson(property.value, depth + 1),
  );
}

/**
 * Turns a constant of the topology into the value that a resolver would return: the scalar may, for
 * instance, parse text into a Date. Enums and the scalars of GraphQL stay as they are.
 *
 * @throws The error of the scalar for a constant that it does not accept.
 */
export function internalValue(executable: GraphQLSchema, type: TypeRef, constant: JsonValue): unknown {
  if (constant === null) return null;
  if (type.kind === 'nonNull') return internalValue(executable, type.of, constant);
  if (type.kind === 'list') {
    const items = Array.isArray(constant) ? constant : [constant];
    return items.map((item) => internalValue(executable, type.of, item as JsonValue));
  }
  const scalar = executable.getType(type.name);
  return scalar instanceof GraphQLScalarType && scalar.astNode ? scalar.parseValue(constant) : constant;
}

/** The defaults were read when the schema was built, by scalars that knew nothing yet. */
function readDefaultsAgain(executable: GraphQLSchema): void {
  for (const type of Object.values(executable.getTypeMap())) {
    if (isInputObjectType(type)) Object.values(type.getFields()).forEach(readDefaultAgain);
    else if (isObjectType(type))
      for (const field of Object.values(type.getFields())) field.args.forEach(readDefaultAgain);
  }
}

/** Makes IDs refuse integers beyond 2^53, whose digits JSON has lost. graphql-js shares its `ID` among all schemas. */
export function attachExactIds(executable: GraphQLSchema): void {
  const types = executable.getTypeMap();
  if (types.ID !== GraphQLID) return;
  const exact = new GraphQLScalarType(GraphQLID.toConfig());
  replaceScalarFunctions(exact, {
    parseValue(value) {
      if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
        throw new GraphQLError(`ID cannot represent value: ${value}. Send it as a string, which keeps all digits.`);
      return GraphQLID.parseValue(value);
    },
  });
  types.ID = exact;
  const withExact = <Type extends GraphQLType>(type: Type): Type => {
    if (!isListType(type) && !isNonNullType(type)) return ((type as GraphQLType) === GraphQLID ? exact : type) as Type;
    const inner = withExact(type.ofType as GraphQLType);
    if (inner === type.ofType) return type;
    return (isListType(type) ? new GraphQLList(inner) : new GraphQLNonNull(inner as never)) as GraphQLType as Type;
  };
  for (const type of Object.values(types)) {
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) field.type = withExact(field.type);
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      field.type = withExact(field.type);
      for (const argument of field.args) argument.type = withExact(argument.type);
    }
  }
}
