import type { TextEdit } from 'vscode-languageserver';
import { hasErrors } from '../../../base/diagnostics/diagnostic.js';
import { formatTopology } from '../../../compiler/format/format-topology.js';
import type { Replacement } from '../document/segmented-text.js';
import { textEdit } from '../workspace/protocol-forms.js';
import type { TopologyFile } from '../workspace/topology-file.js';
import { type Feature, listFor } from './feature.js';
import { difference } from './semantic-tokens.js';

/** Formats a file without syntax errors. Replaces only changed lines, so that cursor and folds stay. */
export const formattingFeature: Feature = {
  capabilities: { documentFormattingProvider: true },
  register: (connection, workspace) => void connection.onDocumentFormatting(listFor(workspace, format)),
};

function format(file: TopologyFile): TextEdit[] {
  const { source } = file;
  const { value, diagnostics } = formatTopology({ name: file.path, text: source });
  return hasErrors(diagnostics) || value === source ? [] : [textEdit(file, changedLines(source, value))];
}

function changedLines(old: string, fresh: string): Replacement {
  const lines = old.split(/(?<=\n)/);
  const { start: first, deleteCount, data } = difference(lines, fresh.split(/(?<=\n)/));
  const start = lines.slice(0, first).join('').length;
  const { length } = lines.slice(first, first + deleteCount).join('');
  return { start, end: start + length, text: data.join('') };
}
