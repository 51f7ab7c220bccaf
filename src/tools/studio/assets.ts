import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ProblemError } from '../../runtime/call/problem.js';

/** Answers with a file of the built page, which the browser keeps, and asks each time whether it has changed. */
export async function sendAsset(assets: URL, name: string, request: Request): Promise<Response> {
  // Names without slashes and percent signs: no other folder can be reached.
  const extension = /^[\w-]+\.(\w+)$/.exec(name)?.[1] ?? '';
  const type = Object.hasOwn(types, extension) ? types[extension] : undefined;
  const bytes = type === undefined ? undefined : await readFile(new URL(name, assets)).catch(ignoreAbsence);
  if (type === undefined || bytes === undefined)
    throw new ProblemError({ status: 404, detail: 'The studio has no such page.' });
  const tag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  const headers = { 'content-type': type, 'cache-control': 'no-cache', etag: tag };
  const isKnown = request.headers.get('if-none-match')?.includes(tag) === true;
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(bytes, { headers });
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

function ignoreAbsence(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
