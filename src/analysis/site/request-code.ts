import type { CurlHeader, CurlRequest } from '../../compiler/api/curl.js';
import { quoted } from '../../compiler/emit/typescript/problem-classes.js';

/** A request as TypeScript that a browser and Node run. */
export function typeScriptRequest({ method, url, headers, body, form, isStream }: CurlRequest): string {
  const init = [
    ...(method === 'GET' ? [] : [`  method: ${quoted(method)},`]),
    ...headersText(headers),
    ...(form === undefined ? [] : ['  body: form,']),
    ...(body === undefined || form !== undefined ? [] : [`  body: JSON.stringify(${pretty(body, '  ')}),`]),
  ];
  const parts = (form ?? []).map(
    ({ name, text }) => `form.append(${quoted(name)}, ${text === undefined ? 'file' : quoted(text)});`,
  );
  return [
    ...(form === undefined ? [] : ['const form = new FormData();', ...parts]),
    `const response = await fetch(${quoted(url)}${init.length === 0 ? '' : `, {\n${init.join('\n')}\n}`});`,
    'if (!response.ok) throw new Error(await response.text());',
    ...(isStream === true
      ? [
          'const events = response.body?.pipeThrough(new TextDecoderStream()) ?? [];',
          'for await (const text of events) console.log(text);',
        ]
      : ['console.log(await response.json());']),
  ].join('\n');
}

/** A request as Python with the package `requests`. */
export function pythonRequest({ method, url, headers, body, form, isStream }: CurlRequest): string {
  const files = (form ?? []).filter(({ text }) => text === undefined);
  const texts = (form ?? []).filter(({ text }) => text !== undefined);
  const sent = headers.map(({ name, value, variable }) => {
    const secret = variable === undefined ? '' : `os.environ[${JSON.stringify(variable)}]`;
    const shown = value === '' && secret !== '' ? [] : [JSON.stringify(value)];
    return `${JSON.stringify(name)}: ${[...shown, ...(secret === '' ? [] : [secret])].join(' + ')}`;
  });
  const given = [
    JSON.stringify(url),
    ...(sent.length === 0 ? [] : [`headers={${sent.join(', ')}}`]),
    ...(files.length === 0
      ? []
      : [`files={${files.map(({ name }) => `${JSON.stringify(name)}: open("file.bin", "rb")`).join(', ')}}`]),
    ...(texts.length === 0
      ? []
      : [`data={${texts.map(({ name, text }) => `${JSON.stringify(name)}: ${JSON.stringify(text)}`).join(', ')}}`]),
    ...(body === undefined || form !== undefined ? [] : [`json=${pythonValue(JSON.parse(body), '    ')}`]),
    ...(isStream === true ? ['stream=True'] : []),
  ];
  return [
    ...(headers.some(({ variable }) => variable !== undefined) ? ['import os', ''] : []),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    ...given.map((argument) => `    ${argument},`),
    ')',
    'response.raise_for_status()',
    ...(isStream === true
      ? ['for line in response.iter_lines(decode_unicode=True):', '    print(line)']
      : ['print(response.json())']),
  ].join('\n');
}

/** The lines of `fetch`'s option `headers`; none without headers. */
export function headersText(headers: readonly CurlHeader[]): readonly string[] {
  if (headers.length === 0) return [];
  const members = headers.map(({ name, value, variable }) => {
    const text = variable === undefined ? quoted(value) : `\`${escapeTemplate(value)}\${process.env.${variable}}\``;
    return `${/^\w+$/.test(name) ? name : quoted(name)}: ${text}`;
  });
  return [`  headers: { ${members.join(', ')} },`];
}

/** A text as a part of a template of TypeScript. */
export function escapeTemplate(text: string): string {
  return text.replace(/[\\`]|\$(?=\{)/g, '\\$&');
}

function pretty(json: string, indent: string): string {
  return JSON.stringify(JSON.parse(json), null, 2).replaceAll('\n', `\n${indent}`);
}

/** A JSON value as Python. Its strings are those of JSON. */
function pythonValue(value: unknown, indent: string): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const items = Array.isArray(value)
    ? value.map((item) => pythonValue(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pythonValue(item, inner)}`);
  return items.length === 0 ? open + close : `${open}\n${inner}${items.join(`,\n${inner}`)},\n${indent}${close}`;
}
