/**
 * A short text that a regular expression matches; undefined if none was found. It takes the first alternative, the
 * fewest repetitions and other characters of a class one after another: `^[A-Z]{3}-\d{2}$` gives `ABC-45`. Lookarounds
 * and back references are left out, so the text is tried at the end.
 */
export function patternSample(pattern: string): string | undefined {
  const sample = new Sampler(pattern).alternatives();
  return sample.length <= longest && new RegExp(pattern, 'u').test(sample) ? sample : undefined;
}

const longest = 1000;

/** Reads an expression that is known to be valid, with the flag `u`. */
class Sampler {
  readonly #pattern: string;
  #at = 0;
  /** The number of characters that were taken from classes. */
  #taken = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  /** Up to the end of the expression or of a group; what follows a bar is read, and dropped. */
  alternatives(): string {
    const first = this.#sequence();
    while (this.#accept('|')) this.#sequence();
    return first;
  }

  #sequence(): string {
    let text = '';
    while (this.#at < this.#pattern.length && !/[|)]/.test(this.#pattern[this.#at] as string)) {
      const begin = this.#at;
      let one = this.#atom();
      const least = this.#least();
      // The atom is read again for each repetition, so that a class gives other characters.
      const end = this.#at;
      for (let count = 1; count < least && text.length + one.length <= longest; count++) {
        this.#at = begin;
        one += this.#atom();
      }
      this.#at = end;
      if (least > 0) text += one;
    }
    return text;
  }

  #atom(): string {
    const character = this.#pattern[this.#at++] as string;
    if (character === '^' || character === '$') return '';
    if (character === '.') return this.#from('abc');
    if (character === '(') return this.#group();
    if (character === '[') return this.#class();
    return character === '\\' ? this.#escape() : character;
  }

  #group(): string {
    const [prefix = ''] = /^\?(?:<?[=!]|:|<\w+>)/.exec(this.#pattern.slice(this.#at)) ?? [];
    this.#at += prefix.length;
    const text = this.alternatives();
    this.#at++;
    return /[=!]$/.test(prefix) ? '' : text;
  }

  #class(): string {
    const [body = ''] = /^(?:\\.|[^\]\\])*/u.exec(this.#pattern.slice(this.#at)) ?? [];
    this.#at += body.length + 1;
    const all = new RegExp(`[${body}]`, 'u');
    return this.#from([...printable].filter((character) => all.test(character)).join(''));
  }

  #escape(): string {
    const [name = ''] =
      /^(?:[pPu]\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|.)/u.exec(this.#pattern.slice(this.#at)) ?? [];
    this.#at += name.length;
    if (/^[bB\d]/.test(name)) return '';
    const all = new RegExp(`^\\${name}$`, 'u');
    return this.#from([...printable].filter((character) => all.test(character)).join(''));
  }

  /** The least number of repetitions that the quantifier at this place allows. */
  #least(): number {
    const [quantifier = '', braces] =
      /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(this.#pattern.slice(this.#at)) ?? [];
    this.#at += quantifier.length;
    if (braces !== undefined) return Number(braces);
    return quantifier.startsWith('*') || quantifier.startsWith('?') ? 0 : 1;
  }

  #accept(character: string): boolean {
    const found = this.#pattern[this.#at] === character;
    if (found) this.#at++;
    return found;
  }

  #from(characters: string): string {
    return characters === '' ? '' : (characters[this.#taken++ % characters.length] as string);
  }
}

const printable =
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890-_.:/ @#+*!?&%$=,;~\'"()[]{}<>|\\^`\t\n';
