// The pages of the project's site, from the Markdown files of the repository: each group of docs/README.md is a folder,
// and every file that a page links to is a page as well.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';
import { createColours, escapeHtml } from './colour-code.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file) => readFileSync(join(root, file), 'utf8');

/** The overview of the documentation. */
const overview = 'docs/README.md';

/**
 * Reads the guides.
 *
 * @returns their groups, all pages in their order, the images that they show, and the function that gives a file in HTML
 *   for a page at another path.
 */
export async function readGuides() {
  const groups = readGroups();
  const pages = new Map();
  const add = (source, path, more) => {
    if (!pages.has(source)) pages.set(source, { source, path, title: titleOf(source), ...more });
  };
  add(overview, 'all', { kind: 'guide' });
  for (const { folder, items } of groups) {
    for (const { source, summary } of items) {
      const isIndex = source === 'docs/diagnostics/README.md';
      const path = isIndex ? 'diagnostics/index' : `${folder}/${basename(source, '.md')}`;
      add(source, path, { kind: 'guide', summary });
    }
  }
  add('CHANGELOG.md', 'reference/changelog', { kind: 'guide', summary: 'The changes of each release.' });
  for (const file of readdirSync(join(root, 'docs/diagnostics')).sort()) {
    if (/^GG\d+\.md$/.test(file))
      add(`docs/diagnostics/${file}`, `diagnostics/${basename(file, '.md')}`, { kind: 'diagnostic' });
  }
  for (const file of readdirSync(join(root, 'docs/examples'), { recursive: true }).sort()) {
    if (/\.\w+$|Dockerfile$/.test(file)) add(`docs/examples/${file}`, `examples/${file}`, { kind: 'file' });
  }
  const colour = await createColours();
  const images = new Set();
  const render = (source, path, below = 0) => {
    const found = { pages, add, images, colour, source, path, below, headings: [] };
    return { html: printFile(found), headings: found.headings };
  };
  // A map grows while it is walked.
  for (const page of pages.values()) Object.assign(page, render(page.source, page.path));
  return { groups, pages: [...pages.values()], images, render };
}

/** The groups of the overview: title, introduction, and the pages with their summaries. */
function readGroups() {
  return read(overview)
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...rest] = section.split('\n');
      const items = [...section.matchAll(/^- \[[^\]]+\]\(([\w/-]+\.md)\): (.+(?:\n {2}\S.*)*)/gm)];
      return {
        title,
        folder: title.toLowerCase(),
        text: rest.join('\n').split(/^- /m)[0].trim(),
        items: items.map(([, file, summary]) => ({ source: `docs/${file}`, summary: plain(summary) })),
      };
    });
}

