import {
  type Range,
  SemanticTokenModifiers,
  type SemanticTokens,
  SemanticTokensBuilder,
  type SemanticTokensDelta,
  SemanticTokenTypes,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { remember } from '../../../compiler/graph/maps.js';
import type { Located } from '../../../compiler/syntax/ast.js';
import { endOf, tokenize } from '../../../compiler/syntax/lexer.js';
import * as T from '../../../compiler/syntax/tokens.js';
import type { Segment } from '../document/segmented-text.js';
import { type MentionKind, mentionsOf } from '../names/mentions.js';
import type { TopologyFile } from '../workspace/topology-file.js';
import type { Feature } from './feature.js';

const typeOfMention: Readonly<Record<MentionKind, SemanticTokenTypes>> = {
  node: SemanticTokenTypes.class,
  label: SemanticTokenTypes.interface,
  field: SemanticTokenTypes.property,
  argument: SemanticTokenTypes.parameter,
  type: SemanticTokenTypes.type,
  value: SemanticTokenTypes.enumMember,
  edgeType: SemanticTokenTypes.event,
  file: SemanticTokenTypes.string,
};

/** The colour of a token without a known meaning: `true`, `from`, and tokens that remain after an error. */
const typeOfToken: ReadonlyMap<unknown, SemanticTokenTypes> = new Map([
  [T.Word, SemanticTokenTypes.keyword],
  [T.Import, SemanticTokenTypes.keyword],
  [T.Export, SemanticTokenTypes.keyword],
  [T.StringLiteral, SemanticTokenTypes.string],
  [T.NumberLiteral, SemanticTokenTypes.number],
]);

/** The legend: the types of tokens, by number. */
const tokenTypes: string[] = [
  ...new Set([...Object.values(typeOfMention), ...typeOfToken.values(), SemanticTokenTypes.comment]),
];

/** The legend of the modifiers, bit by bit. */
const tokenModifiers: string[] = [SemanticTokenModifiers.declaration, SemanticTokenModifiers.documentation];

/** Colours by meaning: node ids, labels, fields, arguments, types, values of enums, edge types, documentation. */
export const semanticTokensFeature: Feature = {
  capabilities: {
    semanticTokensProvider: { legend: { tokenTypes, tokenModifiers }, full: { delta: true }, range: true },
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
    semanticTokens.onDelta(({ textDocument: { uri }, previousResultId }): SemanticTokens | SemanticTokensDelta => {
      const file = workspace.fileAt(uri);
      const previous = file && told.get(file);
      const tokens = tokensOf(file);
      if (previous === undefined || previous.resultId !== previousResultId) return tokens;
      const edit = difference(previous.data, tokens.data);
      return { resultId: String(lastId), edits: edit.deleteCount + edit.data.length === 0 ? [] : [edit] };
    });
    semanticTokens.onRange(({ textDocument: { uri }, range }): SemanticTokens => {
      const file = workspace.fileAt(uri);
      return { data: file === undefined ? [] : encode(file, range) };
    });
  },
};

/** The tokens as the protocol encodes them. A range takes whole segments. */
function encode(file: TopologyFile, range?: Range): number[] {
  const { document } = file;
  const from = range === undefined ? 0 : document.offsetAt(range.start);
  const to = range === undefined ? Number.POSITIVE_INFINITY : document.offsetAt(range.end);
  const builder = new SemanticTokensBuilder();
  for (const { segment, base } of file.segments.segments) {
    if (base + segment.text.length < from || base > to) continue;
    // All but the first segment begin with a line break, so columns need no correction.
    const firstLine = document.positionAt(base).line;
    const tokens = remember(known, segment, () => colour(segment));
    for (const { line, character, length, type, modifiers } of tokens)
      builder.push(firstLine + line, character, length, type, modifiers);
  }
  return builder.build().data;
}

/** Its line is relative to the first one of the segment; `type` and the bits of `modifiers` refer to the legend. */
type ColouredToken = Readonly<Record<'line' | 'character' | 'length' | 'type' | 'modifiers', number>>;

/** The coloured tokens of each segment, in order. */
const known = new WeakMap<Segment, readonly ColouredToken[]>();

const keywords = new Set(['true', 'false', 'null', 'from']);

type Stretch = Located & Pick<ColouredToken, 'type' | 'modifiers'>;

function colour(segment: Segment): readonly ColouredToken[] {
  const { text, comments } = segment;
  const stretches: Stretch[] = comments.map(({ kind, start, end }) => ({
    start,
    end,
    type: tokenTypes.indexOf(SemanticTokenTypes.comment),
    modifiers: kind === 'doc' ? 2 : 0,
  }));
  const mentions = new Map(mentionsOf(segment).map((mention) => [mention.start, mention]));
  for (const token of tokenize({ name: '', text }).tokens) {
    const { tokenType, startOffset: start, image } = token;
    const mention = mentions.get(start);
    const type = mention === undefined ? typeOfToken.get(tokenType) : typeOfMention[mention.kind];
    // A word that remains after an error has no colour.
    const isLeftOver = mention === undefined && tokenType === T.Word && !keywords.has(image);
    if (type === undefined || isLeftOver) continue;
    const modifiers = mention?.declares === true ? 1 : 0;
    stretches.push({ start, end: endOf(token), type: tokenTypes.indexOf(type), modifiers });
  }
  stretches.sort((one, other) => one.start - other.start);
  return inLines(text, stretches);
}

/** A token of the protocol stays on its line, so a comment of several lines becomes several. */
function inLines(text: string, stretches: readonly Stretch[]): readonly ColouredToken[] {
  const document = TextDocument.create('', 'gg', 0, text);
  return stretches.flatMap(({ start, end, type, modifiers }) => {
    const first = document.positionAt(start);
    const parts = text.slice(start, end).split(/\r\n|\n|\r/);
    const tokens = parts.map(({ length }, index) => ({
      line: first.line + index,
      character: index === 0 ? first.character : 0,
      length,
      type,
      modifiers,
    }));
    return tokens.filter(({ length }) => length > 0);
  });
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
