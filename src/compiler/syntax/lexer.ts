import { type IToken, Lexer } from 'chevrotain';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.js';
import type { SourceFile } from '../../base/source/source-file.js';
import type { Comment } from './ast.js';
import { markKeywords, repairTokens } from './irregular.js';
import { vocabulary } from './tokens.js';

export type Token = IToken;

/** The tokens of one source, its comments, and the lexical mistakes in it. */
export interface TokenList {
  readonly tokens: Token[];
  readonly comments: readonly Comment[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Cuts a source, or a part of it, into tokens. It never fails: it reports a mistake and reads it as the
 * token that it resembles.
 */
export function tokenize(source: SourceFile, from = 0, to = source.text.length): TokenList {
  const text = source.text.slice(from, to);
  lexer ??= new Lexer(vocabulary, lexerOptions);
  const { tokens, groups } = lexer.tokenize(text);
  const irregular = groups.irregular as Token[];
  if (from > 0) for (const list of [tokens, irregular, groups.comments as Token[]]) move(list, from);
  const comments = (groups.comments as Token[]).map(readComment);
  if (irregular.length > 0) return repairTokens(source, tokens, irregular, comments);
  if (text.includes('import') || text.includes('export')) markKeywords(tokens);
  return { tokens, comments, diagnostics: [] };
}

/**
 * The possible end of a part of a text that begins at `from`: after a line that ends with `)`, when the next line that
 * is not empty or a comment begins with `(`. Only a mistake or a block comment can continue beyond such a place, and
 * both show in the tokens before it.
 */
export function endOfPart(text: string, from: number): number {
  if (text.length - from < 2 * partLength) return text.length;
  partEnd.lastIndex = from + partLength;
  return partEnd.test(text) ? partEnd.lastIndex : text.length;
}

/** The minimum length of a part. Its tokens are garbage before the collector would move them. */
const partLength = 1 << 14;
const partEnd = /^[^/\n]*\)[\t ]*\r?\n(?=(?:[\t ]*(?:\/\/[^\n]*)?\n)*\()/gm;

function move(tokens: readonly Token[], by: number): void {
  for (const token of tokens) token.startOffset += by;
}

export function endOf({ startOffset, image }: Token): number {
  return startOffset + image.length;
}

/** Made at the first text, because the analysis of the tokens takes as long as that of the grammar. */
let lexer: Lexer | undefined;

/** `test/compiler/syntax/tokens.test.ts` validates the definition. */
const lexerOptions = {
  positionTracking: 'onlyOffset',
  ensureOptimizations: true,
  skipValidations: true,
} as const;

function readComment({ image, startOffset: start }: Token): Comment {
  const end = start + image.length;
  if (image.startsWith('/*')) return { kind: 'block', start, end };
  // Four slashes are a separator line, not documentation.
  const isDoc = image.startsWith('///') && image[3] !== '/';
  return { kind: isDoc ? 'doc' : 'line', start, end };
}
