import { closeSync, fstatSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { getSystemErrorMap } from 'node:util';
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js';
import { isWebUrl, parseUrl } from '../source/parse-url.js';
import { wholeFile } from '../source/span.js';
import { readFlags, readToEnd } from './file-chunks.js';
import { readStream } from './read-stream.js';

/** The bytes of a file or a URL, or the finding why they cannot be read. */
export type BytesReading = ReadBytes | ReadProblem;

export interface ReadBytes {
  readonly ok: true;
  readonly bytes: Uint8Array;
  /** Identifies this state of the file or URL; undefined if the server of the URL sends no ETag. */
  readonly tag: string | undefined;
}

/** The finding why a file or a URL cannot be read. */
export interface ReadProblem {
  readonly ok: false;
  readonly absent: boolean;
  readonly problem: Diagnostic;
}

/** The maximum number of bytes, and the finding if there are more. */
export interface ByteLimit {
  readonly bytes: number;
  readonly exceeded: (name: string, size: number) => Diagnostic;
}

/** In milliseconds. */
const urlTimeout = 10_000;

/** Between attempts to read a pipe, in milliseconds. */
const pipeInterval = 10;

/**
 * Reads a file synchronously. The finding is GG4001 (no such file), GG4002 (a directory, a device, no permission)
 * or that of the limit.
 *
 * @param name - The name of the file in findings.
 */
export function readFileBytes(location: string, name: string, limit: ByteLimit): BytesReading {
  const reading = readFile(location, name, limit);
  for (let step = reading.next(); ; step = reading.next()) {
    if (step.done) return step.value;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pipeInterval);
  }
}

/**
 * Reads a file or a URL. The finding is that of {@link readFileBytes}, or GG4007 if a URL does not respond with 2xx.
 * Never rejects.
 *
 * @param location - The path to open, or the URL.
 * @param accept - The media types to ask a URL for.
 * @param options - `known`: the last reading, which is returned again if nothing has changed since; `allows`: whether a
 *   redirect to a URL is followed, by default every one is.
 */
export async function readBytes(
  location: string,
  name: string,
  limit: ByteLimit,
  accept: string,
  { known, allows }: { readonly known?: ReadBytes; readonly allows?: UrlCheck | undefined } = {},
): Promise<BytesReading> {
  if (isWebUrl(location)) return readUrl(location, limit, accept, known, allows);
  const reading = readFile(location, name, limit, known);
  for (let step = reading.next(); ; step = reading.next()) {
    if (step.done) return step.value;
    await pause(pipeInterval);
  }
}

/** Reads a file; yields while a pipe has no bytes. */
function* readFile(
  location: string,
  name: string,
  limit: ByteLimit,
  known?: ReadBytes,
): Generator<void, BytesReading, void> {
  let file: number | undefined;
  try {
    file = openSync(location, readFlags);
    const status = fstatSync(file);
    const tag = `${status.ino} ${status.size} ${status.mtimeMs}`;
    if (tag === known?.tag) return known;
    // Others may be endless, such as devices. Pipes are allowed, for process substitution.
    if (status.isDirectory()) return unreadable(name, 'it is a directory');
    if (!status.isFile() && !status.isFIFO()) return unreadable(name, 'it is not a file');
    if (status.size > limit.bytes) return failed(limit.exceeded(name, status.size));
    const bytes = yield* readToEnd(file, status, limit.bytes + 1);
    return bytes.length > limit.bytes ? failed(limit.exceeded(name, bytes.length)) : { ok: true, bytes, tag };
  } catch (error) {
    return fileProblem(name, error as NodeJS.ErrnoException);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

async function readUrl(
  url: string,
  limit: ByteLimit,
  accept: string,
  known: ReadBytes | undefined,
  allows: UrlCheck | undefined,
): Promise<BytesReading> {
  try {
    const response = await fetchAllowed(url, allows, {
      headers: { accept, ...(known?.tag !== undefined && { 'if-none-match': known.tag }) },
      signal: AbortSignal.timeout(urlTimeout),
    });
    if (!response.ok) {
      await response.body?.cancel();
      if (response.status === 304 && known !== undefined) return known;
      return unfetchable(url, `the response was ${response.status} ${response.statusText}`.trimEnd());
    }
    const reading = await readStream(response.body, limit.bytes);
    const tag = response.headers.get('etag') ?? undefined;
    return reading.ok ? { ok: true, bytes: reading.bytes, tag } : failed(limit.exceeded(url, reading.size));
  } catch (error) {
    const { name, message, cause } = error as Error;
    if (name === 'TimeoutError') return unfetchable(url, `no response within ${urlTimeout / 1000} seconds`);
    // The message of fetch is always “fetch failed”; the reason is in its cause.
    return unfetchable(url, cause instanceof Error ? cause.message || cause.name : message);
  }
}

/** Follows redirects as `fetch` does, but only to URLs that are allowed. */
async function fetchAllowed(url: string, allows: UrlCheck | undefined, init: RequestInit): Promise<Response> {
  if (allows === undefined) return fetch(url, init);
  let at = url;
  for (let count = 0; count <= maxRedirects; count++) {
    const response = await fetch(at, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    if (location === null || !redirects.has(response.status)) return response;
    await response.body?.cancel();
    at = parseUrl(location, at)?.href ?? location;
    if (!isWebUrl(at) || !allows(at)) throw new Error(`it redirects to ${at}, which the project does not allow`);
  }
  throw new Error('redirect count exceeded');
}

type UrlCheck = (url: string) => boolean;

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const maxRedirects = 20;

/** The operating system's text for an error (`permission denied`), or else the error's message. */
export function describeSystemError(error: unknown): string {
  const { errno, message } = error as NodeJS.ErrnoException;
  return (errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1]) ?? message;
}

function fileProblem(path: string, error: NodeJS.ErrnoException): ReadProblem {
  const { code } = error;
  return code === 'ENOENT' || code === 'ENOTDIR'
    ? { ...failed(diagnose('GG4001', { path }, wholeFile(path))), absent: true }
    : unreadable(path, describeSystemError(error));
}

function unreadable(path: string, reason: string): ReadProblem {
  return failed(diagnose('GG4002', { path, reason }, wholeFile(path)));
}

function unfetchable(url: string, reason: string): ReadProblem {
  return failed(diagnose('GG4007', { url, reason }, wholeFile(url)));
}

function failed(problem: Diagnostic): ReadProblem {
  return { ok: false, absent: false, problem };
}
