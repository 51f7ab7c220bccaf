import type { Range, SemanticTokens, SemanticTokensDelta } from 'vscode-languageserver';
import type { TopologyFile } from '../workspace/topology-file.js';
import { colouredTokensOf, tokenModifiers, tokenTypes } from './coloured-tokens.js';
import type { Feature } from './feature.js';

/** Colours by meaning: node ids, labels, fields, arguments, types, values of enums, edge types, documentation. */
export const semanticTokensFeature: Feature = {
  capabilities: {
    semanticTokensProvider: {
      legend: { tokenTypes: [...tokenTypes], tokenModifiers: [...tokenModifiers] },
      full: { delta: true },
      range: true,
    },
  },
  register: (connection, workspace) => {
    const { semanticTokens } = connection.languages;
    /** The last tokens sent for each file: the next answer is a difference. */
    const told = new WeakMap<TopologyFile, SemanticTokens>();
    let lastId = 0;

    const tokensOf = (file: TopologyFile | undefined): SemanticTokens => {
      if (file === undefined) return { data: [] };
      lastId += 1;
      const tokens = { resultId: String(lastId), data: encode(file) };
      told.set(file, tokens);
      return tokens;
    };

    semanticTokens.on(({ textDocument: { uri } }) => tokensOf(workspace.fileAt(uri)));
    semanticTokens.onDelta(
      ({ textDocument: { uri }, previousResultId }): SemanticTokens | SemanticTokensDelta => {
        const file = workspace.fileAt(uri);
        const previous = file && told.get(file);
        const tokens = tokensOf(file);
        if (previous === undefined || previous.resultId !== previousResultId) return tokens;
        const edit = difference(previous.data, tokens.data);
        return { resultId: String(lastId), edits: edit.deleteCount + edit.data.length === 0 ? [] : [edit] };
      },
    );
    semanticTokens.onRange(({ textDocument: { uri }, range }): SemanticTokens => {
      const file = workspace.fileAt(uri);
      return { data: file === undefined ? [] : encode(file, range) };
    });
  },
};

/** The tokens as the protocol encodes them: each relative to the one before. A range takes whole segments. */
function encode(file: TopologyFile, range?: Range): number[] {
  const { document } = file;
  const from = range === undefined ? 0 : document.offsetAt(range.start);
  const to = range === undefined ? Number.POSITIVE_INFINITY : document.offsetAt(range.end);
  const data: number[] = [];
  let lastLine = 0;
  let lastCharacter = 0;
  for (const { segment, base } of file.segments.segments) {
    if (base + segment.text.length < from || base > to) continue;
    // All but the first segment begin with a line break, so columns need no correction.
    const firstLine = document.positionAt(base).line;
    for (const { line, character, length, type, modifiers } of colouredTokensOf(segment)) {
      const at = firstLine + line;
      data.push(
        at - lastLine,
        at === lastLine ? character - lastCharacter : character,
        length,
        type,
        modifiers,
      );
      lastLine = at;
      lastCharacter = character;
    }
  }
  return data;
}

/** The one replacement of items that turns the first list into the second. */
export function difference<Item>(old: readonly Item[], fresh: readonly Item[]) {
  const shorter = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < shorter && old[start] === fresh[start]) start++;
  let tail = 0;
  while (tail < shorter - start && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail++;
  return { start, deleteCount: old.length - tail - start, data: fresh.slice(start, fresh.length - tail) };
}
