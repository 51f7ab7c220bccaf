import { codeText, type Html, html } from '../../compiler/emit/text/html.js';
import { pagePolicy } from '../../compiler/emit/text/page-policy.js';
import { printPicture } from '../diagram/svg.js';
import type { Block, CodeBlock, Inline, Inlines, Page, Target } from './page.js';
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

/** Prints a page as HTML. Links are relative, so that the site works in any folder. */
export function printHtml(site: Pick<Site, 'title'>, page: Page): string {
  const toRoot = rootOf(page.path);
  const kind =
    page.kind === undefined
      ? ''
      : html`<p class="kind ${page.kind.replaceAll(' ', '-')}">${page.kind}</p>
`;
  return printFrame({
    site: site.title,
    path: page.path,
    title: page.title,
    head: html`<link rel="alternate" type="text/markdown" href="${toRoot}${page.path}.md">
`,
    main: html`${kind}<h1>${page.title}</h1>
${page.blocks.map((block) => printBlock(block, toRoot))}`,
    footer: html`<a href="${toRoot}${page.path}.md">This page as Markdown</a>`,
  });
}

function rootOf(path: string): string {
  return '../'.repeat(path.split('/').length - 1);
}

interface Frame {
  /** The title of the site. */
  readonly site: string;
  readonly path: string;
  readonly title: string;
  readonly head: Html;
  readonly main: Html;
  readonly footer: Html;
}

/**
 * Prints the frame of a page, for the sites of APIs and that of the project. The script of the site lists the pages in
 * the navigation: otherwise each page would repeat them all.
 */
export function printFrame({ site, path, title, head, main, footer }: Frame): string {
  const toRoot = rootOf(path);
  const name = path === 'index' ? site : `${title} · ${site}`;
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
${head}<script src="${toRoot}site.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="name" href="${toRoot}index.html">${site}</a>
<form role="search" action="${toRoot}all.html">
<input type="search" aria-label="Search" placeholder="Search" autocomplete="off">
<button type="submit">Find</button>
</form>
<button type="button" id="theme" hidden>Theme</button>
</header>
<nav aria-label="Pages"><a href="${toRoot}all.html">All pages</a></nav>
<main id="content">
${main}</main>
<footer>${footer}</footer>
</body>
</html>
`.html;
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
      return printCode(block);
    case 'tabs':
      return html`<div class="tabs">
${block.codes.map(printCode)}</div>
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
      return printDrawing(block, toRoot);
  }
}

function printCode({ language, label, text }: CodeBlock): Html {
  const known = /^[\w-]+$/.test(language) ? html` class="${language}"` : '';
  return html`<figure><figcaption>${label}</figcaption><pre tabindex="0"><code${known}>${codeText(text)}</code></pre></figure>
`;
}

function printTable({ label, head, rows }: Extract<Block, { readonly kind: 'table' }>, toRoot: string): Html {
  return html`<section class="scroll" tabindex="0" aria-label="${label}"><table>
<thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
<tbody>
${rows.map(({ id, cells }) => {
  const [first = [], ...rest] = cells;
  return html`<tr${id === undefined ? '' : html` id="${id}"`}><th scope="row">${printInlines(first, toRoot)}</th>${rest.map((cell) => html`<td>${printInlines(cell, toRoot)}</td>`)}</tr>
`;
})}</tbody>
</table></section>
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
      const rel = 'url' in inline.to ? html` rel="noopener noreferrer"` : '';
      return html`<a href="${hrefOf(inline.to, toRoot)}"${rel}>${shown}</a>`;
    }
  }
}

function hrefOf(to: Target, toRoot: string): string {
  if ('url' in to) return to.url;
  if ('file' in to) return toRoot + to.file;
  return `${toRoot}${to.page}.html${to.id === undefined ? '' : `#${to.id}`}`;
}

function printDrawing({ drawing, label, links }: Extract<Block, { readonly kind: 'picture' }>, toRoot: string): Html {
  const picture = printPicture(drawing, label, {
    linkOf: (part) => {
      const page = 'kind' in part ? links.nodes.get(part.node ?? '') : links.lines.get(part.coordinate ?? '');
      return page === undefined ? undefined : `${toRoot}${page}.html`;
    },
  });
  return html`<section class="scroll" tabindex="0" aria-label="${label}">${picture}</section>
`;
}
