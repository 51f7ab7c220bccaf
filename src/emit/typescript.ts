import type { GqlSchema } from '../schema/gql-schema.js';
import { docComment } from './typescript/doc-comment.js';
import { findLeftOut } from './typescript/left-out.js';
import { resolverTypes } from './typescript/resolver-types.js';
import { restTypes } from './typescript/rest-types.js';
import type { TypeContext } from './typescript/type-context.js';
import { typeNames } from './typescript/type-names.js';
import { unionText } from './typescript/type-text.js';

/** What the emitted types are made for. */
export interface TypeScriptOptions {
  /** What resolvers give and get for a custom scalar, as TypeScript, by its name. `unknown` unless given. */
  readonly scalars?: Readonly<Record<string, string>>;
  /** What a custom scalar is as JSON, over REST, as TypeScript. What `scalars` says unless given. */
  readonly restScalars?: Readonly<Record<string, string>>;
  /** Only the types of resolvers, or only those of a REST client; both unless given. */
  readonly only?: 'resolvers' | 'rest';
}

/**
 * Makes a TypeScript module out of a schema: the types of its resolvers (`Resolvers<Context>`), and those of
 * a client of its REST routes (`Rest.Paths`). The same schema and options give the same bytes.
 *
 * @param schema the projection of a topology
 *
 * @example
 * ```ts
 * import { compile, schemaToTypeScript } from 'gg-svc';
 *
 * const result = compile("(root)-[:PROCESS { id: ID! }]->(user { id: ID!, name: String! })");
 * if (result.ok) console.log(schemaToTypeScript(result.schema));
 * ```
 */
export function schemaToTypeScript(schema: GqlSchema, options: TypeScriptOptions = {}): string {
  const { scalars = {}, restScalars = {}, only } = options;
  const context: TypeContext = { schema, nameOf: typeNames(schema) };
  const parts = [header(schema, only)];
  for (const { name, description, values } of schema.enums) {
    const start = `export type ${context.nameOf(name)} =`;
    parts.push(
      docComment(description) +
        unionText(
          start,
          values.map((value) => `'${value}'`),
        ),
    );
  }
  if (only !== 'rest') {
    for (const { name, description } of schema.scalars) {
      const text = textFor(scalars, name);
      parts.push(`${docComment(description)}export type ${context.nameOf(name)} = ${text};\n`);
    }
    parts.push(resolverTypes(context, findLeftOut(schema)));
  }
  if (only !== 'resolvers') {
    parts.push(restTypes(context, (name) => textFor({ ...scalars, ...restScalars }, name)));
  }
  return parts.join('\n');
}

function textFor(scalars: Readonly<Record<string, string>>, name: string): string {
  return (Object.hasOwn(scalars, name) ? scalars[name] : undefined) ?? 'unknown';
}

function header({ scalars }: GqlSchema, only: TypeScriptOptions['only']): string {
  const start =
    '// Made by gg-svc from a topology. Whatever is changed here is lost when it is made again.\n' +
    '/* eslint-disable */\n';
  if (only === 'rest') return start;
  // A compiler may complain about an import that nothing uses.
  const names = scalars.length === 0 ? 'GraphQLResolveInfo' : 'GraphQLResolveInfo, GraphQLScalarType';
  return `${start}\nimport type { ${names} } from 'graphql';\n`;
}
