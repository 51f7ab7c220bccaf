/**
 * A document with optional line breaks: Wadler's algebra (“A prettier printer”, 1998), reduced to the needs of
 * topologies. A group is printed on one line if it fits, otherwise with all of its own line breaks.
 */
export type Layout = string | Concat | Group | Line | Note | Choice;

/** The maximum line width, where a line can be broken. Comments may be wider. */
const lineWidth = 100;

const indentWidth = 2;

/** A sequence of parts; `indent` applies to the lines that begin inside. */
interface Concat {
  readonly kind: 'concat';
  readonly parts: readonly Layout[];
  readonly indent: number;
  /** Whether it contains a forced line break, so that no group around it fits on one line. */
  readonly breaks: boolean;
}

/** Content that is printed on one line as a whole, or with all of its own line breaks. */
interface Group {
  readonly kind: 'group';
  readonly content: Layout;
  readonly breaks: boolean;
}

/** Content that depends on whether the enclosing group is broken, usually a line break. */
interface Line {
  readonly kind: 'line';
  /** Printed in a group on one line. */
  readonly flat: string;
  /** Printed in a broken group: `\n`, `\n\n` for an empty line, or a text without line breaks. */
  readonly broken: string;
  readonly breaks: boolean;
}

/** A text with its own line breaks that counts as zero width: a comment. */
interface Note {
  readonly kind: 'note';
  readonly text: string;
  readonly breaks: boolean;
}

/** The first alternative that fits; otherwise the last layout. */
interface Choice {
  readonly kind: 'choice';
  readonly ways: readonly Way[];
  readonly last: Layout;
  readonly breaks: false;
}

/** One way to print a layout: `head` with forced line breaks only, then `tail`. */
export interface Way {
  readonly head: Layout;
  readonly tail: Layout;
}

export function concat(parts: readonly Layout[]): Layout {
  // Most parts are plain text, and one long text prints much faster than its pieces.
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  return { kind: 'concat', parts, indent: 0, breaks: parts.some(breaks) };
}

/** A sequence of parts; lines that begin inside are indented by one level. */
export function indent(parts: readonly Layout[]): Layout {
  return { kind: 'concat', parts, indent: indentWidth, breaks: parts.some(breaks) };
}

/** A group: on one line when it fits and is not `forced` to break. */
export function group(content: Layout, forced = false): Layout {
  return { kind: 'group', content, breaks: forced || breaks(content) };
}

/** The first alternative that fits, up to the first line break of its tail; otherwise `last`. */
export function choice(ways: readonly Way[], last: Layout): Layout {
  return { kind: 'choice', ways, last, breaks: false };
}

/** The layout with the lines of its last group broken; undefined without a group, or if it is always broken. */
export function opened(layout: Layout): Layout | undefined {
  if (typeof layout === 'string') return undefined;
  if (layout.kind === 'group') return layout.breaks ? undefined : { ...layout, breaks: true };
  if (layout.kind !== 'concat') return undefined;
  const last = layout.parts.findLastIndex((part) => typeof part !== 'string');
  const inner = last === -1 ? undefined : opened(layout.parts[last] as Layout);
  return inner && concat(layout.parts.with(last, inner));
}

/** A text that counts as zero width. With `breaks`, nothing may follow on its line. */
export function note(text: string, breaks: boolean): Layout {
  return { kind: 'note', text, breaks: breaks || text.includes('\n') };
}

/** A text that is printed only in a broken group. */
export function whenBroken(text: string): Layout {
  return { kind: 'line', flat: '', broken: text, breaks: false };
}

export const softLine: Layout = { kind: 'line', flat: '', broken: '\n', breaks: false };
export const line: Layout = { kind: 'line', flat: ' ', broken: '\n', breaks: false };
export const spacedLine: Layout = { kind: 'line', flat: ' ', broken: '\n\n', breaks: false };
export const hardLine: Layout = { kind: 'line', flat: '', broken: '\n', breaks: true };
export const emptyLine: Layout = { kind: 'line', flat: '', broken: '\n\n', breaks: true };

/** Whether a layout contains a forced line break. */
export function breaks(layout: Layout): boolean {
  return typeof layout !== 'string' && layout.breaks;
}

