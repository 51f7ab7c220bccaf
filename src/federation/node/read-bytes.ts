import { readFile as read, stat } from 'node:fs/promises';
import { getSystemErrorMap } from 'node:util';
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';
import { bundleLimits } from '../bundle.js';

/** What came of reading a file or a URL. */
export type BytesReading =
  | {
      readonly ok: true;
      readonly bytes: Uint8Array;
      /** What tells this state of it from another one; undefined where nothing does. */
      readonly tag: string | undefined;
    }
  /** It is as it was when it had that tag. */
  | { readonly ok: 'unchanged' }
  | { readonly ok: false; readonly problem: Diagnostic };

/** How long one URL may take, in milliseconds. */
const timeout = 10_000;

/**
 * Reads the bytes of a file or of a URL, at most as many as a bundle may have (GG6001). What stands in the way is a
 * finding: GG4001, GG4002, GG4007. Never rejects.
 *
 * @param location - Where it is: a path that can be opened, or a URL.
 * @param name - What findings call it.
 * @param tag - The tag of the state that is known already.
 */
export function readBytes(location: string, name: string, tag?: string): Promise<BytesReading> {
  return /^https?:\/\//i.test(location) ? readUrl(location, tag) : readFile(location, name, tag);
}

async function readFile(location: string, name: string, known: string | undefined): Promise<BytesReading> {
  const span = { file: name, start: 0, end: 0 };
  try {
    const status = await stat(location);
    const tag = `${status.ino} ${status.size} ${status.mtimeMs}`;
    if (tag === known) return { ok: 'unchanged' };
    if (status.size > bundleLimits.bytes) return tooLarge(status.size, name);
    return { ok: true, bytes: await read(location), tag };
  } catch (error) {
    const { code, errno, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      return { ok: false, problem: diagnose('GG4001', { path: name }, span) };
    }
    const reason = (errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1]) ?? message;
    return { ok: false, problem: diagnose('GG4002', { path: name, reason }, span) };
  }
}

async function readUrl(url: string, known: string | undefined): Promise<BytesReading> {
  const fail = (reason: string): BytesReading => ({
    ok: false,
    problem: diagnose('GG4007', { url, reason }, { file: url, start: 0, end: 0 }),
  });
  try {
    const response = await fetch(url, {
      headers: {
        accept: 'application/json, */*;q=0.5',
        ...(known === undefined ? {} : { 'if-none-match': known }),
      },
      signal: AbortSignal.timeout(timeout),
    });
    if (!response.ok) {
      await response.body?.cancel();
      if (response.status === 304) return { ok: 'unchanged' };
      return fail(`the answer was ${response.status} ${response.statusText}`.trimEnd());
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      size += chunk.length;
      // Leaving the loop cancels the rest, so an endless answer costs no more than the limit.
      if (size > bundleLimits.bytes) return tooLarge(size, url);
    }
    return { ok: true, bytes: Buffer.concat(chunks, size), tag: response.headers.get('etag') ?? undefined };
  } catch (error) {
    const { name, message, cause } = error as Error;
    if (name === 'TimeoutError') return fail(`no answer in ${timeout / 1000} seconds`);
    return fail(cause instanceof Error ? cause.message || cause.name : message);
  }
}

function tooLarge(size: number, name: string): BytesReading {
  const params = { what: 'bytes', size, limit: bundleLimits.bytes };
  return { ok: false, problem: diagnose('GG6001', params, { file: name, start: 0, end: 0 }) };
}
