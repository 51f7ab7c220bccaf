import type { Diagnostic } from '../../base/diagnostics/diagnostic.js';
import { lineMapOf, type SourceFile } from '../../base/source/source-file.js';
import { describePlace } from '../../base/source/span.js';

/**
 * Thrown if a topology cannot be served: it has errors, one of its files cannot be read, or the resolvers do not fit
 * it. The message lists every error as `file:line:column code message hint`.
 */
export class TopologyError extends Error {
  override readonly name = 'TopologyError';

  /**
   * @param diagnostics - All findings, errors and others.
   * @param sources - The files that the findings point into.
   */
  constructor(
    readonly diagnostics: readonly Diagnostic[],
    sources: readonly SourceFile[],
  ) {
    super(summarize(diagnostics, sources));
  }
}

function summarize(diagnostics: readonly Diagnostic[], sources: readonly SourceFile[]): string {
  const maps = sources.map(lineMapOf);
  const lines = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ span, code, message, hint }) => {
      const line = `${describePlace(maps, span)} ${code} ${message}`;
      return hint === undefined ? line : `${line} ${hint}`;
    });
  return ['The topology cannot be served:', ...lines].join('\n  ');
}
