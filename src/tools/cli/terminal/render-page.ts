import pc from 'picocolors';

/** Renders a Markdown page for a terminal: bold headings, indented code blocks, no link targets. Line breaks stay. */
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
