import type { TextEdit } from 'vscode-languageserver';
import { hasErrors } from '../../../base/diagnostics/diagnostic.js';
import { formatTopology } from '../../../compiler/format/format-topology.js';
import type { TopologyFile } from '../workspace/topology-file.js';
import { textEdit } from '../workspace/workspace-edit.js';
import { type Feature, listFor } from './feature.js';

/** Formats a file without syntax errors. Replaces only changed lines, so that cursor and folds stay. */
export const formattingFeature: Feature = {
  capabilities: { documentFormattingProvider: true },
  register: (connection, workspace) => void connection.onDocumentFormatting(listFor(workspace, format)),
};

function format(file: TopologyFile): TextEdit[] {
  const { source } = file;
  const { value, diagnostics } = formatTopology({ name: file.path, text: source });
  return hasErrors(diagnostics) || value === source ? [] : [textEdit(file, difference(source, value))];
}

/** The one replacement of whole lines that turns the first text into the second. */
function difference(old: string, fresh: string) {
  const shorter = Math.min(old.length, fresh.length);
  let same = 0;
  while (same < shorter && old[same] === fresh[same]) same++;
  const start = same === 0 ? 0 : old.lastIndexOf('\n', same - 1) + 1;
  let tail = 0;
  while (tail < shorter - start && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail++;
  // Back to the beginning of a line, so that no half line is replaced.
  while (tail > 0 && old[old.length - tail - 1] !== '\n') tail--;
  return { start, end: old.length - tail, text: fresh.slice(start, fresh.length - tail) };
}
