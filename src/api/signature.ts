import { printTypeRef } from '../graph/type-ref.js';
import type { GqlArgument, GqlOperation, GqlSchema } from '../schema/gql-schema.js';
import { indexSchema, inputTypeRef } from '../schema/schema-index.js';
import { operationCoordinate } from './operation-coordinate.js';

/**
 * A thing of the schema on one line, with the word that says what it is: `query readUser(id: ID!): ReadUser`,
 * `field email: String`, `union Found = Cache | Store`.
 *
 * @throws {Error} `invariant: …` for a coordinate that the schema does not have.
 */
export function signatureOf(schema: GqlSchema, coordinate: string): string {
  const signature =
    operationSignature(schema, coordinate) ??
    memberSignature(schema, coordinate) ??
    typeSignature(schema, coordinate);
  if (signature === undefined) throw new Error(`invariant: the schema has no ${coordinate}`);
  return signature;
}

function operationSignature(schema: GqlSchema, coordinate: string): string | undefined {
  const [, owner, argument] = /^(\w+\.\w+)(?:\((\w+):\))?$/.exec(coordinate) ?? [];
  const operation = [...schema.queries, ...schema.mutations, ...schema.subscriptions].find(
    (candidate) => operationCoordinate(candidate) === owner,
  );
  if (operation === undefined) return undefined;
  if (argument === undefined) return describeOperation(schema, operation);
  const found = operation.arguments.find(({ name }) => name === argument);
  return found && `argument ${describeArgument(schema, found)}`;
}

function describeOperation(schema: GqlSchema, { kind, name, arguments: args, type }: GqlOperation): string {
  const list = args.map((argument) => describeArgument(schema, argument)).join(', ');
  return `${kind} ${name}${list === '' ? '' : `(${list})`}: ${printTypeRef(type)}`;
}

function describeArgument(schema: GqlSchema, { name, type, fallback }: GqlArgument): string {
  const written = printTypeRef(inputTypeRef(schema, type));
  return `${name}: ${written}${fallback === undefined ? '' : ` = ${JSON.stringify(fallback)}`}`;
}

function memberSignature(schema: GqlSchema, coordinate: string): string | undefined {
  const [, owner, member] = /^(\w+)\.(\w+)$/.exec(coordinate) ?? [];
  const found = owner === undefined ? undefined : indexSchema(schema).types.get(owner);
  if (found?.kind === 'enum')
    return found.type.values.some((value) => value === member) ? `value ${member}` : undefined;
  if (found?.kind === 'object') {
    const field = found.type.fields.find(({ name }) => name === member);
    return field && `field ${field.name}: ${printTypeRef(field.type)}`;
  }
  const field = found?.kind === 'input' ? found.type.fields.find(({ name }) => name === member) : undefined;
  return field && `input field ${describeArgument(schema, field)}`;
}

function typeSignature(schema: GqlSchema, coordinate: string): string | undefined {
  const found = indexSchema(schema).types.get(coordinate);
  if (found === undefined || found.kind === 'builtin') return undefined;
  if (found.kind === 'union') return `union ${coordinate} = ${found.type.members.join(' | ')}`;
  return `${found.kind === 'object' ? 'type' : found.kind} ${coordinate}`;
}
