import { printLlms, printLlmsFull } from './llms.js';
import { printHtml } from './print-html.js';
import { printMarkdown } from './print-markdown.js';
import type { Site } from './site.js';

/**
 * The page for unknown addresses. A web server may show it in any folder, so it does not load other files, and links
 * to the index that each folder has.
 */
const notFound = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Page not found</title>
</head>
<body>
<main>
<h1>Page not found</h1>
<p><a href="index.html">Index</a></p>
</main>
</body>
</html>
`;

/** The files of a site by their paths: each page as HTML and as Markdown, the lists for language models. */
export function siteFiles(site: Site): Readonly<Record<string, string>> {
  const names = [
    ...site.pages.flatMap(({ path }) => [`${path}.html`, `${path}.md`]),
    '404.html',
    'llms.txt',
    'llms-full.txt',
  ];
  return Object.fromEntries(names.map((name) => [name, printSiteFile(site, name) as string]));
}

/** One of the files of a site; undefined if it has no such file. */
export function printSiteFile(site: Site, name: string): string | undefined {
  const [, path = '', extension] = /^(.*)\.(\w+)$/.exec(name) ?? [];
  const page = site.byPath.get(path);
  if (page !== undefined && extension === 'html') return printHtml(site, page);
  if (page !== undefined && extension === 'md') return printMarkdown(page);
  switch (name) {
    case '404.html':
      return notFound;
    case 'llms.txt':
      return printLlms(site);
    case 'llms-full.txt':
      return printLlmsFull(site);
    default:
      return undefined;
  }
}
