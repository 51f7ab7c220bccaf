import type { Constraints } from '../../../compiler/graph/value-notes.js';

/** A part of an SQL expression. Names and words are without quotes. */
interface Token {
  readonly kind: 'text' | 'name' | 'word' | 'number' | 'symbol';
  readonly text: string;
}

const token = /\s+|'((?:[^']|'')*)'|"((?:[^"]|"")*)"|([A-Za-z_]\w*)|(\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(::|\[\]|[<>]=|.)/giy;

/** The parts of an expression without casts and parentheses, which PostgreSQL adds when it prints one. */
function tokensOf(sql: string): readonly Token[] {
  const tokens: Token[] = [];
  let isCast = false;
  for (const [, text, name, word, number, symbol] of sql.matchAll(token)) {
    if (symbol === '::') isCast = true;
    else if (text !== undefined) tokens.push({ kind: 'text', text: text.replaceAll("''", "'") });
    else if (name !== undefined) {
      if (!isCast) tokens.push({ kind: 'name', text: name.replaceAll('""', '"') });
    } else if (word !== undefined) {
      // The words of a type may be several: `character varying`, `double precision`.
      const isType: boolean = isCast && !/^(?:and|or|in|between|is|not)$/i.test(word);
      if (!isType) tokens.push({ kind: 'word', text: word });
      isCast = isType;
    } else if (number !== undefined) {
      // In a cast it is the length of the type.
      if (!isCast) tokens.push({ kind: 'number', text: number });
    } else if (symbol !== undefined && !'()'.includes(symbol)) {
      if (isCast && symbol === '[]') continue;
      isCast = false;
      tokens.push({ kind: 'symbol', text: symbol });
    }
  }
  return tokens;
}

/** A constant of SQL: a text, a number as it is written, true, false or null; undefined for another expression. */
export function readConstant(sql: string): { readonly value: string | boolean | null } | undefined {
  const [first, second, ...others] = tokensOf(sql);
  if (first === undefined || others.length > 0) return undefined;
  if (second !== undefined) {
    const isNegative = first.text === '-' && second.kind === 'number';
    return isNegative ? { value: `-${second.text}` } : undefined;
  }
  if (first.kind === 'text' || first.kind === 'number') return { value: first.text };
  const word = first.kind === 'word' ? first.text.toLowerCase() : '';
  if (word === 'true' || word === 'false') return { value: word === 'true' };
  return word === 'null' ? { value: null } : undefined;
}

/** The meaning of a CHECK for one column: its allowed values, or their limits. */
export interface ColumnRule {
  readonly column: string;
  /** Texts in quotes, or numbers. */
  readonly values?: readonly string[];
  readonly areNumbers?: boolean;
  readonly constraints?: Constraints;
}

/** Reads the conditions of a CHECK that a topology can express; undefined if one of them is another. */
export function readCheck(sql: string): readonly ColumnRule[] | undefined {
  const conditions: Token[][] = [[]];
  let isBetween = false;
  for (const one of tokensOf(sql)) {
    const word = one.kind === 'word' ? one.text.toLowerCase() : '';
    if (word === 'and' && !isBetween) conditions.push([]);
    else conditions.at(-1)?.push(one);
    if (word === 'and' || word === 'between') isBetween = word === 'between';
  }
  const rules = conditions.map(ruleOf);
  return rules.every((rule) => rule !== undefined) ? rules : undefined;
}

const limits: Readonly<Record<string, keyof Constraints>> = {
  '>=': 'minimum',
  '<=': 'maximum',
  '>': 'exclusiveMinimum',
  '<': 'exclusiveMaximum',
};

/** A condition: its form, and the column, texts and numbers in it. */
function ruleOf(tokens: readonly Token[]): ColumnRule | undefined {
  const isLength = /^(?:char_)?length$/i.test(tokens[0]?.text ?? '');
  const [subject, ...rest] = isLength ? tokens.slice(1) : tokens;
  if (subject === undefined || (subject.kind !== 'name' && subject.kind !== 'word')) return undefined;
  const column = subject.text;
  const values = rest.filter(({ kind }) => kind === 'text' || kind === 'number');
  const signs = rest.filter((one) => !values.includes(one) && one.text !== ',').map(({ text }) => text);
  const form = signs
    .filter((text) => text !== '-')
    .join(' ')
    .toLowerCase();
  const numbers = values.map((value) => {
    const isNegative = rest[rest.indexOf(value) - 1]?.text === '-';
    return (isNegative ? -1 : 1) * (value.text === '' ? Number.NaN : Number(value.text));
  });
  if (!isLength && (form === 'in' || form === '= any array [ ]' || (form === '=' && values[0]?.kind === 'text'))) {
    const areNumbers = values[0]?.kind === 'number';
    const isOne = values.every(({ kind }) => (kind === 'number') === areNumbers);
    return isOne && !signs.includes('-') ? { column, values: values.map(({ text }) => text), areNumbers } : undefined;
  }
  if (numbers.length === 0 || numbers.some(Number.isNaN)) return undefined;
  const [first = 0, second = 0] = numbers;
  if (isLength) {
    const low = form === '>=' || form === 'between and' ? first : form === '>' ? first + 1 : undefined;
    const high = form === '<=' ? first : form === '<' ? first - 1 : form === 'between and' ? second : undefined;
    if (low === undefined && high === undefined) return undefined;
    const lengths = {
      ...(low !== undefined && { minLength: low }),
      ...(high !== undefined && { maxLength: high }),
    };
    return { column, constraints: lengths };
  }
  if (form === 'between and') return { column, constraints: { minimum: first, maximum: second } };
  if (form === '% =' && second === 0) return { column, constraints: { multipleOf: first } };
  const limit = limits[form];
  return limit === undefined || numbers.length > 1 ? undefined : { column, constraints: { [limit]: first } };
}
