import { readFileSync } from 'node:fs';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import { reporters } from '../../diagnostics/render/reporters.js';
import type { SourceFile } from '../../source/source-file.js';
import { type CliIo, usesColor } from './io.js';
import { readVersion } from './package-version.js';

/** Writes findings for people to standard error; nothing when there are none. */
export function reportFindings(
  diagnostics: readonly Diagnostic[],
  sources: readonly SourceFile[],
  io: CliIo,
): void {
  reportAs('text', diagnostics, sources, io);
}

/**
 * Writes findings in one of the formats of the registry: those for people go to standard error, those
 * for programs to standard output.
 */
export function reportAs(
  format: string,
  diagnostics: readonly Diagnostic[],
  sources: readonly SourceFile[],
  io: CliIo,
): void {
  const reporter = reporters.find((candidate) => candidate.format === format);
  if (reporter === undefined) throw new Error(`invariant: there is no reporter ${format}`);
  const text = reporter.render(
    { diagnostics, sources },
    {
      color: usesColor(io.env, reporter.machine ? io.stdoutIsTerminal : io.stderrIsTerminal),
      toolVersion: readVersion(io.packageRoot),
      helpPage: (code) => readFileSync(new URL(`docs/diagnostics/${code}.md`, io.packageRoot), 'utf8'),
    },
  );
  (reporter.machine ? io.stdout : io.stderr)(text);
}
