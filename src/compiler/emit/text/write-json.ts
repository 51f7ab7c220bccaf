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
  const writeArray = (items: readonly unknown[], depth: number, column: number): string => {
    const start = lineStart(depth + 1);
    let line = '';
    let text = '';
    let fits = true;
    for (const item of items) {
      const written = write(item, depth + 1, start.length);
      fits = fits && isLine && column + line.length < lineWidth;
      if (fits) line += (line === '' ? '[' : ', ') + written;
      text += (text === '' ? '[' : ',') + start + written;
    }
    isLine = text === '' || (fits && column + line.length < lineWidth);
    if (isLine) return line === '' ? '[]' : `${line}]`;
    return `${text}${lineStart(depth)}]`;
  };
  // `for … in` allocates no list of keys, and concatenation avoids copies; both dominate the time.
  const writeObject = (members: object, depth: number, column: number): string => {
    const start = lineStart(depth + 1);
    let line = '';
    let text = '';
    let fits = true;
    for (const key in members) {
      const value = (members as Readonly<Record<string, unknown>>)[key];
      if (value === undefined) continue;
      const name = keyText(key);
      const written = write(value, depth + 1, start.length + name.length);
      fits = fits && isLine && column + line.length < lineWidth;
      if (fits) line += (line === '' ? '{ ' : ', ') + name + written;
      text += (text === '' ? '{' : ',') + start + name + written;
    }
    isLine = text === '' || (fits && column + line.length + 1 < lineWidth && depth > 0);
    if (isLine) return line === '' ? '{}' : `${line} }`;
    text += `${lineStart(depth)}}`;
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

/** A line break and the indentation of a depth. */
function lineStart(depth: number): string {
  for (let next = lineStarts.length; next <= depth; next++) lineStarts.push(`\n${'  '.repeat(next)}`);
  return lineStarts[depth] as string;
}
