import pc from 'picocolors';

/**
 * A Markdown page for reading in a terminal: headings stand out, code blocks are indented, and the
 * marks that only a browser needs are gone. Lines are left as they are broken.
 */
export function renderPage(markdown: string, color: boolean): string {
  const colors = pc.createColors(color);
  const lines: string[] = [];
  let fenced = false;
  for (const line of markdown.trimEnd().split('\n')) {
    if (/^\s*```/.test(line)) {
      fenced = !fenced;
      continue;
    }
    if (fenced) {
      lines.push(line === '' ? '' : `    ${colors.cyan(line)}`);
      continue;
    }
    const heading = /^#+\s+(.*)$/.exec(line);
    lines.push(
      heading === null ? renderInline(line, colors) : colors.bold((heading[1] as string).replaceAll('`', '')),
    );
  }
  return `${lines.join('\n')}\n`;
}

function renderInline(line: string, colors: ReturnType<typeof pc.createColors>): string {
  return line
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/\*\*([^*]+)\*\*/g, (_, words: string) => colors.bold(words))
    .replace(/`([^`]+)`/g, (code, inner: string) => (colors.isColorSupported ? colors.cyan(inner) : code));
}
