import { flat } from './flat.js';
import { Members } from './members.js';
import { TextCollector } from './text-collector.js';

/** The maximum length of a line with an object or an array. */
const lineWidth = 100;

/**
 * Writes a readable JSON document: an object or an array of plain values is on one line where it fits, everything
 * else has one member a line, indented by two spaces. `JSON.stringify` has no such layout; a document of
 * many small objects is a quarter shorter in this one. `Members` are written one at a time.
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
  const write = (value: unknown, depth: number, column: number): string => {
    if (!isNested(value)) return writePlain(value);
    return Array.isArray(value) ? writeArray(value, depth, column) : writeObject(value, depth, column);
  };
  const writeArray = (items: readonly unknown[], depth: number, column: number): string => {
    if (!items.some(isNested)) {
      const line = `[${items.map(writePlain).join(', ')}]`;
      if (column + line.length <= lineWidth) return line;
    }
    const start = lineStart(depth + 1);
    let text = '';
    for (const item of items)
      text += (text === '' ? '[' : ',') + start + write(item, depth + 1, start.length);
    return `${text}${lineStart(depth)}]`;
  };
  // `for … in` allocates no list of keys, and concatenation avoids copies; both dominate the time.
  const writeObject = (members: Readonly<Record<string, unknown>>, depth: number, column: number): string => {
    if (!hasNested(members)) {
      let line = '';
      for (const key in members) {
        const value = members[key];
        if (value !== undefined) line += (line === '' ? '{ ' : ', ') + keyText(key) + writePlain(value);
      }
      if (line === '') return '{}';
      if (column + line.length + 2 <= lineWidth) return `${line} }`;
    }
    const start = lineStart(depth + 1);
    let text = '';
    for (const key in members) {
      const value = members[key];
      if (value === undefined) continue;
      const name = keyText(key);
      text += (text === '' ? '{' : ',') + start + name + write(value, depth + 1, start.length + name.length);
    }
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

function isNested(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function hasNested(members: Readonly<Record<string, unknown>>): boolean {
  for (const key in members) if (isNested(members[key])) return true;
  return false;
}

function writePlain(value: unknown): string {
  return typeof value === 'string' ? quote(value) : String(value);
}

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
