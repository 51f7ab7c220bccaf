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
  const edits = [...replacements].map(([file, list]) => ({
    file,
    edits: list.map((one) => textEdit(file, one)),
  }));
  if (!takesVersions)
    return { changes: Object.fromEntries(edits.map(({ file, edits }) => [file.uri, edits])) };
  return {
    documentChanges: edits.map(({ file, edits }) => ({
      textDocument: { uri: file.uri, version: openFiles.includes(file) ? file.document.version : null },
      edits,
    })),
  };
}

/** A replacement, as the protocol encodes it. */
export function textEdit({ document }: TopologyFile, { start, end, text }: Replacement): TextEdit {
  return { range: rangeOf(document, start, end), newText: text };
}
