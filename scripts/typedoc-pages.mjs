// A plugin for TypeDoc. The pages of docs/ get the title of their first heading and a group of their own, so
// that the Markdown files need no front matter, which other readers would show as text. And `gg` blocks are
// coloured by the grammar that this project ships.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Converter } from 'typedoc';

export async function load(app) {
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, page) => {
    const text = page.content.map((part) => part.text).join('');
    const [, title] = /^# (.+)$/m.exec(text) ?? [];
    if (title !== undefined) page.name = title;
    page.frontmatter.group ??= /^GG\d/.test(page.name) ? 'Diagnostics by code' : 'Guides';
  });
  await colourTopologies();
}

/**
 * TypeDoc takes no languages from outside, but its highlighter takes several grammars from one loader. So
 * the one of GraphQL, which is always loaded here, brings ours along.
 */
async function colourTopologies() {
  const { resolve } = createRequire(import.meta.resolve('typedoc'));
  const { bundledLanguages } = await import(pathToFileURL(resolve('@gerrit0/mini-shiki')).href);
  const url = new URL('../grammar/gg.tmLanguage.json', import.meta.url);
  const grammar = { ...JSON.parse(readFileSync(url, 'utf8')), name: 'gg' };
  const loadGraphQL = bundledLanguages.graphql;
  bundledLanguages.graphql = async () => [...(await loadGraphQL()).default, grammar];
}
