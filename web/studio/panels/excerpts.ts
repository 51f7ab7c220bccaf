import type { Diagnostic } from '../../../src/base/diagnostics/diagnostic.js';
import { createSourceFile, lineMapOf, positionAt } from '../../../src/base/source/source-file.js';
import type { Span } from '../../../src/base/source/span.js';
import { appendTo } from '../../../src/compiler/graph/maps.js';
import type { GqlNodeOrigin, GqlSchema } from '../../../src/compiler/schema/gql-schema.js';
import { endOf, tokenize } from '../../../src/compiler/syntax/lexer.js';
import * as T from '../../../src/compiler/syntax/tokens.js';
import type { StudioSource } from '../../../src/tools/studio/protocol.js';
import type { Subject } from './subject.js';

/** Some lines of a file. */
export interface Excerpt {
  readonly file: string;
  /** The number of the first line, from 1. */
  readonly first: number;
  readonly last: number;
}

/** The places of a subject in the topology: its edges, and the nodes at their ends. */
export function placesOfSubject(schema: GqlSchema, subject: Subject): readonly Span[] {
  const edges =
    subject.kind === 'node'
      ? [...subject.operations, ...schema.unions]
          .flatMap((one) => one.edges)
          .filter(({ from, to }) => to === subject.id || from.includes(subject.id))
      : (subject.kind === 'operation' ? subject.operation : subject.union).edges;
  const ids = subject.kind === 'node' ? [subject.id] : edges.flatMap(({ from, to }) => [...from, to]);
  const nodes = new Set(ids);
  const origins = nodeOrigins(schema).filter(({ id }) => nodes.has(id));
  const ofNodes = origins.map(({ span }) => span);
  const ofEdges = edges.map(({ span }) => span);
  return subject.kind === 'node' ? [...ofNodes, ...ofEdges] : [...ofEdges, ...ofNodes];
}

/**
 * The lines of the statements in which spans begin, with the doc comments above them; overlapping ones are joined. The
 * first place comes first.
 */
export function excerptsOf(sources: readonly StudioSource[], spans: readonly Span[]): readonly Excerpt[] {
  const found: Excerpt[] = [];
  for (const { file, start } of spans) {
    const source = sources.find(({ name }) => name === file);
    if (source === undefined) continue;
    const map = lineMapOf(createSourceFile(file, source.text));
    const lines = linesOf(source.text);
    const statement = statementAt(source.text, start);
    let first = positionAt(map, statement.start).line;
    while (/^\s*\/\/\//.test(lines[first - 2] ?? '')) first--;
    join(found, { file, first, last: positionAt(map, statement.end).line });
  }
  return found;
}

/** The lines of a text. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/);
}

/** The findings whose place begins in an excerpt, by their line, with their index in the list. */
export function findingsIn(excerpt: Excerpt, text: string, findings: readonly Diagnostic[]) {
  const map = lineMapOf(createSourceFile(excerpt.file, text));
  const byLine = new Map<number, number[]>();
  findings.forEach(({ span }, index) => {
    if (span.file !== excerpt.file) return;
    const { line } = positionAt(map, span.start);
    if (line < excerpt.first || line > excerpt.last) return;
    appendTo(byLine, line, index);
  });
  return byLine;
}

/** The statement around a place: a declaration, or edges with the nodes between them. */
function statementAt(text: string, place: number): { readonly start: number; readonly end: number } {
  let statement = { start: place, end: place };
  let depth = 0;
  let before: unknown;
  for (const token of tokenize({ name: '', text }).tokens) {
    const { tokenType, startOffset } = token;
    const begins = tokenType === T.LParen || tokenType === T.Import || tokenType === T.Export;
    if (depth === 0 && begins && before !== T.EdgeClose) {
      if (startOffset > place) break;
      statement = { start: startOffset, end: startOffset };
    }
    statement.end = endOf(token);
    if (opening.has(tokenType)) depth++;
    else if (closing.has(tokenType)) depth = Math.max(0, depth - 1);
    before = tokenType;
  }
  return statement.end < place ? { start: place, end: place } : statement;
}

const opening: ReadonlySet<unknown> = new Set([T.LParen, T.LCurly, T.LSquare, T.EdgeOpen]);
const closing: ReadonlySet<unknown> = new Set([T.RParen, T.RCurly, T.RSquare, T.EdgeClose]);

function join(found: Excerpt[], excerpt: Excerpt): void {
  let { first, last } = excerpt;
  let at = found.length;
  // Joining two excerpts may make them touch a third one.
  for (;;) {
    const touching = found.findIndex(
      (other) => other.file === excerpt.file && other.first <= last + 1 && first <= other.last + 1,
    );
    const other = found[touching];
    if (other === undefined) break;
    found.splice(touching, 1);
    at = Math.min(at, touching);
    first = Math.min(first, other.first);
    last = Math.max(last, other.last);
  }
  found.splice(at, 0, { file: excerpt.file, first, last });
}

function nodeOrigins(schema: GqlSchema): readonly GqlNodeOrigin[] {
  const { objects, interfaces = [], inputs, enums, scalars, problems = [], internal } = schema;
  const types = [...objects, ...interfaces, ...inputs, ...enums, ...scalars, ...problems, ...(internal?.objects ?? [])];
  return types.flatMap(({ node }) => node ?? []);
}
