/**
 * `gg-svc/compiler`: the compiler alone, for programs that only compile. Importing it loads neither a server nor
 * any other package.
 *
 * @module compiler
 */

export type { Analysis, AnalyzeOptions, SourceInput } from './compiler/analyze.js';
export { generateSchema } from './compiler/analyze.js';
export { type Compilation, type CompileOptions, compile } from './compiler/compile.js';
export type { ArazzoDescription } from './compiler/emit/arazzo/format.js';
export { schemaToWorkflows } from './compiler/emit/arazzo.js';
export { type AsyncApiDocument, type AsyncApiOptions, schemaToAsyncAPI } from './compiler/emit/asyncapi.js';
export { schemaToCollection } from './compiler/emit/collection.js';
export type { ArtifactFile, EmitOptions } from './compiler/emit/emitter.js';
export type { Artifacts } from './compiler/emit/emitters.js';
export { schemaToGraphQL } from './compiler/emit/graphql.js';
export { schemaToOpenAPI } from './compiler/emit/openapi.js';
export { schemaToTypeScript, type TypeScriptOptions } from './compiler/emit/typescript/typescript.js';
export type { GqlSchema } from './compiler/schema/gql-schema.js';
export type { GraphAST } from './compiler/syntax/ast.js';
