import { nullable, printTypeRef } from '../graph/type-ref.js';
import type { GqlArgument, GqlOperation, GqlSchema } from '../schema/gql-schema.js';
import { inputTypeRef } from '../schema/schema-index.js';
import { printValue } from './graphql-strings.js';
import { isRequired } from './is-required.js';

/**
 * The GraphQL document of one operation, which passes every argument as a variable: `query readUser($id: ID!) {
 * readUser(id: $id) { id name } }`.
 *
 * @param selection the selection of the result, including braces; empty for a scalar or an enum
 */
export function operationDocument(
  schema: GqlSchema,
  { kind, name, arguments: args }: GqlOperation,
  selection: string,
  { isMultiline = false, withDefaults = false }: DocumentStyle = {},
): string {
  let variables = '';
  let given = '';
  for (const argument of args) {
    const start = given === '' ? '(' : ', ';
    variables += `${start}$${argument.name}: ${variableDefinition(schema, argument, withDefaults)}`;
    given += `${start}${argument.name}: $${argument.name}`;
  }
  const end = given === '' ? '' : ')';
  const field = `${name}${given}${end}${selection === '' ? '' : ` ${selection}`}`;
  const body = isMultiline ? `{\n  ${field}\n}` : `{ ${field} }`;
  return `${kind} ${name}${variables}${end} ${body}`;
}

interface DocumentStyle {
  /** Whether the field of the operation is on a line of its own. */
  readonly isMultiline?: boolean;
  /** Whether variables repeat the defaults of their arguments, for readers. */
  readonly withDefaults?: boolean;
}

/** A non-null argument with a default may be left out, so its variable must be nullable or have the default, too. */
function variableDefinition(schema: GqlSchema, argument: GqlArgument, withDefaults: boolean): string {
  const { fallback } = argument;
  const type = inputTypeRef(schema, argument.type);
  if (fallback === undefined || isRequired(argument)) return printTypeRef(type);
  if (!withDefaults) return printTypeRef(fallback === null ? type : nullable(type));
  return `${printTypeRef(type)} = ${printValue(schema, type, fallback)}`;
}
