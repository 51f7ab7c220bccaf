import { type DocumentSymbol, type Range, SymbolKind, type WorkspaceSymbol } from 'vscode-languageserver';
import type { NodeTerm } from '../../../compiler/syntax/ast.js';
import { edgesIn, groupsOf, type WrittenEdge } from '../names/edges.js';
import { mentionsIn } from '../names/names.js';
import { locationOf, rangeOf } from '../workspace/locations.js';
import type { TopologyFile } from '../workspace/topology-file.js';
import { type Feature, listFor } from './feature.js';

/** The outline of a file: the nodes that it declares with their properties, and the edges, in source order. */
export const documentSymbolsFeature: Feature = {
  capabilities: { documentSymbolProvider: true },
  register: (connection, workspace) => void connection.onDocumentSymbol(listFor(workspace, symbolsOf)),
};

/** The declared nodes of all files, searched by a part of their id. */
export const workspaceSymbolsFeature: Feature = {
  capabilities: { workspaceSymbolProvider: true },
  register: (connection, workspace) => {
    connection.onWorkspaceSymbol(({ query }): WorkspaceSymbol[] => {
      const wanted = query.toLowerCase();
      const found: WorkspaceSymbol[] = [];
      for (const path of workspace.paths()) {
        const file = workspace.file(path);
        for (const mention of file === undefined ? [] : mentionsIn([file])) {
          if (mention.kind !== 'node' || !mention.declares) continue;
          if (!mention.name.toLowerCase().includes(wanted)) continue;
          found.push({ name: mention.name, kind: SymbolKind.Class, location: locationOf(mention) });
          if (found.length === maxSymbols) return found;
        }
      }
      return found;
    });
  },
};

const maxSymbols = 1000;

function symbolsOf(file: TopologyFile): DocumentSymbol[] {
  return file.segments.segments.flatMap(({ segment, base }) => {
    const at: PlaceIn = (start, end) => rangeOf(file.document, base + start, base + end);
    const terms = segment.statements.flatMap(groupsOf).flatMap(({ nodes }) => nodes);
    const nodes = terms.filter(({ labels, properties }) => labels.length + properties.length > 0);
    const symbols = [
      ...nodes.map((term) => nodeSymbol(at, term)),
      ...edgesIn(segment).map((edge) => edgeSymbol(at, edge)),
    ];
    return symbols.sort(comparePlaces);
  });
}

/** The range in the file of offsets in a segment. */
type PlaceIn = (start: number, end: number) => Range;

function nodeSymbol(at: PlaceIn, { id, start, end, labels, properties }: NodeTerm): DocumentSymbol {
  const names = labels.map(({ name }) => name);
  const isEnum = names.includes('Enum');
  const kind = names.includes('Scalar') ? SymbolKind.TypeParameter : SymbolKind.Class;
  return {
    name: id,
    detail: names.join(':'),
    kind: isEnum ? SymbolKind.Enum : kind,
    range: at(start, end),
    selectionRange: at(start, start + id.length),
    children: properties.map((property) => ({
      name: property.key,
      kind: isEnum ? SymbolKind.EnumMember : SymbolKind.Field,
      range: at(property.start, property.end),
      selectionRange: at(property.start, property.start + property.key.length),
    })),
  };
}

function edgeSymbol(at: PlaceIn, { type, typeStart, source, target }: WrittenEdge): DocumentSymbol {
  const ids = (group: WrittenEdge['source']) => group.nodes.map(({ id }) => id).join(' | ');
  return {
    name: `${ids(source)} → ${ids(target)}`,
    detail: type,
    kind: edgeKinds.get(type) ?? SymbolKind.Operator,
    range: at(source.start, target.end),
    selectionRange: at(typeStart, typeStart + type.length),
  };
}

const edgeKinds: ReadonlyMap<string, SymbolKind> = new Map(
  Object.entries<SymbolKind>({
    PROCESS: SymbolKind.Function,
    FOLD: SymbolKind.Method,
    FORK: SymbolKind.Event,
    RACE: SymbolKind.Interface,
  }),
);

function comparePlaces({ range: { start: one } }: DocumentSymbol, { range: { start: other } }: DocumentSymbol) {
  return one.line - other.line || one.character - other.character;
}
