import { type Diagnostic, hasErrors } from '../../../base/diagnostics/diagnostic.js';
import { reporters } from '../../../base/diagnostics/render/reporters.js';
import type { SourceFile } from '../../../base/source/source-file.js';
import type { Analysis } from '../../../compiler/analyze.js';
import { CommandFailure } from './command.js';
import { type CliIo, readPage, readVersion, usesColor } from './io.js';

/** How many findings of each code the text shows. */
const shownOfCode = 5;

/**
 * Prints diagnostics in a format: `text` to standard error, if there are any, machine-readable formats to standard output.
 *
 * @param showsAll whether the text shows every finding, and does not count those beyond the first ones of each code
 */
export function reportFindings(
  diagnostics: readonly Diagnostic[],
  sources: readonly SourceFile[],
  io: CliIo,
  format = 'text',
  showsAll = false,
): void {
  const reporter = reporters.find((candidate) => candidate.format === format);
  if (reporter === undefined) throw new Error(`invariant: no reporter ${format}`);
  const text = reporter.render(
    { diagnostics, sources },
    {
      color: usesColor(io.env, reporter.machine ? io.stdoutIsTerminal : io.stderrIsTerminal),
      columns: io.stderrColumns,
      most: showsAll ? undefined : shownOfCode,
      toolVersion: readVersion(io.packageRoot),
      helpPage: (code) => readPage('diagnostics.md', code, io.packageRoot),
    },
  );
  (reporter.machine ? io.stdout : io.stderr)(text);
}

/** Reports the diagnostics of an analysis, and throws a CommandFailure when there are errors. */
export function requireValid<T extends Pick<Analysis, 'diagnostics' | 'sources'>>(analysis: T, io: CliIo): T {
  if (hasErrors(analysis.diagnostics)) throw new CommandFailure(analysis.diagnostics, analysis.sources);
  reportFindings(analysis.diagnostics, analysis.sources, io);
  return analysis;
}

/** Prints an unexpected error, with its stack when `GG_SVC_DEBUG=1`. */
export function reportBug(error: unknown, io: Pick<CliIo, 'env' | 'stderr'>): void {
  const message = error instanceof Error ? error.message : String(error);
  if (io.env.GG_SVC_DEBUG !== '1') {
    io.stderr(`Internal error in gg-svc: ${message}\nhint: run it again with GG_SVC_DEBUG=1 and report the stack.\n`);
    return;
  }
  io.stderr(`Internal error in gg-svc: ${message}\n${error instanceof Error ? `${error.stack}\n` : ''}`);
}