/** A line of Markdown without its marks. */
function plain(text) {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/\[([^\]]+)\]\([^)]*\)|[`*]/g, '$1');
}

function titleOf(source) {
  if (!source.endsWith('.md')) return source.replace(/^docs\/examples\//, '');
  return plain(/^# (.+)$/m.exec(read(source))?.[1] ?? source);
}

function printFile(found) {
  const text = read(found.source);
  if (found.source.endsWith('.md')) return createMarkdown(found).render(text);
  const language = languages[found.source.split('.').at(-1)] ?? 'text';
  return `<h1>${escapeHtml(titleOf(found.source))}</h1>\n${printCode(found, text, language, basename(found.source))}`;
}

/** The languages of files, by their extensions. */
const languages = { gg: 'gg', mjs: 'javascript', ts: 'typescript', json: 'json', Dockerfile: 'dockerfile' };

/** The words above code without a name. */
const labels = {
  gg: 'Topology',
  console: 'Terminal',
  sh: 'Shell',
  text: 'Output',
  js: 'JavaScript',
  ts: 'TypeScript',
};

function printCode({ colour }, text, language, label) {
  const code = text.replace(/\n$/, '');
  const commands = [...code.matchAll(/^\$ (.+(?:(?<=\\)\n.*)*)/gm)].map(([, command]) => command);
  const copied = language === 'console' ? ` data-copy="${escapeHtml(commands.join('\n'))}"` : '';
  return `<figure${copied}><figcaption>${escapeHtml(label)}</figcaption><pre tabindex="0"><code>${colour(code, language)}</code></pre></figure>\n`;
}

/** Markdown with anchors, coloured code, tables that scroll, and links that stay in the site. */
function createMarkdown(found) {
  const markdown = new MarkdownIt({ html: true });
  const { rules } = markdown.renderer;
  rules.fence = (tokens, at) => {
    const [language = 'text', ...info] = tokens[at].info.trim().split(/\s+/);
    const file = /file=(\S+)/.exec(info.join(' '))?.[1];
    return printCode(found, tokens[at].content, language, file ?? labels[language] ?? (language || 'Output'));
  };
  rules.code_block = (tokens, at) => printCode(found, tokens[at].content, 'text', 'Output');
  rules.heading_open = (tokens, at) => {
    const level = Number(tokens[at].tag.slice(1)) + found.below;
    const text = tokens[at + 1].children.map(({ content }) => content).join('');
    const id = uniqueId(text, found.headings);
    found.headings.push({ id, text, level, said: firstText(tokens, at + 3) });
    return level === 1 ? '<h1>' : `<h${level} id="${id}"><a href="#${id}">`;
  };
  rules.heading_close = (tokens, at) => {
    const level = Number(tokens[at].tag.slice(1)) + found.below;
    return level === 1 ? '</h1>\n' : `</a></h${level}>\n`;
  };
  rules.table_open = () => {
    const label = found.headings.at(-1)?.text ?? found.source;
    return `<div class="scroll" role="group" tabindex="0" aria-label="${escapeHtml(`Table: ${label}`)}"><table>\n`;
  };
  rules.table_close = () => '</table></div>\n';
  rules.th_open = (tokens, at, options, _, self) => {
    if (tokens[at + 1].content === '') tokens[at].tag = tokens[at + 2].tag = 'td';
    return self.renderToken(tokens, at, options);
  };
  rules.link_open = (tokens, at, options, _, self) => {
    const href = tokens[at].attrGet('href');
    if (/^https?:/.test(href)) tokens[at].attrSet('rel', 'noopener noreferrer');
    else tokens[at].attrSet('href', resolveLink(found, href));
    return self.renderToken(tokens, at, options);
  };
  rules.image = (tokens, at, options, env, self) => {
    tokens[at].attrSet('src', imageOf(found, tokens[at].attrGet('src')));
    tokens[at].attrSet('alt', self.renderInlineAsText(tokens[at].children, options, env));
    return self.renderToken(tokens, at, options);
  };
  rules.html_block = (tokens, at) =>
    tokens[at].content.replaceAll(/(src|srcset)="([^"]+)"/g, (_, name, src) => `${name}="${imageOf(found, src)}"`);
  return markdown;
}

/** The anchor of a heading, as code hosts make it. */
function uniqueId(text, headings) {
  const slug = text
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(/\s/g, '-');
  let id = slug;
  for (let number = 1; headings.some((heading) => heading.id === id); number++) id = `${slug}-${number}`;
  return id;
}

/** The beginning of the section, for the search. */
function firstText(tokens, at) {
  const inline = tokens.slice(at, at + 4).find(({ type }) => type === 'inline');
  return plain(inline?.content ?? '').slice(0, 160);
}

function resolveLink({ pages, add, source, path }, href) {
  const [file, anchor] = href.split('#');
  if (file === '') return href;
  const target = join(dirname(source), file);
  if (!existsSync(join(root, target))) throw new Error(`${source} links to ${href}, which does not exist.`);
  add(target, `files/${target.replace(/\.md$/, '')}`, { kind: 'file' });
  const shown = `${relative(dirname(path), pages.get(target).path)}.html`;
  return anchor === undefined ? shown : `${shown}#${anchor}`;
}

function imageOf({ source, path, images }, src) {
  const file = join(dirname(source), src);
  images.add(file);
  return `${'../'.repeat(path.split('/').length - 1)}images/${basename(file)}`;
}
