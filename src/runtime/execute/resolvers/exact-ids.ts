import {
  GraphQLError,
  GraphQLID,
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
import { replaceScalarFunctions } from '../graphql-js/releases.js';

/**
 * Makes the IDs of a schema refuse integers of JSON beyond 2^53, as REST does: their digits are lost before anything can
 * read them. graphql-js shares its scalar `ID` among all schemas, so that this one gets its own.
 */
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
