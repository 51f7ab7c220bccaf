import type { JsonValue } from '../graph/json-value.js';
import { baseName, printTypeRef, type TypeRef } from '../graph/type-ref.js';
import type { GqlArgument, GqlField, GqlSchema } from '../schema/gql-schema.js';
import { indexSchema, inputTypeRef } from '../schema/schema-index.js';
import { printValue } from './graphql-strings.js';
import { operationAt } from './operation-coordinate.js';

/** A field with its arguments, or an operation as a field of its root type: `readUser(id: ID!, limit: Int = 20): ReadUser`. */
export function operationSignature(
  schema: GqlSchema,
  { name, arguments: args = [], type }: Pick<GqlField, 'name' | 'arguments' | 'type'>,
): string {
  const list = args.map((argument) => argumentSignature(schema, argument)).join(', ');
  return `${name}${list === '' ? '' : `(${list})`}: ${printTypeRef(type)}`;
}

/** An argument or an input field with its default: `limit: Int = 20`. */
export function argumentSignature(schema: GqlSchema, { name, type, fallback }: GqlArgument): string {
  const text = `${name}: ${printTypeRef(inputTypeRef(schema, type))}`;
  return fallback === undefined ? text : `${text} = ${printConstant(schema, type, fallback)}`;
}

/** A constant or a default as a GraphQL literal. A topology with errors may name an unknown type: then as JSON. */
export function printConstant(schema: GqlSchema, type: TypeRef, value: JsonValue): string {
  return indexSchema(schema).types.has(baseName(type)) ? printValue(schema, type, value) : JSON.stringify(value);
}

/**
 * An element of the schema on one line, with its kind: `query readUser(id: ID!): ReadUser`, `field email: String`,
 * `union Found = Cache | Store`.
 *
 * @throws {Error} `invariant: …` for a coordinate that the schema does not have.
 */
export function signatureOf(schema: GqlSchema, coordinate: string): string {
  const [, owner = '', member, argument] = /^(\w+)(?:\.(\w+)(?:\((\w+):\))?)?$/.exec(coordinate) ?? [];
  const signature =
    member === undefined ? typeSignature(schema, owner) : memberSignature(schema, owner, member, argument);
  if (signature === undefined) throw new Error(`invariant: the schema has no ${coordinate}`);
  return signature;
}

/** An operation, a field, a value of an enum, or an argument of one of the first two. */
function memberSignature(schema: GqlSchema, owner: string, member: string, argument: string | undefined) {
  const operation = operationAt(schema, `${owner}.${member}`);
  const found = indexSchema(schema).types.get(owner);
  const fields = found?.kind === 'object' || found?.kind === 'interface' ? found.type.fields : [];
  const field = fields.find(({ name }) => name === member);
  if (argument !== undefined) {
    const taken = (operation ?? field)?.arguments?.find(({ name }) => name === argument);
    return taken && `argument ${argumentSignature(schema, taken)}`;
  }
  if (operation !== undefined) return `${operation.kind} ${operationSignature(schema, operation)}`;
  if (field !== undefined) return `field ${operationSignature(schema, field)}`;
  if (found?.kind === 'enum') return found.type.values.includes(member) ? `value ${member}` : undefined;
  const given = found?.kind === 'input' ? found.type.fields.find(({ name }) => name === member) : undefined;
  return given && `input field ${argumentSignature(schema, given)}`;
}

function typeSignature(schema: GqlSchema, coordinate: string): string | undefined {
  const found = indexSchema(schema).types.get(coordinate);
  if (found === undefined || found.kind === 'builtin') return undefined;
  if (found.kind === 'union') return `union ${coordinate} = ${found.type.members.join(' | ')}`;
  return `${found.kind === 'object' ? 'type' : found.kind} ${coordinate}`;
}
