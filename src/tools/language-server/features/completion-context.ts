import { endOf, type Token, tokenize } from '../../../compiler/syntax/lexer.js';
import * as T from '../../../compiler/syntax/tokens.js';

/** The kind of completion at an offset, by the text before it. */
export type Expectation =
  | { readonly kind: 'statement' | 'target' | 'node' | 'label' | 'edgeType' | 'tag' | 'type' | 'problem' | 'nothing' }
  /** A property; `owner` is a node id or an edge type, `taken` are the keys that the map has already. */
  | { readonly kind: 'key'; readonly of: 'node' | 'edge'; readonly owner: string; readonly taken: readonly string[] }
  | { readonly kind: 'value'; readonly type: string }
  /** A name in an import or export list; for an import, `specifier` says of which file. */
  | { readonly kind: 'listedName'; readonly specifier: string | undefined }
  /** The path of an import; `written` is the part that is typed. */
  | { readonly kind: 'file'; readonly written: string };

/**
 * The kind of completion at an offset, and the offset of the typed word, which a completion replaces. It reads tokens,
 * because the tree lacks the parts that the parser skipped.
 */
export function completionContextAt(
  text: string,
  offset: number,
): { readonly expected: Expectation; readonly start: number } {
  const before = text.slice(0, offset);
  const { tokens, comments } = tokenize({ name: '', text: before });
  const comment = comments.at(-1);
  if (comment?.end === offset && !(comment.kind === 'block' && before.endsWith('*/'))) {
    const tag = comment.kind === 'doc' ? /^\/\/\/\s*(@\w*)$/.exec(before.slice(comment.start))?.[1] : undefined;
    return { expected: { kind: tag === undefined ? 'nothing' : 'tag' }, start: offset - (tag?.length ?? 0) };
  }
  const reader = new Reader(before);
  for (const token of tokens) {
    const { tokenType, startOffset: start, image } = token;
    const isLast = endOf(token) === offset;
    if (isLast && tokenType === T.StringLiteral && !isClosed(image))
      return { expected: reader.insideText(before.slice(start + 1)), start: start + 1 };
    if (isLast && wordLike.has(tokenType)) return { expected: reader.expected(text.slice(offset)), start };
    reader.take(token);
  }
  return { expected: reader.expected(text.slice(offset)), start: offset };
}

type TokenType = Token['tokenType'];

const wordLike = new Set<TokenType>([T.Word, T.NumberLiteral, T.Import, T.Export]);

function isClosed(image: string): boolean {
  return image.length > 1 && image.at(-1) === image[0];
}

/** An open bracket, and the state of its content. */
interface Frame {
  readonly kind: 'group' | 'edge' | 'map' | 'list' | 'names' | 'arguments';
  /** The node of a group or its map, the type of an edge or its map. */
  owner: string;
  /** Whether a map belongs to an edge, or a list of names to an import. */
  readonly isOfEdge: boolean;
  readonly isOfImport: boolean;
  /** The number of colons and equals signs since the last comma. */
  signs: number;
  /** The keys of a map; the last one is the current one. */
  readonly keys: string[];
  /** The word in the type that was written last. */
  type: string;
}

class Reader {
  #stack: Frame[] = [];
  #last: TokenType | undefined;
  #lastEnd = 0;
  #importIsOpen = false;

  constructor(private readonly text: string) {}

  take(token: Token): void {
    this.#takeToken(token.tokenType, token.startOffset, token.image);
    this.#last = token.tokenType;
    this.#lastEnd = endOf(token);
  }

  /** The completion inside an open string literal: the path of an import, or nothing. */
  insideText(written: string): Expectation {
    return this.#importIsOpen && this.#stack.length === 0 ? { kind: 'file', written } : { kind: 'nothing' };
  }