interface Command {
  readonly layout: Layout;
  readonly indent: number;
  readonly flat: boolean;
}

/** Decides the line breaks and returns the text, with `\n` between lines and no trailing blanks. */
export function render(layout: Layout): string {
  const out = new Writer();
  const commands: Command[] = [{ layout, indent: 0, flat: false }];
  for (let command = commands.pop(); command !== undefined; command = commands.pop()) {
    const { layout: next, indent: margin, flat } = command;
    if (typeof next === 'string') out.write(next);
    else if (next.kind === 'note') out.write(next.text, 0);
    else if (next.kind === 'line') writeLine(out, next, margin, flat);
    else if (next.kind === 'concat') pushParts(commands, next, margin, flat);
    else if (next.kind === 'group') {
      const one = { layout: next.content, indent: margin, flat: true };
      const fitsHere = !next.breaks && (flat || fits([one], commands, out.room));
      commands.push(fitsHere ? one : { ...one, flat: false });
    } else commands.push(...choose(next, commands, margin, out.room));
  }
  return out.text();
}

function writeLine(out: Writer, { flat, broken, breaks }: Line, margin: number, isFlat: boolean): void {
  if (isFlat && !breaks) out.write(flat);
  else if (!broken.startsWith('\n')) out.write(broken);
  else out.breakLine(margin, broken === '\n\n');
}

function pushParts(commands: Command[], { parts, indent: step }: Concat, margin: number, flat: boolean) {
  for (let index = parts.length - 1; index >= 0; index--) {
    commands.push({ layout: parts[index] as Layout, indent: margin + step, flat });
  }
}

function choose({ ways, last }: Choice, rest: readonly Command[], margin: number, room: number) {
  for (const { head, tail } of ways) {
    const commands: Command[] = [
      { layout: tail, indent: margin, flat: false },
      { layout: head, indent: margin, flat: true },
    ];
    if (fits(commands, rest, room)) return commands;
  }
  return [{ layout: last, indent: margin, flat: false }];
}

/**
 * Whether the commands (last one first) and the commands after them fit into the rest of the line, up to
 * the first possible line break. After a forced break, the next line must fit too.
 */
function fits(first: readonly Command[], rest: readonly Command[], room: number): boolean {
  const commands = [...first];
  let left = room;
  let restAt = rest.length;
  while (left >= 0) {
    const command = commands.pop() ?? rest[--restAt];
    if (command === undefined) return true;
    const { layout, indent: margin, flat } = command;
    if (typeof layout === 'string') left -= layout.length;
    else if (layout.kind === 'line') {
      const isBreak = (!flat || layout.breaks) && layout.broken.startsWith('\n');
      if (isBreak && !flat) return true;
      left = isBreak ? lineWidth - margin : left - (flat ? layout.flat : layout.broken).length;
    } else if (layout.kind === 'concat') pushParts(commands, layout, margin, flat);
    else if (layout.kind === 'group') {
      commands.push({ layout: layout.content, indent: margin, flat: flat && !layout.breaks });
    }
    // A note has zero width, and a choice is never part of a measured layout.
  }
  return false;
}

/** Collects the text. Blanks are held back until text follows on the same line. */
class Writer {
  private readonly chunks: string[] = [];
  private blanks = '';
  private column = 0;
  private isLineStart = true;

  get room(): number {
    return lineWidth - this.column - this.blanks.length;
  }

  write(text: string, width = text.length): void {
    if (text === '') return;
    if (text === ' ') {
      if (!this.isLineStart) this.blanks = ' ';
      return;
    }
    const hasBlank = text.endsWith(' ');
    this.chunks.push(this.blanks, hasBlank ? text.slice(0, -1) : text);
    this.column += this.blanks.length + width - (hasBlank ? 1 : 0);
    this.blanks = hasBlank ? ' ' : '';
    this.isLineStart = false;
  }

  /** Starts a line. On a line that is still empty, it only changes the margin. */
  breakLine(margin: number, leavesEmpty: boolean): void {
    if (!this.isLineStart) this.chunks.push(leavesEmpty ? '\n\n' : '\n');
    this.blanks = ' '.repeat(margin);
    this.column = 0;
    this.isLineStart = true;
  }

  text(): string {
    return this.chunks.join('');
  }
}
