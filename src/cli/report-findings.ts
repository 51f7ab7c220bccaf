import { readFileSync } from 'node:fs';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { Reporter } from '../diagnostics/render/report.js';
import { textReporter } from '../diagnostics/render/text.js';
import type { SourceFile } from '../source/source-file.js';
import { type CliIo, usesColor } from './io.js';
import { readVersion } from './package-version.js';

/** Writes findings for people to standard error; nothing when there are none. */
export function reportFindings(
  diagnostics: readonly Diagnostic[],
  sources: readonly SourceFile[],
  io: CliIo,
): void {
  io.stderr(
    textReporter.render(
      { diagnostics, sources },
      { color: usesColor(io.env, io.stderrIsTerminal), toolVersion: '', helpPage: () => undefined },
    ),
  );
}

/** Writes findings for programs to standard output, whole even when there are none. */
export function reportToPrograms(
  reporter: Reporter,
  diagnostics: readonly Diagnostic[],
  sources: readonly SourceFile[],
  io: CliIo,
): void {
  io.stdout(
    reporter.render(
      { diagnostics, sources },
      {
        color: false,
        toolVersion: readVersion(io.packageRoot),
        helpPage: (code) => readFileSync(new URL(`docs/diagnostics/${code}.md`, io.packageRoot), 'utf8'),
      },
    ),
  );
}
