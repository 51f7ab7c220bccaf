import { SemanticTokenModifiers, SemanticTokenTypes } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { remember } from '../../../compiler/graph/maps.js';
import type { Located } from '../../../compiler/syntax/ast.js';
import { endOf, tokenize } from '../../../compiler/syntax/lexer.js';
import * as T from '../../../compiler/syntax/tokens.js';
import type { Segment } from '../document/segment.js';
import { type MentionKind, mentionsOf } from '../names/mentions.js';

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
export const tokenTypes: readonly string[] = [
  ...new Set([...Object.values(typeOfMention), ...typeOfToken.values(), SemanticTokenTypes.comment]),
];

/** The legend of the modifiers, bit by bit. */
export const tokenModifiers: readonly string[] = [
  SemanticTokenModifiers.declaration,
  SemanticTokenModifiers.documentation,
];

/** Its line is relative to the first one of the segment; `type` and the bits of `modifiers` refer to the legend. */
type ColouredToken = Readonly<Record<'line' | 'character' | 'length' | 'type' | 'modifiers', number>>;

const known = new WeakMap<Segment, readonly ColouredToken[]>();

/** The coloured tokens of a segment, in order, cached with the segment. */
export function colouredTokensOf(segment: Segment): readonly ColouredToken[] {
  return remember(known, segment, () => colour(segment));
}

const keywords = new Set(['true', 'false', 'null', 'from']);

interface Stretch extends Located {
  readonly type: string;
  readonly modifiers: number;
}

function colour(segment: Segment): readonly ColouredToken[] {
  const { text, comments } = segment;
  const stretches: Stretch[] = comments.map(({ kind, start, end }) => ({
    start,
    end,
    type: SemanticTokenTypes.comment,
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
    stretches.push({ start, end: endOf(token), type, modifiers: mention?.declares === true ? 1 : 0 });
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
      type: tokenTypes.indexOf(type),
      modifiers,
    }));
    return tokens.filter(({ length }) => length > 0);
  });
}
