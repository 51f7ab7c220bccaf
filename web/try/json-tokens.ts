import { parseJson } from './drafts.js';

/** A part of a JSON text, with the kind that gives its colour. */
export interface JsonPart {
  readonly kind: 'key' | 'string' | 'number' | 'word' | 'plain';
  readonly text: string;
}

/** JSON on lines of its own, as parts to colour, in which numbers keep all their digits; undefined if it is none. */
export function jsonParts(text: string): readonly JsonPart[] | undefined {
  if (parseJson(text) === undefined) return undefined;
  const parts: JsonPart[] = [];
  let depth = 0;
  let plain = '';
  const add = (kind: JsonPart['kind'], part: string) => {
    if (plain !== '') parts.push({ kind: 'plain', text: plain });
    plain = '';
    parts.push({ kind, text: part });
  };
  const breakLine = () => `\n${'  '.repeat(depth)}`;
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[-+.\w]+|[[\]{}:,]/g) ?? [];
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1];
    if (token === '{' || token === '[') {
      const isEmpty = next === '}' || next === ']';
      if (!isEmpty) depth++;
      plain += isEmpty ? token : token + breakLine();
    } else if (token === '}' || token === ']') {
      const isEmpty = tokens[at - 1] === '{' || tokens[at - 1] === '[';
      if (!isEmpty) depth--;
      plain += isEmpty ? token : breakLine() + token;
    } else if (token === ',') plain += token + breakLine();
    else if (token === ':') plain += ': ';
    else if (token.startsWith('"')) add(next === ':' ? 'key' : 'string', token);
    else add(/^[-\d]/.test(token) ? 'number' : 'word', token);
  }
  if (plain !== '') parts.push({ kind: 'plain', text: plain });
  return parts;
}
