import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type CodeBlock, codeBlocks } from './markdown.js';

/** One step of a page that a reader follows: a file to write, or a command with what it prints. */
export type Step = { readonly line: number; readonly title: string; readonly text: string } & (
  | { readonly file: string }
  | { readonly output: string }
);

/**
 * The steps of a page: a block with `file=` is written to that file; each command of a `console` block is run, and prints
 * what stands below it.
 */
export function stepsOf(markdown: string): Step[] {
  return codeBlocks(markdown).flatMap((block) => {
    const file = /\bfile=(\S+)/.exec(block.info)?.[1];
    if (file !== undefined) return [{ line: block.line, title: file, text: block.text, file }];
    return block.language === 'console' ? commandsOf(block) : [];
  });
}

function commandsOf({ text, line }: CodeBlock): Step[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      // A command goes on behind a backslash at the end of its line.
      const command = /^(?:.*\\\n)*.*/.exec(part)?.[0] ?? '';
      return { line, title: command, text: command, output: part.slice(command.length).trim() };
    });
}

/** What a command may print: `…` stands for any text. */
export function asPattern(output: string): RegExp {
  const parts = output.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`);
}

/** Installs a package in a folder as a link. */
export function link(folder: string, name: string, target: string): void {
  const place = join(folder, 'node_modules', name);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(target, place);
}
