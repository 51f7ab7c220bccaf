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
