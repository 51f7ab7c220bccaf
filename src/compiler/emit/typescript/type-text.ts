import { describeEnum } from '../../api/access.js';
import { nonNull, type TypeRef } from '../../graph/type-ref.js';
import type { ValueNotes } from '../../graph/value-notes.js';
import type { GqlArgument, GqlEnumType, GqlSchema } from '../../schema/gql-schema.js';
import { isComposite, namedType } from '../../schema/schema-index.js';

/**
 * A type reference in TypeScript: null where GraphQL allows it, lists readonly.
 *
 * @param leaf - The text for the innermost name.
 */
export function typeText(type: TypeRef, leaf: (name: string) => string): string {
  return type.kind === 'nonNull' ? bareText(type.of, leaf) : `${bareText(type, leaf)} | null`;
}

function bareText(type: Exclude<TypeRef, { readonly kind: 'nonNull' }>, leaf: (name: string) => string) {
  if (type.kind === 'named') return leaf(type.name);
  const item = typeText(type.of, leaf);
  return `readonly ${/^\w+(<[^|]*>)?$/.test(item) ? item : `(${item})`}[]`;
}

interface Member extends ValueNotes {
  readonly name: string;
  readonly description?: string | undefined;
}

/** A member of an interface, with its comment and its line break. */
export function memberText(
  { name, description, ...notes }: Member,
  isOptional: boolean,
  text: string,
  indent = '  ',
): string {
  return `${docComment(withTags(description, notes), indent)}${indent}readonly ${name}${isOptional ? '?' : ''}: ${text};\n`;
}

/** An argument as a resolver receives it: always present if it has a default or is non-null. */
export function givenMember(place: GqlArgument, leaf: (name: string) => string, indent: string): string {
  const isThere = place.type.kind === 'nonNull' || place.fallback !== undefined;
  const text = typeText(givenType(place), leaf);
  return memberText(described(place), !isThere, isThere ? text : `${text} | undefined`, indent);
}

/** An input of which exactly one field is given: a type for each field, in which the others are absent. */
export function oneOfText(start: string, fields: readonly GqlArgument[], leaf: (name: string) => string): string {
  const options = fields.map((given) => {
    const members = fields.map((field) =>
      field === given
        ? `readonly ${field.name}: ${typeText(nonNull(field.type), leaf)}`
        : `readonly ${field.name}?: never`,
    );
    return `{ ${members.join('; ')} }`;
  });
  return unionText(start, options);
}

/** An argument as a client sends it: optional if it is nullable or has a default. */
export function sentMember(place: GqlArgument, leaf: (name: string) => string, indent: string): string {
  const mayLack = place.type.kind !== 'nonNull' || (place.fallback ?? null) !== null;
  const text = typeText(givenType(place), leaf);
  return memberText(described(place), mayLack, mayLack ? `${text} | undefined` : text, indent);
}

/** The type of a value that is not left out. */
function givenType({ type, notNull }: GqlArgument): TypeRef {
  return notNull === undefined ? type : nonNull(type);
}

function described(place: GqlArgument): Member {
  const { description, fallback } = place;
  if (fallback === undefined) return place;
  const said = `Default: \`${JSON.stringify(fallback)}\`.`;
  return { ...place, description: description === undefined ? said : `${description}\n\n${said}` };
}

/** The type of an enum. */
export function enumText(type: GqlEnumType, nameOf: TypeContext['nameOf'], indent: string): string {
  const values = type.values.map((value) => `'${value.replace(/['\\]/g, '\\$&')}'`);
  const start = `${indent}export type ${nameOf(type.name)} =`;
  return docComment(describeEnum(type), indent) + unionText(start, values);
}

/**
 * A union type: on one line if it fits, else one option a line, as formatters do.
 *
 * @param start - The text before it, up to the equals sign; its indentation counts.
 */
export function unionText(start: string, options: readonly string[]): string {
  const line = `${start} ${options.join(' | ') || 'never'};\n`;
  if (line.length <= longestLine + 1) return line;
  const indent = /^ */.exec(start)?.[0] ?? '';
  return `${start}${options.map((option) => `\n${indent}  | ${option}`).join('')};\n`;
}

const longestLine = 110;

/** The state that all parts of the emitter share. */
export interface TypeContext {
  readonly schema: GqlSchema;
  readonly nameOf: (name: string) => string;
  /** The types that resolvers may return for a scalar beside the one that they receive; undefined without any. */
  readonly alsoReturned: (name: string) => string | undefined;
}

/** The TypeScript type of a scalar or an enum. */
export function leafText({ schema, nameOf }: TypeContext, name: string): string {
  const found = namedType(schema, name);
  return found.kind === 'builtin' ? typeof found.wire.example : nameOf(name);
}

/** The TypeScript type of a value in an answer: objects by their names, scalars and enums. */
export function answerText(context: TypeContext, type: TypeRef): string {
  const { schema, nameOf } = context;
  return typeText(type, (name) => (isComposite(schema, name) ? nameOf(name) : leafText(context, name)));
}

/** A description with the notes of its value as JSDoc tags: `@deprecated`, `@minimum 1`, `@example "Ada"`. */
export function withTags(description: string | undefined, notes: ValueNotes): string | undefined {
  const { deprecated, constraints, examples = [] } = notes;
  const tags = [
    ...Object.entries(constraints ?? {}).map(([keyword, limit]) => `@${keyword} ${limit}`),
    ...examples.map((example) => `@example ${JSON.stringify(example)}`),
    ...(deprecated === undefined ? [] : [`@deprecated ${deprecated}`]),
  ];
  if (tags.length === 0) return description;
  return [...(description === undefined ? [] : [description, '']), ...tags].join('\n');
}

/** A doc comment with its final line break. No text can end the comment early. Empty for an empty text. */
export function docComment(text: string | undefined, indent = ''): string {
  const lines = (text ?? '')
    .trim()
    .replaceAll('*/', '*\\/')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.trimEnd());
  const [first = ''] = lines;
  if (lines.length > 1) {
    const body = lines.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('');
    return `${indent}/**\n${body}${indent} */\n`;
  }
  return first === '' ? '' : `${indent}/** ${first} */\n`;
}
