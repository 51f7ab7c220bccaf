import { type DocumentHighlight, DocumentHighlightKind, type Location } from 'vscode-languageserver';
import { scopeAt } from '../names/names.js';
import { locationOf, rangeOf } from '../workspace/locations.js';
import type { Feature } from './feature.js';

/** Goes from a mention of a symbol to its declaration, and from an import to its file. */
export const definitionFeature: Feature = {
  capabilities: { definitionProvider: true },
  register: (connection, workspace) => {
    connection.onDefinition(({ textDocument: { uri }, position }): Location[] => {
      const { target, places } = scopeAt(workspace, uri, position) ?? {};
      if (target === undefined || places === undefined) return [];
      if (target.kind === 'label' || target.kind === 'edgeType') return [];
      if (target.kind === 'file') {
        const imported = workspace.file(target.path);
        return imported === undefined ? [] : [{ uri: imported.uri, range: rangeOf(imported.document, 0, 0) }];
      }
      const declarations = places.filter(({ declares }) => declares);
      // A node may be used without being declared; then its first mention stands for the declaration.
      return (declarations.length > 0 ? declarations : places.slice(0, 1)).map(locationOf);
    });
  },
};

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
