import { flat, TextCollector } from './text-collector.js';

/** The members of a JSON object, made while they are read, so that a writer need not hold all of them. Read once. */
export class Members {
  constructor(readonly entries: Iterable<readonly [string, unknown]>) {}

  toObject(): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (const [key, value] of this.entries) made[key] = value instanceof Members ? value.toObject() : value;
    return made;
  }
}

/** The maximum length of a line with an object or an array. */
const lineWidth = 110;

/**
 * Writes a readable JSON document: an object or an array is on one line where it fits, else it has one member a line,
 * indented by two spaces. `JSON.stringify` has no such layout; a document of many small objects is a third shorter in
 * this one. `Members` are written one at a time.
 */
export function writeJson(document: object): string {
  const text = new TextCollector();
  const keys = new Map<string, string>();
  const keyText = (key: string): string => {
    let text = keys.get(key);
    if (text === undefined) {
      text = `${quote(key)}: `;
      keys.set(key, text);
    }
    return text;
  };

  const addMembers = (members: Iterable<readonly [string, unknown]>, depth: number): void => {
    const start = lineStart(depth + 1);
    let opening = '{';
    for (const [key, value] of members) {
      if (value === undefined) continue;
      const name = keyText(key);
      if (value instanceof Members) {
        text.add(opening + start + name);
        addMembers(value.entries, depth + 1);
      } else text.add(opening + start + name + write(value, depth + 1, start.length + name.length));
      opening = ',';
    }
    text.add(opening === '{' ? '{}' : `${lineStart(depth)}}`);
  };
  // Whether the last value that was written is on one line.
  let isLine = true;
  const write = (value: unknown, depth: number, column: number): string => {
    if (typeof value === 'object' && value !== null) {
      return Array.isArray(value) ? writeArray(value, depth, column) : writeObject(value, depth, column);
    }
    isLine = true;
    return typeof value === 'string' ? quote(value) : String(value);
  };
  // The members of the values that are being written: only the last one tells whether a value fits on a line.
  const pieces: string[] = [];
  const take = (first: number, opening: string, separator: string, closing: string): string => {
    let text = opening + pieces[first];
    for (let at = first + 1; at < pieces.length; at++) text += separator + pieces[at];
    pieces.length = first;
    return text + closing;
  };
  const writeArray = (items: readonly unknown[], depth: number, column: number): string => {
    const first = pieces.length;
    const start = lineStarts[depth + 1] ?? lineStart(depth + 1);
    // The end of the line so far.
    let end = column - 1;
    let fits = true;
    for (const item of items) {
      const written = write(item, depth + 1, start.length);
      fits = fits && isLine && end < lineWidth;
      end += written.length + 2;
      pieces.push(written);
    }
    isLine = fits && (pieces.length === first || end < lineWidth);
    if (pieces.length === first) return '[]';
    return isLine
      ? take(first, '[', ', ', ']')
      : take(first, `[${start}`, separators[depth + 1] as string, `${lineStarts[depth]}]`);
  };
  // `for … in` allocates no list of keys, and concatenation avoids copies; both dominate the time.
  const writeObject = (members: object, depth: number, column: number): string => {
    const first = pieces.length;
    const start = lineStarts[depth + 1] ?? lineStart(depth + 1);
    let end = column + 1;
    let fits = true;
    for (const key in members) {
      const value = (members as Readonly<Record<string, unknown>>)[key];
      if (value === undefined) continue;
      const name = keyText(key);
      const written = write(value, depth + 1, start.length + name.length);
      fits = fits && isLine && end < lineWidth;
      end += name.length + written.length + 2;
      pieces.push(name + written);
    }
    isLine = pieces.length === first || (fits && end < lineWidth && depth > 0);
    if (pieces.length === first) return '{}';
    if (isLine) return take(first, '{ ', ', ', ' }');
    const text = take(first, `{${start}`, separators[depth + 1] as string, `${lineStarts[depth]}}`);
    return depth === flatDepth ? flat(text) : text;
  };
  if (document instanceof Members) addMembers(document.entries, 0);
  else text.add(write(document, 0, 0));
  text.add('\n');
  return text.text();
}

/** The depth of operations and components: the largest parts of which a document has many. */
const flatDepth = 3;

function quote(text: string): string {
  return needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`;
}

const needsEscape = /[^ !#-[\]-~]/;

const lineStarts: string[] = [];
const separators: string[] = [];

/** A line break and the indentation of a depth. From then on, the tables have the texts of this depth and of those before it. */
function lineStart(depth: number): string {
  for (let next = lineStarts.length; next <= depth; next++) {
    lineStarts.push(`\n${'  '.repeat(next)}`);
    separators.push(`,${lineStarts[next]}`);
  }
  return lineStarts[depth] as string;
}
