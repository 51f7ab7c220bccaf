import { define } from '../define.js';

const knownForm = 'Write an edge as (a)-[:TYPE]->(b), with an optional { … } after the type.';

/** `GG1xxx`: the text is not the language. */
export const syntaxCodes = {
  GG1001: define<{ found: string; expected: string }>({
    severity: 'error',
    name: 'unexpected-token',
    message: ({ found, expected }) => `Expected ${expected}, found ${found}.`,
  }),
  GG1002: define<{ quote: string }>({
    severity: 'error',
    name: 'unterminated-string',
    message: () => 'This text has no closing quote on its line.',
    hint: ({ quote }) => `Close it with ${quote}; inside the text, write \\${quote} for the quote itself.`,
  }),
  GG1003: define<{ found: string }>({
    severity: 'error',
    name: 'unexpected-character',
    message: ({ found }) => `${found} has no meaning here.`,
    hint: () => 'Delete it, or put it between quotes if it belongs to a text.',
  }),
  GG1004: define({
    severity: 'error',
    name: 'unterminated-comment',
    message: () => 'This comment is never closed.',
    hint: () => 'Close it with */.',
  }),
  GG1005: define<{ before: string }>({
    severity: 'error',
    name: 'missing-comma',
    message: ({ before }) => `A comma is missing before ${before}.`,
  }),
  GG1006: define<{ limit: number }>({
    severity: 'error',
    name: 'nesting-too-deep',
    message: ({ limit }) => `This is nested more than ${limit} levels deep.`,
    hint: () => 'Name the inner part with a node of its own and refer to it.',
  }),
  GG1007: define<{ found: string }>({
    severity: 'error',
    name: 'edge-direction',
    message: ({ found }) => `An edge points to the right; ${found} does not.`,
    hint: () => `${knownForm} To point the other way, swap the two sides.`,
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
    message: () => 'An edge has one type, this one names several.',
    hint: () => 'Write one edge for each type.',
  }),
  GG1010: define<{ variable: string }>({
    severity: 'error',
    name: 'edge-variable',
    message: ({ variable }) => `An edge has no name of its own; “${variable}” cannot stand before its type.`,
    hint: () => knownForm,
  }),
  GG1011: define<{ name: string }>({
    severity: 'warning',
    name: 'bare-edge-end',
    message: ({ name }) => `The end of an edge stands in parentheses: (${name}).`,
  }),
  GG1012: define<{ type: string; upper: string }>({
    severity: 'error',
    name: 'edge-type-case',
    message: ({ type }) => `An edge type is written in upper case; “${type}” is not.`,
    hint: ({ upper }) => `Write ${upper}.`,
  }),
  GG1013: define<{ word: string }>({
    severity: 'error',
    name: 'foreign-block',
    message: ({ word }) =>
      `A “${word} … { }” block is not part of this language; the edges inside it were taken.`,
    hint: () =>
      'Write a node as (name: Label { key: value }) and an edge as (a)-[:TYPE]->(b), outside any block.',
  }),
  GG1014: define<{ mark: string }>({
    severity: 'error',
    name: 'foreign-comment',
    message: ({ mark }) => `“${mark}” does not begin a comment here.`,
    hint: () => 'Begin a comment with //. Further lines of this kind in the file are passed over.',
  }),
  GG1015: define<{ name: string }>({
    severity: 'error',
    name: 'call-with-arguments',
    message: ({ name }) => `The call ${name}(…) takes no arguments of its own.`,
    hint: () => 'Write f(x) or x.f(); put settings on an edge: (x)-[:PROCESS { key: value }]->(f).',
  }),
  GG1016: define<{ name: string; suggestion: string }>({
    severity: 'error',
    name: 'invalid-name',
    message: ({ name }) => `“${name}” is not a name: names use letters A–Z, digits and _.`,
    hint: ({ suggestion }) => `Write ${suggestion}.`,
  }),
  GG1017: define({
    severity: 'error',
    name: 'empty-topology',
    message: () => 'There is no node in this topology, so there is nothing to project.',
    hint: () => "Begin with an edge, for example (root)-[:PROCESS]->(hello { text: 'Hello' }).",
  }),
  GG1018: define({
    severity: 'error',
    name: 'nested-property-map',
    message: () => 'A property map cannot hold another property map.',
    hint: () => 'Declare a node for the inner map and use its type: address: Address.',
  }),
  GG1019: define<{ found: string }>({
    severity: 'error',
    name: 'import-form',
    message: ({ found }) => `An import does not know ${found}.`,
    hint: () => "Write import './other.gg' or import { a, b } from './other.gg'.",
  }),
  GG1020: define<{ limit: number }>({
    severity: 'error',
    name: 'too-many-errors',
    message: ({ limit }) => `This file has more than ${limit} mistakes; the rest of it was not read.`,
    hint: () => 'Is it a topology? Files of other kinds often share the ending .gg.',
  }),
};
