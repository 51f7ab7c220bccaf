import type { Page } from './page.js';
import { printMarkdown } from './print-markdown.js';
import type { Site } from './site.js';

/** The list of pages for language models, in the form of https://llmstxt.org: title, summary, sections of links. */
export function printLlms({ title, pages, areas, further }: Site): string {
  const [home] = pages;
  const line = ({ title: name, path, summary }: Page) =>
    `- [${plain(name)}](${path}.md)${summary === '' ? '' : `: ${plain(summary)}`}`;
  const sections = areas.map((area) => `## ${area.title}\n\n${area.pages.map(line).join('\n')}`);
  return `${[
    `# ${plain(title)}`,
    ...(home?.summary ? [`> ${plain(home.summary)}`] : []),
    ...sections,
    `## Optional\n\n${further.map(line).join('\n')}`,
  ].join('\n\n')}\n`;
}

/** The content of all pages but the search in one text. */
export function printLlmsFull({ pages }: Site): string {
  return pages
    .filter(({ path }) => path !== 'search')
    .map((page) => printMarkdown(page))
    .join('\n');
}

function plain(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[[\]<>\\`]/g, '\\$&');
}
