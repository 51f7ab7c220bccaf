import type { SourceFile } from '../../base/source/source-file.js';

/**
 * The syntax tree of one or more topology files: plain readonly data, equal to its structured clone. Every
 * node of the tree has `start` and `end`, UTF-16 offsets into the file of its document. The tree of a text
 * with syntax errors has the same shape and lacks the parts that could not be read.
 */
export interface GraphAST {
  readonly kind: 'GraphAST';
  /** One document per file, in the given order; imported files follow the files that import them. */
  readonly documents: readonly Document[];
}

/** One file: its statements in order, and its comments. */
export interface Document {
  readonly file: SourceFile;
  readonly statements: readonly Statement[];
  /** All comments in order, including doc comments. */
  readonly comments: readonly Comment[];
}

/** The span of a node of the tree. */
export interface Located {
  readonly start: number;
  readonly end: number;
}

/** `// line`, `/* block *\/` or `/// doc`, with its marks. */
export interface Comment extends Located {
  readonly kind: 'line' | 'block' | 'doc';
}

/** A top-level statement of a file. */
export type Statement = Pipeline | CallChain | ImportDeclaration | ExportDeclaration;

/** `(a)`, or `(a)-[:T]->(b)-[:U]->(c)`: a group, and one hop per edge. */
export interface Pipeline extends Located {
  readonly kind: 'Pipeline';
  readonly head: NodeGroup;
  readonly hops: readonly Hop[];
  /** The doc comment before the statement. It documents the first edge, or the node if there is no edge. */
  readonly doc: string | undefined;
}

/** One edge of a pipeline: from the group before it to its own target. */
export interface Hop extends Located {
  /** The edge type as written, upper case: `PROCESS`, `FOLD`, `MEASURE` … */
  readonly type: string;
  readonly typeStart: number;
  readonly properties: readonly Property[];
  readonly target: NodeGroup;
  /** The doc comment directly before the edge, in a pipeline over several lines. */
  readonly doc: string | undefined;
}

/** `(a | b: Label)`: one or more nodes in parentheses (or one bare name, with a warning). */
export interface NodeGroup extends Located {
  readonly nodes: readonly NodeTerm[];
}

/** `a`, `a: Label:Other { key: value }`. */
export interface NodeTerm extends Located {
  /** The id; the term begins with it. */
  readonly id: string;
  readonly labels: readonly Name[];
  readonly properties: readonly Property[];
  /** The doc comment directly before the node, inside the parentheses. */
  readonly doc: string | undefined;
}

/** A name and its span. */
export interface Name extends Located {
  readonly name: string;
}

/** `key: value`, `key = value`, `key: Type = value` or `key(argument: Type): Type`. Its span begins at the key. */
export interface Property extends Located {
  readonly key: string;
  /** The arguments in parentheses behind the key; absent without parentheses. */
  readonly args?: readonly Property[];
  readonly value: Value;
  /** The value after the second sign: `ACTIVE` in `status: Status = ACTIVE`. */
  readonly fallback: Value | undefined;
  readonly doc: string | undefined;
}

/** The right-hand side of a property, before types are resolved. */
export type Value = StringValue | NumberValue | BooleanValue | NullValue | WordValue | ListValue;

/** `'text'` or `"text"`, with escapes resolved. */
export interface StringValue extends Located {
  readonly kind: 'String';
  readonly value: string;
  /** The doc comment before an item of a list; absent without one. */
  readonly doc?: string;
}

/** `5`, `-0.5`, `1e9`. `integer` is true for a number without point and exponent. */
export interface NumberValue extends Located {
  readonly kind: 'Number';
  readonly value: number;
  readonly integer: boolean;
}

/** `true` or `false`. */
export interface BooleanValue extends Located {
  readonly kind: 'Boolean';
  readonly value: boolean;
}

/** `null`. */
export interface NullValue extends Located {
  readonly kind: 'Null';
}

/** A bare word: a type, an enum value or a text, which is decided later. `User`, `ID!`, `ACTIVE`. */
export interface WordValue extends Located {
  readonly kind: 'Word';
  readonly name: string;
  /** Whether `!` follows. */
  readonly nonNull: boolean;
  /** The doc comment before an item of a list; absent without one. */
  readonly doc?: string;
}

/** `[a, b]`: a list of values or a list type such as `[String!]!`, which is decided later. */
export interface ListValue extends Located {
  readonly kind: 'List';
  readonly items: readonly Value[];
  /** Whether `!` follows. */
  readonly nonNull: boolean;
}

/** `f(x)`, `x.f().g()`: each step is a PROCESS edge from the one before it. */
export interface CallChain extends Located {
  readonly kind: 'CallChain';
  /** The names in the order of the data: `x`, `f`, `g`. At least two, unless the text has syntax errors. */
  readonly steps: readonly Name[];
  readonly doc: string | undefined;
}

/** `import './x.gg'` or `import { a, b } from './x.gg'`. */
export interface ImportDeclaration extends Located {
  readonly kind: 'Import';
  /** The names in braces; undefined for an import of the whole file. */
  readonly names: readonly Name[] | undefined;
  readonly specifier: string;
  readonly specifierStart: number;
  readonly specifierEnd: number;
}

/** `export { a, b }`. */
export interface ExportDeclaration extends Located {
  readonly kind: 'Export';
  readonly names: readonly Name[];
}
