import { printDescription, printString } from '../../emit/graphql/strings.js';
import { printValue } from '../../emit/graphql/values.js';
import type { JsonValue } from '../../graph/json-value.js';
import { baseName, printTypeRef, type TypeRef } from '../../graph/type-ref.js';
import type { GqlArgument, GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { indexSchema, inputTypeRef, type NamedType } from '../../schema/schema-index.js';

/** One type as SDL, without the provenance directives: the user knows what the cursor is on. */
export function printType(schema: GqlSchema, found: NamedType): string {
  if (found.kind === 'builtin') return '';
  const { name, description } = found.type;
  const doc = printDescription(description, '');
  switch (found.kind) {
    case 'object': {
      const fields = found.type.fields.map(
        (field) =>
          `${printDescription(field.description, '  ')}  ${field.name}: ${printTypeRef(field.type)}${
            field.constant === undefined ? '' : ` # ${printConstant(schema, field.type, field.constant)}`
          }\n`,
      );
      return `${doc}type ${name} {\n${fields.join('')}}`;
    }
    case 'input': {
      const fields = found.type.fields.map((field) => `  ${printArgument(schema, field)}\n`);
      return `${doc}input ${name} {\n${fields.join('')}}`;
    }
    case 'enum':
      return `${doc}enum ${name} {\n${found.type.values.map((value) => `  ${value}\n`).join('')}}`;
    case 'scalar': {
      const { specifiedBy } = found.type;
      const specification =
        specifiedBy === undefined ? '' : ` @specifiedBy(url: ${printString(specifiedBy)})`;
      return `${doc}scalar ${name}${specification}`;
    }
    case 'union':
      return `${doc}union ${name} = ${found.type.members.join(' | ')}`;
  }
}

/** An operation as a field of its root type: `readUser(id: ID!): ReadUser`. */
export function printOperation(schema: GqlSchema, { name, arguments: args, type }: GqlOperation): string {
  const list = args.map((argument) => printArgument(schema, argument)).join(', ');
  return `${name}${list === '' ? '' : `(${list})`}: ${printTypeRef(type)}`;
}

function printArgument(schema: GqlSchema, { name, type, fallback }: GqlArgument): string {
  const text = `${name}: ${printTypeRef(inputTypeRef(schema, type))}`;
  return fallback === undefined ? text : `${text} = ${printConstant(schema, type, fallback)}`;
}

/** A topology with errors may name a missing type; a value of such a type is printed as JSON. */
function printConstant(schema: GqlSchema, type: TypeRef, value: JsonValue): string {
  return indexSchema(schema).types.has(baseName(type))
    ? printValue(schema, type, value)
    : JSON.stringify(value);
}
