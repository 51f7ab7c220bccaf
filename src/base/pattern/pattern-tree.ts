/** A part of a regular expression. Groups only group: nothing asks for what they captured. */
export type PatternTree =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternTree[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternTree[] }
  | { readonly kind: 'repeat'; readonly of: PatternTree; readonly least: number; readonly most: number }
  | { readonly kind: 'assertion'; readonly assertion: '^' | '$' | '\\b' | '\\B' }
  | { readonly kind: 'look'; readonly ahead: boolean; readonly negated: boolean; readonly of: PatternTree };

/** A set of characters as the expression writes it: `a`, `.`, `\d`, `[^a-z]`. */
export interface CharacterSet {
  readonly source: string;
  readonly has: (codePoint: number) => boolean;
}

/** The part of an expression that cannot be searched in linear time. */
export class PatternError extends Error {}

/**
 * Reads a regular expression that is valid with the flag `u` (ECMA-262, section 22.2.1), and not nested too deep for
 * recursion.
 *
 * @throws {PatternError} For syntax that cannot be matched in linear time.
 */
export function parsePattern(source: string): PatternTree {
  return new PatternReader(source).choice();
}

class PatternReader {
  #at = 0;

  constructor(private readonly source: string) {}

  /** Up to the end of the expression or of a group. */
  choice(): PatternTree {
    const options = [this.#sequence()];
    while (this.#take(/\|/y) !== undefined) options.push(this.#sequence());
    return options.length === 1 ? (options[0] as PatternTree) : { kind: 'choice', options };
  }

  #sequence(): PatternTree {
    const parts: PatternTree[] = [];
    while (this.#at < this.source.length && !/[|)]/.test(this.source[this.#at] as string)) {
      const of = this.#atom();
      const [, sign, least = '', range, most = ''] = this.#take(quantifier) ?? [];
      if (sign === undefined) parts.push(of);
      else if (sign === '*') parts.push({ kind: 'repeat', of, least: 0, most: Infinity });
      else if (sign === '+') parts.push({ kind: 'repeat', of, least: 1, most: Infinity });
      else if (sign === '?') parts.push({ kind: 'repeat', of, least: 0, most: 1 });
      else {
        const end = range === undefined ? Number(least) : most === '' ? Infinity : Number(most);
        parts.push({ kind: 'repeat', of, least: Number(least), most: end });
      }
    }
    return parts.length === 1 ? (parts[0] as PatternTree) : { kind: 'sequence', parts };
  }

  #atom(): PatternTree {
    const [assertion] = this.#take(/[\^$]|\\[bB]/y) ?? [];
    if (assertion !== undefined) return { kind: 'assertion', assertion: assertion as '^' };
    const [reference] = this.#take(/\\(?:[1-9]\d*|k<[^>]*>)/y) ?? [];
    if (reference !== undefined) throw new PatternError(`a back reference (${reference})`);
    if (this.#take(/\(/y) !== undefined) return this.#group();
    const [set] = this.#take(compound) ?? [];
    if (set !== undefined) return { kind: 'set', set: compoundSet(set) };
    const [character = ''] = this.#take(/[\s\S]/uy) ?? [];
    const wanted = character.codePointAt(0);
    return { kind: 'set', set: { source: character, has: (codePoint) => codePoint === wanted } };
  }

  #group(): PatternTree {
    const [prefix = ''] = this.#take(/\?(?:<?[=!]|:|<[^>]*>|[^:)]*[:)])/y) ?? [];
    const [look, behind, sign] = /^\?(<)?([=!])$/.exec(prefix) ?? [];
    if (look === undefined && !/^(?:\?:|\?<.*>)?$/s.test(prefix)) throw new PatternError(`modifiers (${prefix})`);
    const of = this.choice();
    this.#at++;
    return look === undefined ? of : { kind: 'look', ahead: behind === undefined, negated: sign === '!', of };
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.source) ?? undefined;
    if (found !== undefined) this.#at += found[0].length;
    return found;
  }
}

const quantifier = /([*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y;

/** A dot, a class, or an escape sequence of one character; two surrogates are one. */
const compound =
  /\.|\[(?:\\[\s\S]|[^\]\\])*\]|\\(?:u\{[^}]*\}|[pP]\{[^}]*\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[\s\S])/uy;

/** The native engine knows classes and escape sequences; on one character it needs no time. */
function compoundSet(source: string): CharacterSet {
  const expression = new RegExp(`^${source}$`, 'u');
  return { source, has: (codePoint) => expression.test(String.fromCodePoint(codePoint)) };
}
