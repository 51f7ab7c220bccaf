import type { Diagnostic, DiagnosticFix } from '../../base/diagnostics/diagnostic.js';
import { isUrl } from '../../base/source/parse-url.js';
import { createSourceFile } from '../../base/source/source-file.js';
import { ProblemError } from '../../runtime/call/problem.js';
import type { StudioSource } from './protocol.js';

export interface TopologyFiles {
  /** Reads a file; undefined if it does not exist. */
  read(name: string): Promise<string | undefined>;
  write(name: string, text: string): Promise<void>;
}

/** Applies a fix to files as the page shows them, all or none. @throws {ProblemError} If a file has changed. */
export async function applyFix({ fix }: Partial<Diagnostic>, sources: readonly StudioSource[], files: TopologyFiles) {
  if (fix === undefined) throw new ProblemError({ status: 404, detail: 'There is no such fix.' });
  const names = [...new Set(fix.edits.map(({ span }) => span.file))];
  const fixed = await Promise.all(
    names.map(async (name) => {
      const shown = sources.find((source) => source.name === name);
      if (shown === undefined || isUrl(name))
        throw new ProblemError({ status: 403, detail: `${name} is not a file of this topology.` });
      const found = await files.read(name);
      if (found === undefined || createSourceFile(name, found).text !== shown.text) throw hasChanged(name);
      const mark = found.slice(0, found.length - shown.text.length);
      const edits = fix.edits.filter(({ span }) => span.file === name);
      return { name, text: mark + edit(shown.text, edits) };
    }),
  );
  for (const { name, text } of fixed) await files.write(name, text);
}

/** The problem of a file, or of the whole topology, that is no longer as the page shows it. */
export function hasChanged(name: string): ProblemError {
  return new ProblemError({ status: 409, detail: `${name} has changed since the page has shown it.` });
}

/** Makes edits, which do not overlap, from the end to the start. */
function edit(text: string, edits: DiagnosticFix['edits']): string {
  let edited = text;
  for (const { span, text: part } of edits.toSorted((one, other) => other.span.start - one.span.start))
    edited = edited.slice(0, span.start) + part + edited.slice(span.end);
  return edited;
}
