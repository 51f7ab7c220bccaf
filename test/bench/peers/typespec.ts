import type { JsonValue } from '../../../src/compiler/graph/json-value.js';
import { baseName, type TypeRef } from '../../../src/compiler/graph/type-ref.js';
import type { GqlArgument, GqlField, GqlOperation, GqlSchema } from '../../../src/compiler/schema/gql-schema.js';

/**
 * Writes the REST API of a schema as TypeSpec, so that the two compilers can be given the same job: the
 * same models with the same fields, the same operations with the same parameters, bodies, results and
 * problem responses, and the same descriptions. Unions and custom scalars are left out; the topologies
 * that this is used on have none.
 */
export function schemaToTypeSpec(schema: GqlSchema): string {
  if (schema.unions.length > 0 || schema.scalars.length > 0) {
    throw new Error('invariant: unions and custom scalars are not written as TypeSpec');
  }
  const enums = new Set(schema.enums.map(({ name }) => name));
  const declarations = [
    ...schema.enums.map(({ name, description, values }) =>
      block(
        description,
        `enum ${name}`,
        values.map((value) => `${value},`),
      ),
    ),
    ...schema.objects.map(({ name, description, fields }) =>
      block(description, `model ${name}`, fields.map(outputField)),
    ),
    ...schema.inputs.map(({ name, description, fields }) =>
      block(
        description,
        `model ${name}`,
        fields.map((field) => `${inputField(field, enums)};`),
      ),
    ),
    ...schema.queries.map((query) => operation(query, 'get', enums)),
    ...schema.mutations.map((mutation) => operation(mutation, 'post', enums)),
  ];
  return `${preamble}${declarations.join('\n')}`;
}

/** The settings that make `tsp compile` write what our own build writes: one OpenAPI 3.1 document as JSON. */
export const typeSpecConfig = `emit:
  - "@typespec/openapi3"
options:
  "@typespec/openapi3":
    file-type: json
    openapi-versions: ["3.1.0"]
    emitter-output-dir: "{project-root}/typespec"
`;

const preamble = `import "@typespec/http";
import "@typespec/openapi3";
using TypeSpec.Http;

@service(#{ title: "Bench" })
namespace Bench;

@error model Problem {
  @header contentType: "application/problem+json";
  type?: string;
  title: string;
  status: int32;
  detail?: string;
}

`;

const scalars: Readonly<Record<string, string>> = {
  ID: 'string',
  String: 'string',
  Int: 'int32',
  Float: 'float64',
  Boolean: 'boolean',
};

function operation(
  { name, description, arguments: args, type }: GqlOperation,
  method: 'get' | 'post',
  enums: ReadonlySet<string>,
): string {
  const parameters =
    method === 'get'
      ? args.map((argument) => `${queryOf(argument.type)} ${inputField(argument, enums)}`).join(', ')
      : `@body body: { ${args.map((argument) => `${inputField(argument, enums)};`).join(' ')} }`;
  return `${docOf(description)}@route("/api/${name}") @${method} op ${name}(${parameters}): ${written(type)} | Problem;\n`;
}

function queryOf(type: TypeRef): string {
  const inner = type.kind === 'nonNull' ? type.of : type;
  return inner.kind === 'list' ? '@query(#{ explode: true })' : '@query';
}

function outputField({ name, description, type }: GqlField): string {
  const optional = type.kind === 'nonNull' ? '' : '?';
  return `${docOf(description)}${name}${optional}: ${written(type)};`;
}

function inputField({ name, description, type, fallback }: GqlArgument, enums: ReadonlySet<string>): string {
  const hasFallback = fallback !== undefined && fallback !== null;
  const optional = type.kind === 'nonNull' && !hasFallback ? '' : '?';
  const value = hasFallback ? ` = ${literal(fallback, type, enums)}` : '';
  return `${docOf(description)}${name}${optional}: ${written(type)}${value}`;
}

function written(type: TypeRef): string {
  if (type.kind === 'nonNull') return bare(type.of);
  return `${bare(type)} | null`;
}

function bare(type: TypeRef): string {
  if (type.kind === 'list') {
    return type.of.kind === 'nonNull' ? `${bare(type.of.of)}[]` : `(${written(type.of)})[]`;
  }
  return type.kind === 'nonNull' ? bare(type.of) : (scalars[type.name] ?? type.name);
}

function literal(value: JsonValue, type: TypeRef, enums: ReadonlySet<string>): string {
  if (Array.isArray(value)) return `#[${value.map((item) => literal(item, type, enums)).join(', ')}]`;
  return enums.has(baseName(type)) ? `${baseName(type)}.${value}` : JSON.stringify(value);
}

function block(description: string | undefined, head: string, lines: readonly string[]): string {
  return `${docOf(description)}${head} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;
}

function docOf(description: string | undefined): string {
  return description === undefined ? '' : `@doc(${JSON.stringify(description)}) `;
}
