import type { ValueNotes } from '../../graph/value-notes.js';

/** A description with the notes of its value as JSDoc tags: `@deprecated`, `@minimum 1`, `@example "Ada"`. */
export function withTags(description: string | undefined, notes: ValueNotes): string | undefined {
  const { deprecated, constraints, examples = [] } = notes;
  const tags = [
    ...Object.entries(constraints ?? {}).map(([keyword, limit]) => `@${keyword} ${limit}`),
    ...examples.map((example) => `@example ${JSON.stringify(example)}`),
    ...(deprecated === undefined ? [] : [`@deprecated ${deprecated}`]),
  ];
  if (tags.length === 0) return description;
  return [...(description === undefined ? [] : [description, '']), ...tags].join('\n');
}

/** A doc comment with its final line break. No text can end the comment early. Empty for an empty text. */
export function docComment(text: string | undefined, indent = ''): string {
  const lines = (text ?? '')
    .trim()
    .replaceAll('*/', '*\\/')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.trimEnd());
  const [first = ''] = lines;
  if (lines.length > 1) {
    const body = lines.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('');
    return `${indent}/**\n${body}${indent} */\n`;
  }
  return first === '' ? '' : `${indent}/** ${first} */\n`;
}
