import type { SourceFile } from '../source/source-file.js';

/**
 * The tree of one or more topology files, as written. Every node of the tree has `start` and `end`,
 * UTF-16 offsets into the file of its document; a tree that was recovered from broken text has the
 * same shape, with what could not be read left out.
 */
export interface GraphAST {
  readonly kind: 'GraphAST';
  /** One document a file, in the order given; imported files follow the ones that import them. */
  readonly documents: readonly Document[];
}

/** One file: its statements in order, and its comments. */
export interface Document {
  readonly file: SourceFile;
  readonly statements: readonly Statement[];
  /** All comments in order, doc comments among them; no other node repeats their place. */
  readonly comments: readonly Comment[];
}

/** What every node of the tree has: where it stands. */
export interface Located {
  readonly start: number;
  readonly end: number;
}

/** `// line`, `/* block *\/` or `/// doc`, with its marks. */
export interface Comment extends Located {
  readonly kind: 'line' | 'block' | 'doc';
}

/** What may stand at the top level of a file. */
export type Statement = Pipeline | CallChain | ImportDeclaration | ExportDeclaration;

/** `(a)` alone, or `(a)-[:T]->(b)-[:U]->(c)`: a group, and a hop for each edge. */
export interface Pipeline extends Located {
  readonly kind: 'Pipeline';
  readonly head: NodeGroup;
  readonly hops: readonly Hop[];
  /** The text of the doc comment before the statement: of its first edge, or of its lone node. */
  readonly doc: string | undefined;
}

/** One edge of a pipeline: from the group before it to its own target. */
export interface Hop extends Located {
  /** The edge type as written, upper case: `PROCESS`, `FOLD`, `MEASURE` … */
  readonly type: string;
  /** Where the type stands. */
  readonly typeStart: number;
  readonly properties: readonly Property[];
  readonly target: NodeGroup;
  /** A doc comment directly before the edge itself, inside a pipeline written over several lines. */
  readonly doc: string | undefined;
}

/** `(a | b: Label)`: one or more nodes between parentheses (or one bare name, with a warning). */
export interface NodeGroup extends Located {
  readonly nodes: readonly NodeTerm[];
}

/** `a`, `a: Label:Other { key: value }`. */
export interface NodeTerm extends Located {
  /** The id, with which the term begins. */
  readonly id: string;
  readonly labels: readonly Name[];
  readonly properties: readonly Property[];
  /** A doc comment directly before the node, inside the parentheses. */
  readonly doc: string | undefined;
}

/** A word and its place. */
export interface Name extends Located {
  readonly name: string;
}

/** `key: value`, `key = value` or `key: Type = value`. It begins at its key. */
export interface Property extends Located {
  readonly key: string;
  readonly value: Value;
  /** What follows a second sign: `ACTIVE` in `status: Status = ACTIVE`. */
  readonly fallback: Value | undefined;
  readonly doc: string | undefined;
}

/** The right-hand side of a property, before anything is known about types. */
export type Value = StringValue | NumberValue | BooleanValue | NullValue | WordValue | ListValue;

/** `'text'` or `"text"`, escapes resolved. */
export interface StringValue extends Located {
  readonly kind: 'String';
  readonly value: string;
}

/** `5`, `-0.5`, `1e9`. `integer` is true when it is written without point and exponent. */
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

/** A bare word, which may turn out a type, an enum value or a text: `User`, `ID!`, `ACTIVE`. */
export interface WordValue extends Located {
  readonly kind: 'Word';
  readonly name: string;
  /** Whether `!` follows. */
  readonly nonNull: boolean;
}

/** `[a, b]`, which may turn out a list type: `[String!]!`. */
export interface ListValue extends Located {
  readonly kind: 'List';
  readonly items: readonly Value[];
  /** Whether `!` follows. */
  readonly nonNull: boolean;
}

/** `f(x)`, `x.f().g()`: each step is a PROCESS edge from the one before it. */
export interface CallChain extends Located {
  readonly kind: 'CallChain';
  /** The names in the order of the data: `x`, `f`, `g`. At least two, unless the text was broken. */
  readonly steps: readonly Name[];
  readonly doc: string | undefined;
}

/** `import './x.gg'` or `import { a, b } from './x.gg'`. */
export interface ImportDeclaration extends Located {
  readonly kind: 'Import';
  /** The names between braces; undefined when the whole file is meant. */
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
