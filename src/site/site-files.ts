import { printLlms, printLlmsFull } from './llms.js';
import { printHtml } from './print-html.js';
import { printMarkdown } from './print-markdown.js';
import type { Site } from './site.js';

/**
 * The answer to an unknown address, at which a web server may show it in any folder: it needs no other file, and each
 * folder has the index that it links to.
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
  const files: Record<string, string> = {};
  for (const page of site.pages) {
    files[`${page.path}.html`] = printHtml(site, page);
    files[`${page.path}.md`] = printMarkdown(page);
  }
  files['404.html'] = notFound;
  files['llms.txt'] = printLlms(site);
  files['llms-full.txt'] = printLlmsFull(site);
  return files;
}
