import { scan } from '../../syntax/scan.js';
import { TapeBuffer } from '../../syntax/token-tape.js';
import * as T from '../../syntax/tokens.js';

/** What can stand at a place of a text, as far as the text before it tells. */
export type Expectation =
  | { readonly kind: 'statement' | 'target' | 'node' | 'label' | 'edgeType' | 'nothing' }
  /** A property; `owner` is a node id or an edge type, `taken` are the keys that the map has already. */
  | {
      readonly kind: 'key';
      readonly of: 'node' | 'edge';
      readonly owner: string;
      readonly taken: readonly string[];
    }
  | { readonly kind: 'type' }
  /** A value of the type of that name. */
  | { readonly kind: 'value'; readonly type: string }
  /** A name in an import or export list; for an import, `specifier` says of which file. */
  | { readonly kind: 'listedName'; readonly specifier: string | undefined }
  /** The path of an import; `written` is what there is of it. */
  | { readonly kind: 'file'; readonly written: string };

/** A place where something can be completed. */
export interface CompletionContext {
  readonly expected: Expectation;
  /** Where the word begins that is being written: it is what a completion replaces. */
  readonly start: number;
}

/**
 * Finds out what is expected at a place. It looks at tokens, not at the tree: while somebody types, the
 * statement is broken more often than not, and a tree leaves out what it could not read.
 */
export function completionContextAt(text: string, offset: number): CompletionContext {
  const before = text.slice(0, offset);
  const tape = scan({ name: '', text: before }, new TapeBuffer());
  const comment = tape.comments.at(-1);
  if (comment?.end === offset && !(comment.kind === 'block' && before.endsWith('*/'))) {
    return { expected: { kind: 'nothing' }, start: offset };
  }
  const reader = new Reader(before);
  const { types, starts, ends, length } = tape;
  for (let index = 0; index < length; index++) {
    const [type, start, end] = [types[index] as number, starts[index] as number, ends[index] as number];
    const isLast = index === length - 1 && end === offset;
    if (isLast && type === tokens.string && !isClosed(before, start, end)) {
      return { expected: reader.insideText(before.slice(start + 1)), start: start + 1 };
    }
    if (isLast && isWordLike(type)) return { expected: reader.expected(text.slice(offset)), start };
    reader.take(type, start, end);
  }
  return { expected: reader.expected(text.slice(offset)), start: offset };
}

const tokens = {
  word: T.indexOf(T.Word),
  number: T.indexOf(T.NumberLiteral),
  string: T.indexOf(T.StringLiteral),
  import: T.indexOf(T.Import),
  export: T.indexOf(T.Export),
};

function isWordLike(type: number): boolean {
  return type === tokens.word || type === tokens.number || type === tokens.import || type === tokens.export;
}

function isClosed(text: string, start: number, end: number): boolean {
  return end - start > 1 && text[end - 1] === text[start];
}

/** A bracket that is open, and how far what is in it has come. */
interface Frame {
  readonly kind: 'group' | 'edge' | 'map' | 'list' | 'names';
  /** The node of a group or its map, the type of an edge or its map. */
  owner: string;
  /** Whether a map belongs to an edge, or a list of names to an import. */
  readonly isOfEdge: boolean;
  readonly isOfImport: boolean;
  /** How many signs came since the last comma: a colon, an equals sign. */
  signs: number;
  /** The keys of a map, the last of them being the one at hand. */
  readonly keys: string[];
  /** The word in the type that was written last. */
  type: string;
}

class Reader {
  readonly #text: string;
  #stack: Frame[] = [];
  #last = 0;
  #lastEnd = 0;
  #importIsOpen = false;

  constructor(text: string) {
    this.#text = text;
  }

  take(type: number, start: number, end: number): void {
    this.#takeToken(type, start, this.#text.slice(start, end));
    this.#last = type;
    this.#lastEnd = end;
  }

  /** What is expected inside a text that is still open: the path of an import, or nothing known. */
  insideText(written: string): Expectation {
    return this.#importIsOpen && this.#stack.length === 0 ? { kind: 'file', written } : { kind: 'nothing' };
  }

