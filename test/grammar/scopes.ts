/** A rule of a TextMate grammar, as far as this project uses them. */
export interface ScopeRule {
  readonly name?: string;
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly captures?: Captures;
  readonly beginCaptures?: Captures;
  readonly endCaptures?: Captures;
  readonly patterns?: readonly ScopeRule[];
  readonly include?: string;
}

type Captures = Readonly<Record<string, { readonly name: string }>>;

/** A TextMate grammar. */
export interface ScopeGrammar {
  readonly scopeName: string;
  readonly patterns: readonly ScopeRule[];
  readonly repository: Readonly<Record<string, ScopeRule>>;
}

/** A piece of text and its innermost scope. */
export interface ScopedText {
  readonly text: string;
  readonly scope: string;
}

/**
 * Colours a text as an editor does: line by line, at each place the rule that matches first, a stack
 * of `begin`/`end` rules across lines. It knows what the grammar of this project needs, no more.
 */
export function scopesOf(grammar: ScopeGrammar, source: string): ScopedText[] {
  const found: ScopedText[] = [];
  const stack: ScopeRule[] = [{ patterns: grammar.patterns }];
  for (const line of source.split('\n')) {
    let at = 0;
    // A rule that matches nothing at all would never move on; every step past the end of line closes one.
    for (let steps = 0; steps < 1000; steps++) {
      const open = stack.at(-1) as ScopeRule;
      const next = nextMatch(grammar, open, line, at);
      if (next === undefined) {
        if (at < line.length) found.push({ text: line.slice(at), scope: open.name ?? '' });
        break;
      }
      if (next.start > at) found.push({ text: line.slice(at, next.start), scope: open.name ?? '' });
      at = next.start + next.match[0].length;
      found.push(...capturesOf(next, open));
      if (next.rule === undefined) stack.pop();
      else if (next.rule.begin !== undefined) stack.push(next.rule);
    }
  }
  return found.map(({ text, scope }) => ({ text: text.trim(), scope })).filter(({ text }) => text !== '');
}

/** The rules that a rule can lead to, its includes resolved. */
export function rulesOf(grammar: ScopeGrammar, rule: { readonly patterns?: readonly ScopeRule[] }): ScopeRule[] {
  return (rule.patterns ?? []).flatMap((pattern) => {
    if (pattern.include === undefined) return isGroup(pattern) ? rulesOf(grammar, pattern) : [pattern];
    const named = grammar.repository[pattern.include.slice(1)];
    if (named === undefined) throw new Error(`there is no ${pattern.include}`);
    return rulesOf(grammar, { patterns: [named] });
  });
}

interface Hit {
  /** Undefined for the end of the open rule. */
  readonly rule: ScopeRule | undefined;
  readonly start: number;
  readonly match: RegExpExecArray;
}

function nextMatch(grammar: ScopeGrammar, open: ScopeRule, line: string, at: number): Hit | undefined {
  const end = open.end === undefined ? undefined : hit(undefined, open.end, line, at);
  return rulesOf(grammar, open)
    .map((rule) => hit(rule, rule.match ?? rule.begin ?? '(?!)', line, at))
    .reduce((best, other) => (other === undefined || (best && best.start <= other.start) ? best : other), end);
}

function hit(rule: ScopeRule | undefined, pattern: string, line: string, at: number): Hit | undefined {
  const regex = new RegExp(pattern, 'g');
  regex.lastIndex = at;
  const match = regex.exec(line);
  return match === null ? undefined : { rule, start: match.index, match };
}

function capturesOf({ rule, match }: Hit, open: ScopeRule): ScopedText[] {
  const captures = rule === undefined ? open.endCaptures : (rule.captures ?? rule.beginCaptures);
  const scope = (rule ?? open).name ?? '';
  const texts = [...match].slice(1).map((text, at) => ({ text: text ?? '', scope: captures?.[at + 1]?.name }));
  const named = texts.filter((part): part is ScopedText => part.scope !== undefined);
  return named.length > 0 ? named : [{ text: match[0], scope: captures?.['0']?.name ?? scope }];
}

function isGroup(rule: ScopeRule): boolean {
  return rule.match === undefined && rule.begin === undefined;
}
