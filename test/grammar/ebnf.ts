/** One expression of the notation. */
export type Expression =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'class'; readonly negated: boolean; readonly ranges: readonly Range[] }
  | { readonly kind: 'reference'; readonly name: string }
  | { readonly kind: 'sequence'; readonly items: readonly Expression[] }
  | { readonly kind: 'choice'; readonly items: readonly Expression[] }
  | { readonly kind: 'repeat'; readonly item: Expression; readonly min: 0 | 1; readonly max: 1 | undefined }
  | { readonly kind: 'except'; readonly item: Expression; readonly exception: Expression };

/** Two code units, both of them inside. */
export type Range = readonly [number, number];

/** The rules of a grammar by name, in the order of the file. */
export type Grammar = ReadonlyMap<string, Expression>;

/** Whether the rule of this name is a token: nothing may stand between its parts. */
export function isToken(name: string): boolean {
  return name === name.toUpperCase();
}

/** Whether a code unit is in a class. */
export function matchesClass(expression: Expression & { kind: 'class' }, code: number): boolean {
  return expression.ranges.some(([low, high]) => low <= code && code <= high) !== expression.negated;
}

/**
 * Reads a grammar in the notation of the XML recommendation: `Name ::= expression`, quoted texts,
 * `[a-z]` and `[^a-z]` with `#xN`, `?`, `*`, `+`, `|`, `A - B`, parentheses and comments.
 * Throws on anything else, and on a rule that is named but not there.
 */
export function readGrammar(text: string): Grammar {
  const reader = new Reader(tokenize(text));
  const grammar = reader.grammar();
  for (const [name, expression] of grammar) {
    for (const used of references(expression)) {
      if (!grammar.has(used)) throw new Error(`${name} uses ${used}, which has no rule`);
    }
  }
  return grammar;
}

/** The names of the rules that an expression uses. */
export function references(expression: Expression): string[] {
  switch (expression.kind) {
    case 'literal':
    case 'class':
      return [];
    case 'reference':
      return [expression.name];
    case 'sequence':
    case 'choice':
      return expression.items.flatMap(references);
    case 'repeat':
      return references(expression.item);
    case 'except':
      return [...references(expression.item), ...references(expression.exception)];
  }
}

const piece = /\s+|\/\*[\s\S]*?\*\/|(::=|'[^']*'|"[^"]*"|\[[^\]]*\]|\w+|[?*+|()-])/y;

function tokenize(text: string): string[] {
  const tokens: string[] = [];
  piece.lastIndex = 0;
  while (piece.lastIndex < text.length) {
    const at = piece.lastIndex;
    const match = piece.exec(text);
    if (match === null) throw new Error(`cannot read the grammar at ${JSON.stringify(text.slice(at, at + 20))}`);
    if (match[1] !== undefined) tokens.push(match[1]);
  }
  return tokens;
}

class Reader {
  private at = 0;

  constructor(private readonly tokens: readonly string[]) {}

  grammar(): Grammar {
    const rules = new Map<string, Expression>();
    while (this.at < this.tokens.length) {
      const name = this.next();
      if (this.next() !== '::=') throw new Error(`${name} is not followed by ::=`);
      if (rules.has(name)) throw new Error(`${name} has two rules`);
      rules.set(name, this.choice());
    }
    return rules;
  }

  private choice(): Expression {
    const items = [this.sequence()];
    while (this.take('|')) items.push(this.sequence());
    return items.length === 1 ? (items[0] as Expression) : { kind: 'choice', items };
  }

  private sequence(): Expression {
    const items: Expression[] = [];
    while (!this.isSequenceOver()) items.push(this.difference());
    if (items.length === 0) throw new Error('an empty sequence');
    return items.length === 1 ? (items[0] as Expression) : { kind: 'sequence', items };
  }

  private isSequenceOver(): boolean {
    const token = this.tokens[this.at];
    return token === undefined || token === '|' || token === ')' || this.tokens[this.at + 1] === '::=';
  }

  private difference(): Expression {
    const item = this.repeated();
    return this.take('-') ? { kind: 'except', item, exception: this.repeated() } : item;
  }

  private repeated(): Expression {
    const item = this.primary();
    if (this.take('?')) return { kind: 'repeat', item, min: 0, max: 1 };
    if (this.take('*')) return { kind: 'repeat', item, min: 0, max: undefined };
    if (this.take('+')) return { kind: 'repeat', item, min: 1, max: undefined };
    return item;
  }

  private primary(): Expression {
    const token = this.next();
    if (token === '(') {
      const inner = this.choice();
      if (!this.take(')')) throw new Error('a parenthesis is not closed');
      return inner;
    }
    if (token.startsWith("'") || token.startsWith('"')) return { kind: 'literal', text: token.slice(1, -1) };
    if (token.startsWith('[')) return characterClass(token.slice(1, -1));
    if (/^\w+$/.test(token)) return { kind: 'reference', name: token };
    throw new Error(`${token} is out of place`);
  }

  private take(token: string): boolean {
    if (this.tokens[this.at] !== token) return false;
    this.at++;
    return true;
  }

  private next(): string {
    const token = this.tokens[this.at++];
    if (token === undefined) throw new Error('the grammar ends too early');
    return token;
  }
}

function characterClass(text: string): Expression {
  const negated = text.startsWith('^');
  const units = [...text.slice(negated ? 1 : 0).matchAll(/#x([0-9A-Fa-f]+)|[\s\S]/g)];
  const codes = units.map(([unit, hex]) => (hex === undefined ? unit.charCodeAt(0) : Number.parseInt(hex, 16)));
  const ranges: Range[] = [];
  for (let at = 0; at < codes.length; at++) {
    const low = codes[at] as number;
    const isRange = units[at + 1]?.[0] === '-' && at + 2 < codes.length;
    ranges.push([low, isRange ? (codes[at + 2] as number) : low]);
    if (isRange) at += 2;
  }
  return { kind: 'class', negated, ranges };
}
