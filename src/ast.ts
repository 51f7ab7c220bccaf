/**
 * `gg-svc/ast`: the nodes of a `GraphAST`, the syntax tree of `.gg` files, and the formatter.
 *
 * @module ast
 */

export { formatTopology } from './compiler/format/format-topology.js';
export type {
  BooleanValue,
  CallChain,
  Comment,
  Document,
  ExportDeclaration,
  Hop,
  ImportDeclaration,
  ListValue,
  Located,
  Name,
  NodeGroup,
  NodeTerm,
  NullValue,
  NumberValue,
  Pipeline,
  Property,
  Statement,
  StringValue,
  Value,
  WordValue,
} from './compiler/syntax/ast.js';
