import type { Block, Inline, Inlines, Page, Target } from './page.js';

/** Prints a page as Markdown. Text is escaped, so that nothing in a name or a description is read as markup. */
export function printMarkdown(page: Page): string {
  const toRoot = '../'.repeat(page.path.split('/').length - 1);
  const { title, kind, blocks } = page;
  const parts = [
    `# ${escapeText(title)}`,
    ...(kind === undefined ? [] : [escapeText(kind)]),
    ...blocks.map((block) => printBlock(block, toRoot)),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function printBlock(block: Block, toRoot: string): string {
  switch (block.kind) {
    case 'heading':
      return `## ${escapeText(block.text)}`;
    case 'paragraph':
      return printInlines(block.content, toRoot);
    case 'notice':
      return `> ${printInlines(block.content, toRoot)}`;
    case 'code':
      return `${escapeText(block.label)}:\n\n${fenced(block.language, block.text)}`;
    case 'tabs':
      return block.codes.map((code) => printBlock(code, toRoot)).join('\n\n');
    case 'list':
      return block.items.map((item) => `- ${printInlines(item, toRoot)}`).join('\n');
    case 'table': {
      const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
      const rows = block.rows.map(({ cells }) => row(cells.map((cell) => printInlines(cell, toRoot))));
      return [row(block.head), row(block.head.map(() => '---')), ...rows].join('\n');
    }
    case 'picture':
      return '';
  }
}

function printInlines(inlines: Inlines, toRoot: string): string {
  return inlines.map((inline) => printInline(inline, toRoot)).join('');
}

function printInline(inline: Inline, toRoot: string): string {
  if (typeof inline === 'string') return escapeText(inline);
  switch (inline.kind) {
    case 'code':
      return codeSpan(inline.text);
    case 'strong':
      return `**${escapeText(inline.text)}**`;
    case 'emphasis':
      return `*${escapeText(inline.text)}*`;
    case 'link':
      return `[${inline.isCode === true ? codeSpan(inline.text) : escapeText(inline.text)}](${hrefOf(inline.to, toRoot)})`;
  }
}

function hrefOf(to: Target, toRoot: string): string {
  if ('url' in to) return to.url;
  return 'file' in to ? toRoot + to.file : `${toRoot}${to.page}.md`;
}

/** The fence is longer than any run of backticks in the text (CommonMark, section 4.5). */
function fenced(language: string, text: string): string {
  const fence = fenceOf(text, 3);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** As `fenced`, on one line (CommonMark, section 6.1). A bar would end the cell of a table. */
function codeSpan(text: string): string {
  const shown = text.replaceAll(/\s*[\r\n]+\s*/g, ' ').replaceAll('|', '\\|');
  const fence = fenceOf(shown, 1);
  return shown.includes('`') ? `${fence} ${shown} ${fence}` : `${fence}${shown}${fence}`;
}

function fenceOf(text: string, least: number): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length + 1);
  return '`'.repeat(Math.max(least, ...runs));
}

function escapeText(text: string): string {
  return text
    .replaceAll(/[\r\n]+/g, ' ')
    .replace(/[\\`*_[\]<>|~]|&(?=#?\w+;)/g, '\\$&')
    .replace(/^(\s*)([#+-]|\d+(?=[.)]))/, (_, space: string, mark: string) =>
      /\d/.test(mark) ? `${space}${mark}` : `${space}\\${mark}`,
    );
}
