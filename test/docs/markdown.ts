/** A fenced block of a Markdown page. */
export interface CodeBlock {
  /** The first word after the fence: `gg`, `ts`, `console` … */
  readonly language: string;
  /** What follows it on that line: `file=other.gg`. */
  readonly info: string;
  /** The text between the fences, without its last line break. */
  readonly text: string;
  /** The line of the opening fence, from 1. */
  readonly line: number;
}

/** The fenced blocks of a Markdown page, in order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(/^([ ]*)```(\w+)[ ]*([^\n]*)\n([\s\S]*?)\n\1```$/gm)].map((match) => ({
    language: match[2] ?? '',
    info: match[3] ?? '',
    text: match[4] ?? '',
    line: markdown.slice(0, match.index).split('\n').length,
  }));
}