  expected(behind: string): Expectation {
    const top = this.#stack.at(-1);
    if (top === undefined) return this.#atTop();
    switch (top.kind) {
      case 'group':
        if (top.signs > 0) return { kind: this.#last === T.Colon ? 'label' : 'nothing' };
        return { kind: this.#last === T.Word ? 'nothing' : 'node' };
      case 'edge':
        return { kind: this.#last === T.Colon ? 'edgeType' : 'nothing' };
      case 'names': {
        const specifier = top.isOfImport ? /^[^'"\n]*from\s*(['"])(.*?)\1/.exec(behind)?.[2] : undefined;
        return { kind: 'listedName', specifier };
      }
      case 'arguments':
        if (top.signs === 0) return { kind: 'nothing' };
        if (top.signs > 1) return { kind: 'value', type: top.type };
        return { kind: this.#last !== undefined && beforeType.has(this.#last) ? 'type' : 'nothing' };
      case 'list':
      case 'map':
        return this.#inMap();
    }
  }

  #atTop(): Expectation {
    if (this.#last === T.EdgeClose) return { kind: 'target' };
    return this.#importIsOpen ? { kind: 'nothing' } : { kind: 'statement' };
  }

  get #map(): Frame | undefined {
    return this.#stack.findLast(({ kind }) => kind === 'map' || kind === 'arguments');
  }

  #inMap(): Expectation {
    const map = this.#map;
    if (map === undefined) return { kind: 'nothing' };
    const { isOfEdge, owner, keys, signs, type } = map;
    if (signs === 0) return { kind: 'key', of: isOfEdge ? 'edge' : 'node', owner, taken: keys };
    if (signs > 1) return { kind: 'value', type };
    const key = keys.at(-1);
    if (!isOfEdge && key === 'values') return { kind: 'nothing' };
    // After a word, a colon or the end of the property follows.
    if (this.#last === undefined || !beforeType.has(this.#last)) return { kind: 'nothing' };
    return { kind: isOfEdge && key === 'throws' ? 'problem' : 'type' };
  }

  #takeToken(type: TokenType, start: number, text: string): void {
    const top = this.#stack.at(-1);
    switch (type) {
      case T.Import:
        this.#stack = [];
        this.#importIsOpen = true;
        break;
      case T.LParen:
        // The arguments of a field stand behind its name.
        if (top?.kind === 'map' && top.signs === 0 && this.#last === T.Word && !top.isOfEdge) {
          this.#open('arguments');
          break;
        }
        // A parenthesis at the beginning of a line begins a statement, even if brackets before it are open.
        if (this.#isFirstOnLine(start) && !(this.#last !== undefined && continues.has(this.#last))) this.#stack = [];
        this.#importIsOpen = false;
        this.#open('group');
        break;
      case T.EdgeOpen:
        this.#stack = [];
        this.#open('edge');
        break;
      case T.LCurly:
        if (this.#last === T.Import || this.#last === T.Export) this.#open('names');
        else this.#open('map', top?.owner, top?.kind === 'edge');
        break;
      case T.LSquare:
        this.#open('list');
        break;
      case T.StringLiteral:
        if (this.#stack.length === 0) this.#importIsOpen = false;
        break;
      default: {
        const closed = closes.get(type);
        if (closed !== undefined) this.#close(closed);
        else if (top !== undefined) this.#takeInside(top, type, text);
      }
    }
  }

  #takeInside(top: Frame, type: TokenType, text: string): void {
    const map = top.kind === 'list' ? this.#map : top;
    if (wordLike.has(type)) {
      if (top.kind === 'group' && top.signs === 0) top.owner = text;
      else if (top.kind === 'edge') top.owner = text;
      else if (map?.kind === 'map' && map.signs === 0) map.keys.push(text);
      else if ((map?.kind === 'map' || map?.kind === 'arguments') && map.signs === 1) map.type = text;
    } else if (type === T.Colon || type === T.Equals) {
      top.signs += 1;
    } else if (type === T.Comma || type === T.Pipe) {
      if (top.kind !== 'list') top.signs = 0;
    }
  }

  #open(kind: Frame['kind'], owner = '', isOfEdge = false): void {
    const isOfImport = this.#last === T.Import;
    this.#stack.push({ kind, owner, isOfEdge, isOfImport, signs: 0, keys: [], type: '' });
  }

  /** Closes the matching bracket and the unclosed brackets in it. */
  #close(kinds: readonly Frame['kind'][]): void {
    const at = this.#stack.findLastIndex(({ kind }) => kinds.includes(kind));
    if (at !== -1) this.#stack.length = at;
  }

  #isFirstOnLine(start: number): boolean {
    return /[\n\r]/.test(this.text.slice(this.#lastEnd, start));
  }
}

/** After these tokens, a parenthesis on a new line belongs to the open bracket. */
const continues = new Set<TokenType>([T.LParen, T.Pipe, T.EdgeClose]);

/** The brackets that a token closes. */
const closes: ReadonlyMap<TokenType, readonly Frame['kind'][]> = new Map([
  [T.RParen, ['group', 'arguments'] as const],
  [T.EdgeClose, ['edge'] as const],
  [T.RCurly, ['map', 'names'] as const],
  [T.RSquare, ['list'] as const],
]);

const beforeType = new Set<TokenType>([T.Colon, T.Equals, T.LSquare, T.Comma]);
