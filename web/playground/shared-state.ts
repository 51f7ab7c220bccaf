import type { PlaygroundFile } from './protocol.js';

/** What a link carries. */
export interface SharedState {
  readonly files: readonly PlaygroundFile[];
  /** A JavaScript module. */
  readonly resolvers?: string;
  /** The name of the open tab of results. */
  readonly tab?: string;
}

/** The limit of the texts of a link, in bytes. A small link may inflate to gigabytes. */
const maxBytes = 8 * 1024 * 1024;

const maxFiles = 200;

/** Writes a state as the fragment of a URL: JSON, deflated, in base64url. */
export async function writeFragment(state: SharedState): Promise<string> {
  const { readable, writable } = new CompressionStream('deflate-raw');
  const bytes = await readAll(pipe(new TextEncoder().encode(JSON.stringify(state)), writable, readable));
  // One call for each piece: a call takes a limited number of arguments.
  const text = Array.from({ length: Math.ceil(bytes.length / 8192) }, (_, index) =>
    String.fromCharCode(...bytes.subarray(index * 8192, (index + 1) * 8192)),
  ).join('');
  return `#1.${btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

/** Reads the fragment of a URL. @returns the state, or the reason why there is none; undefined for an empty fragment */
export async function readFragment(fragment: string): Promise<SharedState | { readonly problem: string } | undefined> {
  if (fragment === '' || fragment === '#') return undefined;
  const [, version, code = ''] = /^#(\d+)\.([\w-]*)$/.exec(fragment) ?? [];
  if (version === undefined) return { problem: 'The link is damaged: its fragment is not a playground.' };
  if (version !== '1') return { problem: 'The link was made by a newer playground.' };
  try {
    const text = atob(code.replaceAll('-', '+').replaceAll('_', '/'));
    const { readable, writable } = new DecompressionStream('deflate-raw');
    const packed = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const bytes = await readAll(pipe(packed, writable, readable));
    return checkState(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch (error) {
    if (error instanceof RangeError) return { problem: error.message };
    return { problem: 'The link is damaged: it cannot be unpacked.' };
  }
}

/** Whether a text can be the name of a file. */
export function isFileName(name: string): boolean {
  return name.length <= 200 && /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.gg$/.test(name);
}

function checkState(value: unknown): SharedState | { readonly problem: string } {
  const problem = 'The link is damaged: it has no files.';
  const { files, resolvers, tab } = (value ?? {}) as Record<string, unknown>;
  if (!Array.isArray(files) || files.length === 0 || files.length > maxFiles) return { problem };
  const isFile = (file: unknown): file is PlaygroundFile => {
    const { name, text } = (file ?? {}) as Record<string, unknown>;
    return typeof name === 'string' && isFileName(name) && typeof text === 'string';
  };
  const given: readonly unknown[] = files;
  if (!given.every(isFile) || new Set(given.map(({ name }) => name)).size < given.length) return { problem };
  return {
    files: given.map(({ name, text }) => ({ name, text })),
    ...(typeof resolvers === 'string' ? { resolvers } : {}),
    ...(typeof tab === 'string' ? { tab } : {}),
  };
}

/** Sends bytes through a stream. */
function pipe(
  bytes: Uint8Array<ArrayBuffer>,
  writable: WritableStream<BufferSource>,
  readable: ReadableStream<Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const writer = writable.getWriter();
  // The side that reads reports the error.
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  return readable;
}

async function readAll(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > maxBytes) {
      await reader.cancel();
      throw new RangeError(`The texts of a link must not be larger than ${maxBytes / 1024 / 1024} MiB.`);
    }
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
