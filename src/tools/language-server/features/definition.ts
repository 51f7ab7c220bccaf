import type { Location } from 'vscode-languageserver';
import { type PlacedMention, scopeAt } from '../names/names.js';
import { rangeOf } from '../workspace/locations.js';
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
        const start = { line: 0, character: 0 };
        return imported === undefined ? [] : [{ uri: imported.uri, range: { start, end: start } }];
      }
      const declarations = places.filter(({ declares }) => declares);
      // A node may be used without being declared; then its first mention stands for the declaration.
      return (declarations.length > 0 ? declarations : places.slice(0, 1)).map(locationOf);
    });
  },
};

/** The location of a mention. */
export function locationOf({ file, start, end }: Pick<PlacedMention, 'file' | 'start' | 'end'>): Location {
  return { uri: file.uri, range: rangeOf(file.document, start, end) };
}
