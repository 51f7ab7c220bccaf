import { type Block, type Inline, type Inlines, plainText } from './page.js';

/**
 * Reads the part of Markdown that descriptions use: paragraphs, lists, fenced code, code, emphasis, and links to
 * `http:` and `https:` addresses. Everything else, HTML among it, is text.
 */
export function readProse(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length > 0) blocks.push(...readParagraph(lines));
    lines = [];
  };
  const all = text.split(/\r\n|\r|\n/);
  for (let at = 0; at < all.length; at++) {
    const line = all[at] as string;
    const fence = /^\s*(`{3,}|~{3,})\s*([\w-]*)\s*$/.exec(line);
    const end = fence === null ? -1 : all.findIndex((other, index) => index > at && other.trim() === fence[1]);
    if (fence !== null && end !== -1) {
      flush();
      const shown = all.slice(at + 1, end).join('\n');
      blocks.push({ kind: 'code', language: fence[2] ?? '', text: shown, label: 'Example' });
      at = end;
    } else if (line.trim() === '') flush();
    else lines.push(line.trim());
  }
  flush();
  return blocks;
}

/** Reads the text of one line or of one cell of a table. */
export function readInlines(text: string): Inlines {
  const inlines: Inline[] = [];
  const parts =
    /`([^`]+)`|\*\*([^*\s](?:[^*]*[^*\s])?)\*\*|(?<![\w*])\*([^*\s](?:[^*]*[^*\s])?)\*(?![\w*])|\[([^[\]]+)\]\((https?:\/\/[^\s()<>]+)\)|<(https?:\/\/[^\s<>]+)>/g;
  let from = 0;
  const add = (piece: string): void => {
    if (piece !== '') inlines.push(piece.replaceAll(/\s+/g, ' '));
  };
  for (const found of text.matchAll(parts)) {
    const [whole, code, strong, emphasis, label, url, address] = found;
    add(text.slice(from, found.index));
    from = found.index + whole.length;
    if (code !== undefined) inlines.push({ kind: 'code', text: code });
    else if (strong !== undefined) inlines.push({ kind: 'strong', text: strong });
    else if (emphasis !== undefined) inlines.push({ kind: 'emphasis', text: emphasis });
    else {
      const target = (url ?? address) as string;
      inlines.push({ kind: 'link', text: label ?? target, to: { url: target } });
    }
  }
  add(text.slice(from));
  return inlines;
}

/** The first sentence or line of a description without its marks, for lists. */
export function summaryOf(description: string | undefined): string {
  const [first = ''] = (description ?? '').trim().split(/\r\n|\r|\n/, 1);
  return plainText(readInlines(first)).trim();
}

function readParagraph(lines: readonly string[]): readonly Block[] {
  const start = lines.findIndex((line) => /^[-*] /.test(line));
  if (start === -1) return [{ kind: 'paragraph', content: readInlines(lines.join('\n')) }];
  const items: string[] = [];
  for (const line of lines.slice(start)) {
    if (/^[-*] /.test(line)) items.push(line.slice(2));
    else items.push(`${items.pop()}\n${line}`);
  }
  const before = lines.slice(0, start);
  return [...(before.length === 0 ? [] : readParagraph(before)), { kind: 'list', items: items.map(readInlines) }];
}
