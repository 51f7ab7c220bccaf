import { type DocumentSymbol, type Position, SymbolKind, type WorkspaceSymbol } from 'vscode-languageserver';
import type { NodeTerm, Property, Statement } from '../../syntax/ast.js';
import { edgesIn, type WrittenEdge } from '../names/edges.js';
import { mentionsIn } from '../names/names.js';
import { rangeOf } from '../workspace/locations.js';
import type { TopologyFile } from '../workspace/topology-file.js';
import { locationOf } from './definition.js';
import type { Feature } from './feature.js';

/** The outline of a file: the nodes that it declares with their properties, and the edges, in source order. */
export const documentSymbolsFeature: Feature = {
  capabilities: { documentSymbolProvider: true },
  register: (connection, workspace) => {
    connection.onDocumentSymbol(({ textDocument: { uri } }): DocumentSymbol[] => {
      const file = workspace.fileAt(uri);
      return file === undefined ? [] : symbolsOf(file);
    });
  },
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
    const terms = segment.statements.flatMap(termsOf);
    const nodes = terms.filter(({ labels, properties }) => labels.length + properties.length > 0);
    const symbols = [
      ...nodes.map((term) => nodeSymbol(file, base, term)),
      ...edgesIn(segment).map((edge) => edgeSymbol(file, base, edge)),
    ];
    return symbols.sort((one, other) => comparePositions(one.range.start, other.range.start));
  });
}

function termsOf(statement: Statement): readonly NodeTerm[] {
  if (statement.kind !== 'Pipeline') return [];
  return [statement.head, ...statement.hops.map(({ target }) => target)].flatMap(({ nodes }) => nodes);
}

function nodeSymbol(file: TopologyFile, base: number, term: NodeTerm): DocumentSymbol {
  const { id, start, end, labels, properties } = term;
  const isEnum = labels.some(({ name }) => name === 'Enum');
  const isScalar = labels.some(({ name }) => name === 'Scalar');
  return {
    name: id,
    detail: labels.map(({ name }) => name).join(':'),
    kind: isEnum ? SymbolKind.Enum : isScalar ? SymbolKind.TypeParameter : SymbolKind.Class,
    range: rangeOf(file.document, base + start, base + end),
    selectionRange: rangeOf(file.document, base + start, base + start + id.length),
    children: properties.map((property) => propertySymbol(file, base, property, isEnum)),
  };
}

function propertySymbol(
  { document }: TopologyFile,
  base: number,
  { key, start, end }: Property,
  isOfEnum: boolean,
): DocumentSymbol {
  return {
    name: key,
    kind: isOfEnum ? SymbolKind.EnumMember : SymbolKind.Field,
    range: rangeOf(document, base + start, base + end),
    selectionRange: rangeOf(document, base + start, base + start + key.length),
  };
}

function edgeSymbol(
  { document }: TopologyFile,
  base: number,
  { type, typeStart, source, target }: WrittenEdge,
): DocumentSymbol {
  const ids = (group: WrittenEdge['source']) => group.nodes.map(({ id }) => id).join(' | ');
  return {
    name: `${ids(source)} → ${ids(target)}`,
    detail: type,
    kind: edgeKinds[type] ?? SymbolKind.Operator,
    range: rangeOf(document, base + source.start, base + target.end),
    selectionRange: rangeOf(document, base + typeStart, base + typeStart + type.length),
  };
}

const edgeKinds: Readonly<Record<string, SymbolKind>> = {
  PROCESS: SymbolKind.Function,
  FOLD: SymbolKind.Method,
  FORK: SymbolKind.Event,
  RACE: SymbolKind.Interface,
};

function comparePositions(one: Position, other: Position): number {
  return one.line - other.line || one.character - other.character;
}
