import { lowerGraph } from './graph/lower/lower.js';
import type { GqlSchema } from './schema/gql-schema.js';
import { buildSchema } from './schema/projection/build-schema.js';
import type { GraphAST } from './syntax/ast.js';

/**
 * Projects a tree to its schema: the topology alone, without the layers that a server adds. Invalid parts of the
 * topology are omitted from the schema; `compile` reports them.
 *
 * @example
 * ```ts
 * import { compile, generateSchema } from 'gg-svc';
 *
 * const { ast } = compile("(root)-[:PROCESS]->(hello { text: 'Hello' })");
 * const schema = generateSchema(ast);
 * console.log(schema.queries.map((query) => query.name)); // [ 'hello' ]
 * ```
 */
export function generateSchema(ast: GraphAST): GqlSchema {
  return buildSchema(lowerGraph(ast).value).value;
}
