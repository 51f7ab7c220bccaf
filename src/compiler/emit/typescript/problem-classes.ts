import { problemCodeOf } from '../../graph/names.js';
import type { GqlField, GqlProblemType } from '../../schema/gql-schema.js';
import { answerText, docComment, memberText, type TypeContext } from './type-text.js';

/** The classes of the declared errors, for resolvers to throw: `throw new OutOfStock({ left: 3 })`. */
export function problemClasses(context: TypeContext): readonly string[] {
  return (context.schema.problems ?? []).map((problem) => problemClass(context, problem));
}

/** The type of the problem details of a declared error (RFC 9457), for REST clients. */
export function problemDetails(context: TypeContext, { name, description, status, fields }: GqlProblemType): string {
  const members = fields.map((field) => fieldMember(context, field, '    '));
  return (
    `${docComment(description, '  ')}  export interface ${context.nameOf(name)} {\n` +
    '    readonly type?: string;\n    readonly title: string;\n' +
    `    readonly status: ${status};\n    readonly detail?: string;\n` +
    `    readonly code: '${problemCodeOf(name)}';\n${members.join('')}  }\n`
  );
}

function problemClass(context: TypeContext, { name, description, fields }: GqlProblemType): string {
  const members = fields.map((field) => fieldMember(context, field, '      ')).join('');
  const omitted = fields.every(mayLack) ? ' = {}' : '';
  const message = `message = ${quoted(description?.split('\n', 1)[0] ?? name)}`;
  const parameters = fields.length === 0 ? message : `\n    fields: {\n${members}    }${omitted},\n    ${message},\n  `;
  return (
    `${docComment(description)}export class ${context.nameOf(name)} extends Error {\n` +
    `  override readonly name = '${name}';\n` +
    fields.map((field) => fieldMember(context, field, '  ')).join('') +
    `\n  constructor(${parameters}) {\n    super(message);\n` +
    fields.map((field) => `    this.${field.name} = fields.${field.name};\n`).join('') +
    '  }\n}\n'
  );
}

/** A string of TypeScript in single quotes, as formatters write it. */
export function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner}'`;
}

function fieldMember(context: TypeContext, field: GqlField, indent: string): string {
  const text = answerText(context, field.type);
  const isOptional = mayLack(field);
  return memberText(field, isOptional, isOptional ? `${text} | undefined` : text, indent);
}

function mayLack({ type, fallback }: GqlField): boolean {
  return type.kind !== 'nonNull' || fallback !== undefined;
}
