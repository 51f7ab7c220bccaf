import { element } from './pages.js';

/** A longer text stays plain, so that a page appears at once. */
const longest = 60_000;

const text = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`;
const number = String.raw`(?<number>(?<![\w$])-?\d[\d.eE_]*)`;

function words(list: string): string {
  return String.raw`(?<word>\b(?:${list.replaceAll(' ', '|')})\b)`;
}

/** The parts of a language that have a colour, by the class of its code. */
const languages: Readonly<Record<string, RegExp>> = {
  json: RegExp(
    String.raw`(?<key>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\]|\\.)*")|${words('true false null')}|${number}`,
    'g',
  ),
  graphql: RegExp(
    String.raw`(?<comment>#.*)|(?<string>"""[^]*?"""|${text})|${words(
      'query mutation subscription fragment on type input enum union interface scalar implements true false null',
    )}|(?<key>\$\w+)|(?<type>\b[A-Z]\w*)|${number}`,
    'g',
  ),
  sh: /(?<string>'[^']*'|"[^"]*")|(?<word>^curl\b)|(?<key>(?<=\s)--?[\w-]+)/g,
  ts: RegExp(
    String.raw`(?<comment>\/\/.*)|(?<string>${text}|\x60[^\x60]*\x60)|${words(
      'const let await new for of if throw import from',
    )}|${number}`,
    'g',
  ),
  python: RegExp(`(?<comment>#.*)|(?<string>${text})|${words('import for in True False None')}|${number}`, 'g'),
  gg: RegExp(
    String.raw`(?<comment>\/\/.*)|(?<string>${text})|(?<word>(?<=:)[A-Z_]+\b)|(?<type>\b[A-Z]\w*)|(?<key>\b\w+(?=\s*:))|${number}`,
    'g',
  ),
};

/** The parts of a text, each with the class of its colour; undefined for a text without colours. */
export function colour(language: string, source: string): readonly (Node | string)[] | undefined {
  const pattern = languages[language];
  if (pattern === undefined || source.length > longest) return undefined;
  const parts: (Node | string)[] = [];
  let at = 0;
  for (const match of source.matchAll(pattern)) {
    const kind = Object.entries(match.groups ?? {}).find(([, given]) => given !== undefined)?.[0] ?? '';
    parts.push(source.slice(at, match.index), element('span', { class: kind }, match[0]));
    at = match.index + match[0].length;
  }
  return [...parts, source.slice(at)];
}
