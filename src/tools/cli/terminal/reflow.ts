import { stripVTControlCharacters } from 'node:util';
import { displayWidth } from '../../../base/diagnostics/render/display-text.js';

/**
 * Breaks a text anew for the width of a terminal: its paragraphs, and indented lines that are too long. Commands and lines
 * of tables stay. Without a width, all lines stay.
 */
export function reflow(text: string, columns: number | undefined): string {
  if (columns === undefined) return text;
  const lines: string[] = [];
  let paragraph: string | undefined;
  const end = (): void => {
    if (paragraph !== undefined) lines.push(wrapLine(paragraph, columns));
    paragraph = undefined;
  };
  for (const line of text.split('\n')) {
    const isItem = /^(?:- |\d+\. )/.test(line);
    const continues = paragraph !== undefined && /^ {0,3}[^\s|#]/.test(line) && !isItem;
    // The lines of an item are indented; other indented lines stand for themselves.
    if (continues && (/^\S/.test(line) || /^(?:- |\d+\. )/.test(paragraph ?? ''))) paragraph += ` ${line.trim()}`;
    else {
      end();
      if (isItem || /^[^\s|#]/.test(line)) paragraph = line;
      else lines.push(wrapLine(line, columns));
    }
  }
  end();
  return lines.join('\n');
}

/**
 * Further lines begin below the text: behind the mark of an item, or the name in a list of names. What is said of a command
 * gets lines of its own.
 */
function wrapLine(line: string, columns: number): string {
  if (widthOf(line) <= columns) return line;
  const [, command, said] = /^(\s*\$ .*?\S) {2,}(\S.*)$/.exec(line) ?? [];
  if (command !== undefined) return `${command}\n${wrapLine(`      ${said}`, columns)}`;
  if (/^\s*[$|]/.test(line)) return line;
  const [head = ''] = /^(?: {2,}\S+ {2,}|- |\d+\. |\s*)/.exec(line) ?? [];
  const indent = ' '.repeat(widthOf(head) > columns / 2 ? 2 : widthOf(head));
  let column = widthOf(head);
  const words = line.slice(head.length).split(' ');
  const pieces = words.map((word, at) => {
    const breaks = at > 0 && column + 1 + widthOf(word) > columns;
    column = breaks ? indent.length + widthOf(word) : column + (at > 0 ? 1 : 0) + widthOf(word);
    return `${breaks ? `\n${indent}` : at > 0 ? ' ' : ''}${word}`;
  });
  return head + pieces.join('');
}

function widthOf(text: string): number {
  return displayWidth(stripVTControlCharacters(text));
}
