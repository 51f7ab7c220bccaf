// Colours the code of pages while they are built, with the grammars of editors; that of `gg` is the project's own. The
// colours are classes, which the style of static sites has for light and dark.

import { readFileSync } from 'node:fs';
import {
  bundledLanguages,
  codeToTokensWithThemes,
  createOnigurumaEngine,
  createShikiInternal,
  loadBuiltinWasm,
} from '@gerrit0/mini-shiki';

/** The class of each scope. */
const scopes = {
  comment: ['comment', 'punctuation.definition.comment'],
  string: ['string', 'constant.other.symbol'],
  number: ['constant.numeric'],
  word: ['keyword', 'storage', 'constant.language', 'support.function.builtin'],
  type: ['entity.name.type', 'entity.name.class', 'support.type', 'support.class'],
  key: [
    'support.type.property-name',
    'entity.name.tag',
    'variable.other.property',
    'meta.object-literal.key',
    'entity.other.attribute-name',
    'variable.parameter',
    'constant.other.option',
  ],
};
const classes = Object.keys(scopes);
const colourOf = (at) => `#0000${(at + 16).toString(16)}`;

const theme = {
  name: 'site',
  type: 'light',
  colors: { 'editor.foreground': '#000000' },
  tokenColors: Object.values(scopes).map((scope, at) => ({ scope, settings: { foreground: colourOf(at) } })),
};

const grammar = JSON.parse(readFileSync(new URL('../grammar/gg.tmLanguage.json', import.meta.url), 'utf8'));
const names = ['console', 'graphql', 'http', 'json', 'sh', 'javascript', 'typescript', 'tsx', 'yaml', 'toml'];
const others = ['dockerfile', 'ini', 'lua', 'nginx', 'python'];

/** Makes the function that gives code its colours, as HTML; code of another language stays plain. */
export async function createColours() {
  await loadBuiltinWasm();
  const langs = [...names, ...others].map((name) => bundledLanguages[name]);
  const shiki = await createShikiInternal({
    engine: createOnigurumaEngine(),
    langs: [...langs, { ...grammar, name: 'gg' }],
    themes: [theme],
  });
  const known = new Set(shiki.getLoadedLanguages());
  return (text, lang) => {
    if (!known.has(lang)) return escapeHtml(text);
    const lines = codeToTokensWithThemes(shiki, text, { lang, themes: { site: 'site' } });
    return lines.map((tokens) => tokens.map(printToken).join('')).join('\n');
  };
}

function printToken({ content, variants }) {
  const name = classes[classes.findIndex((_, at) => colourOf(at) === variants.site.color?.toLowerCase())];
  return name === undefined ? escapeHtml(content) : `<span class="${name}">${escapeHtml(content)}</span>`;
}

/** Escapes a text for content and attributes. */
export function escapeHtml(text) {
  return text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);
}
