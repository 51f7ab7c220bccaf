import { type Html, html } from '../../compiler/emit/text/html.js';
import { pagePolicy } from '../../compiler/emit/text/page-policy.js';
import type { Block, Inline, Inlines, Page, SearchEntry, Target } from './page.js';
import { printPicture } from './picture.js';
import type { Site } from './site.js';

/**
 * The policy of a page: it runs and loads files of the site only, so names and descriptions cannot inject anything.
 * Pages also work from the disk, where browsers treat `'self'` as the folder of the site.
 */
const sitePolicy = pagePolicy({
  script: "'self'",
  style: "'self'",
  img: "'self' data:",
  form: "'self'",
  ancestors: undefined,
});

/** The part of a site that is on every page. */
type Frame = Pick<Site, 'title' | 'areas' | 'further'>;

/** Prints a page as HTML. Links are relative, so that the site works in any folder. */
export function printHtml(site: Frame, page: Page): string {
  const toRoot = '../'.repeat(page.path.split('/').length - 1);
  const name = page.path === 'index' ? site.title : `${page.title} · ${site.title}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${sitePolicy}">
<title>${name}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${toRoot}style.css">
<link rel="alternate" type="text/markdown" href="${toRoot}${page.path}.md">
<script src="${toRoot}site.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="name" href="${toRoot}index.html">${site.title}</a>
<form role="search" action="${toRoot}search.html">
<input type="search" name="q" aria-label="Search" placeholder="Search" autocomplete="off">
<button type="submit">Find</button>
</form>
<button type="button" id="theme" hidden>Theme</button>
</header>
<nav aria-label="Pages">
${navigation(site, page, toRoot)}</nav>
<main id="content">
${
  page.kind === undefined
    ? html``
    : html`<p class="kind ${page.kind.replaceAll(' ', '-')}">${page.kind}</p>
`
}<h1>${page.title}</h1>
${page.blocks.map((block) => printBlock(block, toRoot))}</main>
<footer><a href="${toRoot}${page.path}.md">This page as Markdown</a></footer>
</body>
</html>
`.html;
}

/** The folders; the one of the page is open. */
function navigation({ areas, further }: Frame, { path }: Page, toRoot: string): Html {
  const entry = (text: string, target: string): Html =>
    html`<li><a href="${toRoot}${target}.html"${target === path ? html` aria-current="page"` : html``}>${text}</a></li>
`;
  return html`<ul>
${further.map((page) => entry(page.title, page.path))}${areas.map((area) => {
  const isOpen = path.startsWith(area.path.replace(/index$/, ''));
  const own = isOpen
    ? html`<ul>
${area.pages.map((page) => entry(page.title, page.path))}</ul>
`
    : html``;
  return html`<li><a href="${toRoot}${area.path}.html"${area.path === path ? html` aria-current="page"` : html``}>${area.title}</a>
${own}</li>
`;
})}</ul>
`;
}

function printBlock(block: Block, toRoot: string): Html {
  switch (block.kind) {
    case 'heading':
      return html`<h2 id="${block.id}"><a href="#${block.id}">${block.text}</a></h2>
`;
    case 'paragraph':
      return html`<p>${printInlines(block.content, toRoot)}</p>
`;
    case 'notice':
      return html`<p class="notice" role="note">${printInlines(block.content, toRoot)}</p>
`;
    case 'code':
      return html`<figure><figcaption>${block.label}</figcaption><pre tabindex="0"><code>${block.text}</code></pre></figure>
`;
    case 'list':
      return html`<ul>
${block.items.map(
  (item) => html`<li>${printInlines(item, toRoot)}</li>
`,
)}</ul>
`;
    case 'table':
      return printTable(block, toRoot);
    case 'picture':
      return printPicture(block.drawing, block.label, block.links, toRoot);
    case 'search':
      return html`<p id="found" role="status"></p>
<ul id="results">
${block.entries.map((entry) => printEntry(entry, toRoot))}</ul>
`;
  }
}

function printTable({ label, head, rows }: Extract<Block, { readonly kind: 'table' }>, toRoot: string): Html {
  return html`<section class="scroll" tabindex="0" aria-label="${label}"><table>
<thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
<tbody>
${rows.map(({ id, cells }) => {
  const [first = [], ...rest] = cells;
  return html`<tr${id === undefined ? html`` : html` id="${id}"`}><th scope="row">${printInlines(first, toRoot)}</th>${rest.map((cell) => html`<td>${printInlines(cell, toRoot)}</td>`)}</tr>
`;
})}</tbody>
</table></section>
`;
}

function printEntry({ title, kind, summary, to }: SearchEntry, toRoot: string): Html {
  return html`<li><a href="${hrefOf(to, toRoot)}"><b>${title}</b> <small>${kind}</small> <span>${summary}</span></a></li>
`;
}

function printInlines(inlines: Inlines, toRoot: string): readonly Html[] {
  return inlines.map((inline) => printInline(inline, toRoot));
}

function printInline(inline: Inline, toRoot: string): Html {
  if (typeof inline === 'string') return html`${inline}`;
  switch (inline.kind) {
    case 'code':
      return html`<code>${inline.text}</code>`;
    case 'strong':
      return html`<strong>${inline.text}</strong>`;
    case 'emphasis':
      return html`<em>${inline.text}</em>`;
    case 'link': {
      const shown = inline.isCode === true ? html`<code>${inline.text}</code>` : html`${inline.text}`;
      const rel = 'url' in inline.to ? html` rel="noopener noreferrer"` : html``;
      return html`<a href="${hrefOf(inline.to, toRoot)}"${rel}>${shown}</a>`;
    }
  }
}

function hrefOf(to: Target, toRoot: string): string {
  if ('url' in to) return to.url;
  if ('file' in to) return toRoot + to.file;
  return `${toRoot}${to.page}.html${to.id === undefined ? '' : `#${to.id}`}`;
}
