import { SemanticTokenModifiers, SemanticTokenTypes } from 'vscode-languageserver';
import { remember } from '../../graph/maps.js';
import { endOf, tokenize } from '../../syntax/lexer.js';
import * as T from '../../syntax/tokens.js';
import type { Segment } from '../document/segment.js';
import { type MentionKind, mentionsOf } from '../names/mentions.js';

/** The legend: the types of tokens, by number. */
export const tokenTypes: readonly string[] = [
  SemanticTokenTypes.class,
  SemanticTokenTypes.interface,
  SemanticTokenTypes.property,
  SemanticTokenTypes.parameter,
  SemanticTokenTypes.type,
  SemanticTokenTypes.enumMember,
  SemanticTokenTypes.event,
  SemanticTokenTypes.keyword,
  SemanticTokenTypes.string,
  SemanticTokenTypes.number,
  SemanticTokenTypes.comment,
];

/** The legend of the modifiers, bit by bit. */
export const tokenModifiers: readonly string[] = [
  SemanticTokenModifiers.declaration,
  SemanticTokenModifiers.documentation,
];

/** A coloured part of one line. */
export interface ColouredToken {
  /** Relative to the first line of the segment. */
  readonly line: number;
  readonly character: number;
  readonly length: number;
  /** An index into `tokenTypes`. */
  readonly type: number;
  /** Bits by `tokenModifiers`. */
  readonly modifiers: number;
}

const known = new WeakMap<Segment, readonly ColouredToken[]>();

/** The coloured tokens of a segment, in order, cached with the segment. */
export function colouredTokensOf(segment: Segment): readonly ColouredToken[] {
  return remember(known, segment, () => colour(segment));
}

const typeOfMention: Readonly<Record<MentionKind, string>> = {
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
const typeOfToken: ReadonlyMap<unknown, string> = new Map([
  [T.Word, SemanticTokenTypes.keyword],
  [T.Import, SemanticTokenTypes.keyword],
  [T.Export, SemanticTokenTypes.keyword],
  [T.StringLiteral, SemanticTokenTypes.string],
  [T.NumberLiteral, SemanticTokenTypes.number],
]);

const keywords = new Set(['true', 'false', 'null', 'from']);

interface Stretch {
  readonly start: number;
  readonly end: number;
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
  const tokens: ColouredToken[] = [];
  let line = 0;
  let lineStart = 0;
  let at = 0;
  const advance = (to: number): void => {
    for (; at < to; at++) {
      const code = text.charCodeAt(at);
      if (code !== lineFeed && (code !== carriageReturn || text.charCodeAt(at + 1) === lineFeed)) continue;
      line += 1;
      lineStart = at + 1;
    }
  };
  for (const { start, end, type, modifiers } of stretches) {
    advance(start);
    for (const part of text.slice(start, end).split(/\r\n|\n|\r/)) {
      const length = part.length;
      const character = at - lineStart;
      if (length > 0) tokens.push({ line, character, length, type: tokenTypes.indexOf(type), modifiers });
      advance(Math.min(end, at + length + lineBreakAt(text, at + length)));
    }
  }
  return tokens;
}

function lineBreakAt(text: string, at: number): number {
  return text.startsWith('\r\n', at) ? 2 : 1;
}

const lineFeed = 10;
const carriageReturn = 13;
