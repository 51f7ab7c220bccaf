import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver';
import type { Replacement } from '../document/segmented-text.js';
import { rangeOf } from './locations.js';
import type { TopologyFile } from './topology-file.js';
import type { Workspace } from './workspace.js';

/** Replacements in the protocol's form; with file versions, an editor with a newer text refuses the edit. */
export function workspaceEdit(
  { takesVersions, openFiles }: Pick<Workspace, 'takesVersions' | 'openFiles'>,
  replacements: ReadonlyMap<TopologyFile, readonly Replacement[]>,
): WorkspaceEdit {
  const changes = [...replacements].map(([file, list]) => {
    const version = openFiles.includes(file) ? file.document.version : null;
    return { textDocument: { uri: file.uri, version }, edits: list.map((one) => textEdit(file, one)) };
  });
  if (takesVersions) return { documentChanges: changes };
  return { changes: Object.fromEntries(changes.map(({ textDocument, edits }) => [textDocument.uri, edits])) };
}

export function textEdit({ document }: TopologyFile, { start, end, text }: Replacement): TextEdit {
  return { range: rangeOf(document, start, end), newText: text };
}
