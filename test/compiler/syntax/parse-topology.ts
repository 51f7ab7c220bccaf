import type { Outcome } from '../../../src/base/diagnostics/diagnostic.js';
import type { SourceFile } from '../../../src/base/source/source-file.js';
import type { GraphAST } from '../../../src/compiler/syntax/ast.js';
import { parse, requireNodes } from '../../../src/compiler/syntax/parse.js';

/** Parses several sources into one tree and reports a topology without a node. Imports are not resolved. */
export function parseTopology(sources: readonly SourceFile[]): Outcome<GraphAST> {
  const outcomes = sources.map(parse);
  const documents = outcomes.map((outcome) => outcome.value);
  const diagnostics = outcomes.flatMap((outcome) => outcome.diagnostics);
  return {
    value: { kind: 'GraphAST', documents },
    diagnostics: diagnostics.concat(requireNodes(documents, diagnostics)),
  };
}
