import { type DocumentHighlight, DocumentHighlightKind, type Location } from 'vscode-languageserver';
import { scopeAt } from '../names/names.js';
import { rangeOf } from '../workspace/locations.js';
import { locationOf } from './definition.js';
import type { Feature } from './feature.js';

/** All references to the symbol at the cursor: ids, the types derived from them, fields, values, labels. */
export const referencesFeature: Feature = {
  capabilities: { referencesProvider: true },
  register: (connection, workspace) => {
    connection.onReferences(({ textDocument: { uri }, position, context }): Location[] =>
      (scopeAt(workspace, uri, position)?.places ?? [])
        .filter(({ declares }) => context.includeDeclaration || !declares)
        .map(locationOf),
    );
  },
};

/** The same places in the current file. */
export const highlightFeature: Feature = {
  capabilities: { documentHighlightProvider: true },
  register: (connection, workspace) => {
    connection.onDocumentHighlight(({ textDocument: { uri }, position }): DocumentHighlight[] => {
      const { mention, places = [] } = scopeAt(workspace, uri, position) ?? {};
      return places
        .filter(({ file }) => file === mention?.file)
        .map(({ start, end, declares, file: { document } }) => ({
          range: rangeOf(document, start, end),
          kind: declares ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
        }));
    });
  },
};
