import { define } from './define.js';

const knownForm = 'Write an edge as (a)-[:TYPE]->(b), with an optional { … } after the type.';

/** `GG1xxx`: syntax errors. */
export const syntaxCodes = {
  GG1001: define<{ found: string; expected: string }>({
    severity: 'error',
    name: 'unexpected-token',
    message: ({ found, expected }) => `Expected ${expected}, found ${found}.`,
  }),
  GG1002: define<{ quote: string }>({
    severity: 'error',
    name: 'unterminated-string',
    message: () => 'Missing closing quote: a string must end on the line where it begins.',
    hint: ({ quote }) => `Add ${quote} at the end. Inside the string, write \\${quote} for a quote.`,
  }),
  GG1003: define<{ found: string }>({
    severity: 'error',
    name: 'unexpected-character',
    message: ({ found }) => `Unexpected ${found}.`,
    hint: () => 'Remove it, or put it inside a quoted string.',
  }),
  GG1004: define({
    severity: 'error',
    name: 'unterminated-comment',
    message: () => 'Missing */: this comment is never closed.',
    hint: () => 'Add */ where the comment ends.',
  }),
  GG1005: define<{ before: string }>({
    severity: 'error',
    name: 'missing-comma',
    message: ({ before }) => `Missing comma before ${before}.`,
  }),
  GG1006: define<{ limit: number }>({
    severity: 'error',
    name: 'nesting-too-deep',
    message: ({ limit }) => `Brackets are nested more than ${limit} levels deep.`,
    hint: () => 'Declare a node for the inner part and refer to it by name.',
  }),
  GG1007: define<{ found: string }>({
    severity: 'error',
    name: 'edge-direction',
    message: ({ found }) => `Expected “->”, found ${found}: an edge always points to the right.`,
    hint: () => `${knownForm} To reverse an edge, swap its two ends.`,
  }),
  GG1008: define({
    severity: 'error',
    name: 'edge-without-type',
    message: () => 'This edge has no type.',
    hint: () => knownForm,
  }),
  GG1009: define({
    severity: 'error',
    name: 'edge-with-several-types',
    message: () => 'An edge must have exactly one type; this one has several.',
    hint: () => 'Write one edge per type.',
  }),
  GG1010: define<{ variable: string }>({
    severity: 'error',
    name: 'edge-variable',
    message: ({ variable }) => `Unexpected name “${variable}”: an edge has a type, but no name.`,
    hint: () => knownForm,
  }),
  GG1011: define<{ name: string }>({
    severity: 'warning',
    name: 'bare-edge-end',
    message: ({ name }) => `Put the edge's endpoint in parentheses: (${name}).`,
  }),
  GG1012: define<{ type: string; upper: string }>({
    severity: 'error',
    name: 'edge-type-case',
    message: ({ type }) => `Edge type “${type}” must be in upper case.`,
    hint: ({ upper }) => `Write ${upper}.`,
  }),
  GG1013: define<{ word: string }>({
    severity: 'error',
    name: 'foreign-block',
    message: ({ word }) =>
      `A “${word} … { }” block is not part of the language. The edges inside the block were kept.`,
    hint: () =>
      'Write a node as (name: Label { key: value }) and an edge as (a)-[:TYPE]->(b), outside any block.',
  }),
  GG1014: define<{ mark: string }>({
    severity: 'error',
    name: 'foreign-comment',
    message: ({ mark }) => `“${mark}” does not begin a comment.`,
    hint: ({ mark }) => `Begin comments with //. Further “${mark}” comments in this file are not reported.`,
  }),
  GG1015: define<{ name: string }>({
    severity: 'error',
    name: 'call-with-arguments',
    message: ({ name }) => `The call ${name}(…) cannot take arguments.`,
    hint: () => 'Write f(x) or x.f(). Put settings on an edge: (x)-[:PROCESS { key: value }]->(f).',
  }),
  GG1016: define<{ name: string; suggestion: string }>({
    severity: 'error',
    name: 'invalid-name',
    message: ({ name }) => `“${name}” is not a valid name: use the letters A–Z and a–z, digits and _.`,
    hint: ({ suggestion }) => `Write ${suggestion}.`,
  }),
  GG1017: define({
    severity: 'error',
    name: 'empty-topology',
    message: () => 'The topology is empty: it has no nodes.',
    hint: () => "Add an edge, for example (root)-[:PROCESS]->(hello { text: 'Hello' }).",
  }),
  GG1018: define({
    severity: 'error',
    name: 'nested-property-map',
    message: () => 'A property map cannot contain another property map.',
    hint: () => 'Declare a node for the inner map and use its type, for example address: Address.',
  }),
  GG1019: define<{ found: string }>({
    severity: 'error',
    name: 'import-form',
    message: ({ found }) => `An import cannot contain ${found}.`,
    hint: () => "Write import './other.gg' or import { a, b } from './other.gg'.",
  }),
  GG1020: define<{ limit: number }>({
    severity: 'error',
    name: 'too-many-errors',
    message: ({ limit }) => `More than ${limit} errors in this file; the rest of it was not read.`,
    hint: () => 'Check that the file is a topology: other formats also use the ending .gg.',
  }),
  GG1021: define<{ found: string; expected: string }>({
    severity: 'error',
    name: 'edge-form',
    message: ({ found, expected }) => `Expected “${expected}”, found “${found}”.`,
    hint: ({ expected }) =>
      expected === ':' ? 'Write a property as key: value or key: Type = value.' : knownForm,
  }),
  GG1022: define({
    severity: 'error',
    name: 'nullable-mark',
    message: () => '“?” is not part of a type: every type is nullable unless a ! follows it.',
    hint: () => 'Write name: String for a nullable field and name: String! for one that is never null.',
  }),
  GG1023: define<{ found: string; list: string }>({
    severity: 'error',
    name: 'list-form',
    message: ({ found, list }) => `Expected ${list}, found ${found}.`,
    hint: () => 'A list type has its items in brackets: [String], or [String!]! without nulls.',
  }),
  GG1024: define<{ found: string }>({
    severity: 'error',
    name: 'quote-form',
    message: ({ found }) => `${found} cannot quote a string.`,
    hint: () => 'Write straight quotes: \'text\' or "text".',
  }),
};
