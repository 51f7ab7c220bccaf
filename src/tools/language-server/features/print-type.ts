import { printDescription, printString } from '../../../compiler/api/graphql-strings.js';
import { printEnumValues, printNotes } from '../../../compiler/api/print-notes.js';
import { argumentSignature, fieldSignature, printConstant } from '../../../compiler/api/signature.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import type { NamedType } from '../../../compiler/schema/schema-index.js';

/** One type as SDL, without the provenance directives, because the cursor is at the origin. */
export function printType(schema: GqlSchema, found: NamedType): string {
  if (found.kind === 'builtin') return '';
  const { name, description } = found.type;
  const doc = printDescription(description, '');
  switch (found.kind) {
    case 'object':
    case 'interface': {
      const fields = found.type.fields.map(
        (field) =>
          `${printDescription(field.description, '  ')}  ${fieldSignature(schema, field)}${printNotes(field)}${
            field.fallback === undefined ? '' : ` # ${printConstant(schema, field.type, field.fallback)}`
          }\n`,
      );
      const { interfaces } = found.type;
      const keeps = interfaces === undefined ? '' : ` implements ${interfaces.join(' & ')}`;
      return `${doc}${found.kind === 'object' ? 'type' : 'interface'} ${name}${keeps} {\n${fields.join('')}}`;
    }
    case 'input': {
      const fields = found.type.fields.map(
        (field) => `  ${argumentSignature(schema, field)}${printNotes(field)}\n`,
      );
      return `${doc}input ${name}${found.type.oneOf ? ' @oneOf' : ''} {\n${fields.join('')}}`;
    }
    case 'enum':
      return `${doc}enum ${name} {${printEnumValues(found.type)}\n}`;
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