  /** What is expected next. */
  expected(behind: string): Expectation {
    const top = this.#stack.at(-1);
    if (top === undefined) return this.#atTop();
    switch (top.kind) {
      case 'group':
        if (top.signs > 0) return { kind: this.#last === indexOfColon ? 'label' : 'nothing' };
        return { kind: this.#last === tokens.word ? 'nothing' : 'node' };
      case 'edge':
        return { kind: this.#last === indexOfColon ? 'edgeType' : 'nothing' };
      case 'names': {
        const specifier = top.isOfImport ? /^[^'"\n]*from\s*(['"])(.*?)\1/.exec(behind)?.[2] : undefined;
        return { kind: 'listedName', specifier };
      }
      case 'list':
      case 'map':
        return this.#inMap();
    }
  }

  #atTop(): Expectation {
    if (this.#last === T.indexOf(T.EdgeClose)) return { kind: 'target' };
    return this.#importIsOpen ? { kind: 'nothing' } : { kind: 'statement' };
  }

  #inMap(): Expectation {
    const map = this.#stack.findLast(({ kind }) => kind === 'map');
    if (map === undefined) return { kind: 'nothing' };
    const { isOfEdge, owner, keys, signs, type } = map;
    if (signs === 0) return { kind: 'key', of: isOfEdge ? 'edge' : 'node', owner, taken: keys };
    if (signs > 1) return { kind: 'value', type };
    const key = keys.at(-1);
    if (!isOfEdge && key === 'values') return { kind: 'nothing' };
    // Behind a word there is a sign to come, or the end of the property.
    const opens = [T.Colon, T.Equals, T.LSquare, T.Comma].map(T.indexOf);
    return { kind: opens.includes(this.#last) ? 'type' : 'nothing' };
  }

  #takeToken(type: number, start: number, text: string): void {
    const top = this.#stack.at(-1);
    switch (type) {
      case T.indexOf(T.Import):
        this.#stack = [];
        this.#importIsOpen = true;
        break;
      case T.indexOf(T.LParen):
        // A parenthesis at the beginning of a line begins a statement, whatever was left open before.
        if (this.#isFirstOnLine(start) && !continues.has(this.#last)) this.#stack = [];
        this.#importIsOpen = false;
        this.#open('group');
        break;
      case T.indexOf(T.EdgeOpen):
        this.#stack = [];
        this.#open('edge');
        break;
      case T.indexOf(T.LCurly):
        if (this.#last === tokens.import || this.#last === tokens.export) this.#open('names');
        else this.#open('map', top?.owner, top?.kind === 'edge');
        break;
      case T.indexOf(T.LSquare):
        this.#open('list');
        break;
      case T.indexOf(T.RParen):
        this.#close('group');
        break;
      case T.indexOf(T.EdgeClose):
        this.#close('edge');
        break;
      case T.indexOf(T.RCurly):
        this.#close('map', 'names');
        break;
      case T.indexOf(T.RSquare):
        this.#close('list');
        break;
      case tokens.string:
        if (this.#stack.length === 0) this.#importIsOpen = false;
        break;
      default:
        if (top !== undefined) this.#takeInside(top, type, text);
    }
  }

  #takeInside(top: Frame, type: number, text: string): void {
    const map = top.kind === 'list' ? this.#stack.findLast(({ kind }) => kind === 'map') : top;
    if (isWordLike(type)) {
      if (top.kind === 'group' && top.signs === 0) top.owner = text;
      else if (top.kind === 'edge') top.owner = text;
      else if (map?.kind === 'map' && map.signs === 0) map.keys.push(text);
      else if (map?.kind === 'map' && map.signs === 1) map.type = text;
    } else if (type === indexOfColon || type === T.indexOf(T.Equals)) {
      top.signs += 1;
    } else if (type === T.indexOf(T.Comma) || type === T.indexOf(T.Pipe)) {
      if (top.kind !== 'list') top.signs = 0;
    }
  }

  #open(kind: Frame['kind'], owner = '', isOfEdge = false): void {
    const isOfImport = this.#last === tokens.import;
    this.#stack.push({ kind, owner, isOfEdge, isOfImport, signs: 0, keys: [], type: '' });
  }

  /** Closes the bracket that is meant, and whatever was forgotten in it. */
  #close(...kinds: readonly Frame['kind'][]): void {
    const at = this.#stack.findLastIndex(({ kind }) => kinds.includes(kind));
    if (at !== -1) this.#stack.length = at;
  }

  #isFirstOnLine(start: number): boolean {
    return /[\n\r]/.test(this.#text.slice(this.#lastEnd, start));
  }
}

const indexOfColon = T.indexOf(T.Colon);

/** After these a parenthesis on a new line belongs to what is open. */
const continues = new Set([T.LParen, T.Pipe, T.EdgeClose].map(T.indexOf));
