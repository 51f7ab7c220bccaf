import { type Expression, type Grammar, isToken, matchesClass } from './ebnf.js';

/**
 * Whether a text is a sentence of the grammar. Rules are tried with all their alternatives (each
 * place of the text is worked out once for each rule); tokens are taken as long as they can be.
 */
export function recognizes(grammar: Grammar, start: string, text: string): boolean {
  const recognizer = new Recognizer(grammar, text);
  return recognizer.endsOf(start, 0).some((end) => recognizer.skipSpace(end) === text.length);
}

/** Whether a text is, from its beginning to its end, one token that the expression describes. */
export function isWhole(grammar: Grammar, token: Expression, text: string): boolean {
  return new Recognizer(grammar, text).longest(token, 0) === text.length;
}

class Recognizer {
  private readonly memo = new Map<string, Map<number, readonly number[]>>();

  constructor(
    private readonly grammar: Grammar,
    private readonly text: string,
  ) {}

  /** Every place where the rule can end when it begins at `at`. */
  endsOf(rule: string, at: number): readonly number[] {
    let known = this.memo.get(rule);
    if (known === undefined) {
      known = new Map();
      this.memo.set(rule, known);
    }
    let ends = known.get(at);
    if (ends === undefined) {
      ends = isToken(rule) ? this.tokenEnds(rule, at) : this.match(this.rule(rule), at);
      known.set(at, ends);
    }
    return ends;
  }

  skipSpace(at: number): number {
    return this.longest(this.rule('SPACE'), at) ?? at;
  }

  private tokenEnds(rule: string, at: number): readonly number[] {
    const end = this.longest(this.rule(rule), this.skipSpace(at));
    return end === undefined ? [] : [end];
  }

  private match(expression: Expression, at: number): readonly number[] {
    switch (expression.kind) {
      case 'reference':
        return this.endsOf(expression.name, at);
      case 'literal': {
        const end = this.longest(expression, this.skipSpace(at));
        return end === undefined ? [] : [end];
      }
      case 'sequence':
        return expression.items.reduce<readonly number[]>(
          (starts, item) => unique(starts.flatMap((start) => this.match(item, start))),
          [at],
        );
      case 'choice':
        return unique(expression.items.flatMap((item) => this.match(item, at)));
      case 'repeat':
        return this.repeated(expression, at);
      case 'class':
      case 'except':
        throw new Error('a character class belongs into a token');
    }
  }

  private repeated(expression: Expression & { kind: 'repeat' }, at: number): readonly number[] {
    const ends = new Set<number>(expression.min === 0 ? [at] : []);
    let fresh = this.match(expression.item, at).filter((end) => !ends.has(end));
    while (fresh.length > 0) {
      for (const end of fresh) ends.add(end);
      if (expression.max === 1) break;
      fresh = unique(fresh.flatMap((start) => this.match(expression.item, start))).filter((end) => !ends.has(end));
    }
    return [...ends];
  }

  /** Inside a token: the one, longest end, or undefined where the token isn't there. */
  longest(expression: Expression, at: number): number | undefined {
    switch (expression.kind) {
      case 'literal':
        return this.literal(expression.text, at);
      case 'class':
        return at < this.text.length && matchesClass(expression, this.text.charCodeAt(at)) ? at + 1 : undefined;
      case 'reference':
        return this.longest(this.rule(expression.name), at);
      case 'sequence':
        return expression.items.reduce<number | undefined>(
          (start, item) => (start === undefined ? undefined : this.longest(item, start)),
          at,
        );
      case 'choice':
        return expression.items
          .map((item) => this.longest(item, at))
          .reduce((one, other) => (one === undefined || (other ?? -1) > one ? other : one), undefined);
      case 'repeat': {
        let end = expression.min === 0 ? at : this.longest(expression.item, at);
        for (let next = end; next !== undefined && expression.max !== 1; ) {
          end = next;
          next = this.longest(expression.item, end);
        }
        return expression.max === 1 ? (this.longest(expression.item, at) ?? end) : end;
      }
      case 'except': {
        const end = this.longest(expression.item, at);
        const exception = this.longest(expression.exception, at);
        return end === undefined || (exception !== undefined && exception >= end) ? undefined : end;
      }
    }
  }

  private literal(text: string, at: number): number | undefined {
    if (!this.text.startsWith(text, at)) return undefined;
    const end = at + text.length;
    return /\w$/.test(text) && /\w/.test(this.text[end] ?? '') ? undefined : end;
  }

  private rule(name: string): Expression {
    const expression = this.grammar.get(name);
    if (expression === undefined) throw new Error(`there is no rule ${name}`);
    return expression;
  }
}

function unique(places: readonly number[]): readonly number[] {
  return places.length < 2 ? places : [...new Set(places)];
}
