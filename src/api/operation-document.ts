import { nullable, printTypeRef } from '../graph/type-ref.js';
import type { GqlArgument, GqlOperation, GqlSchema } from '../schema/gql-schema.js';
import { inputTypeRef } from '../schema/schema-index.js';

/**
 * The GraphQL document of one operation, which passes every argument as a variable: `query readUser($id: ID!) {
 * readUser(id: $id) { id name } }`.
 *
 * @param selection the selection of the result, including braces; empty for a scalar or an enum
 * @param isMultiline whether the field of the operation is on a line of its own
 */
export function operationDocument(
  schema: GqlSchema,
  { kind, name, arguments: args }: GqlOperation,
  selection: string,
  isMultiline = false,
): string {
  let variables = '';
  let given = '';
  for (const argument of args) {
    const start = given === '' ? '(' : ', ';
    variables += `${start}$${argument.name}: ${variableType(schema, argument)}`;
    given += `${start}${argument.name}: $${argument.name}`;
  }
  const end = given === '' ? '' : ')';
  const field = `${name}${given}${end}${selection === '' ? '' : ` ${selection}`}`;
  const body = isMultiline ? `{\n  ${field}\n}` : `{ ${field} }`;
  return `${kind} ${name}${variables}${end} ${body}`;
}

/** A non-null argument with a default may be left out, so its variable must be nullable. */
function variableType(schema: GqlSchema, { type, fallback }: GqlArgument): string {
  const written = inputTypeRef(schema, type);
  return printTypeRef(fallback === undefined || fallback === null ? written : nullable(written));
}
