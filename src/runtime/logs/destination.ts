import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { pino } from 'pino';
import { remember } from '../../compiler/graph/maps.js';

/** How much may wait for a slow destination, in bytes. Lines beyond it are dropped. */
const maxWaiting = 16 << 20;

/** Lines are written when so many characters wait, or after this time, in milliseconds. */
const batchLength = 65_536;
const longestWait = 100;

/** Those of this process: servers that replace each other write to the same one. */
const open = new Map<string, Destination>();

/** Opens a destination of lines: streams are asynchronous, files are not. Waiting lines are written at the end. */
export function openDestination(
  name: string,
  create: Pick<typeof pino, 'destination'>,
  onError: (error: unknown) => void,
): { write(line: string): void } {
  if (open.size === 0) process.once('exit', writeRest);
  return remember(open, name, () => new Destination(name, create, onError));
}

type Stream = ReturnType<typeof pino.destination>;

class Destination {
  #text = '';
  #timer: NodeJS.Timeout | undefined;
  /** Undefined if the file cannot be opened. */
  readonly #stream: Stream | undefined;

  constructor(
    name: string,
    { destination }: Pick<typeof pino, 'destination'>,
    private readonly onError: (error: unknown) => void,
  ) {
    const stream = { stdout: 1, stderr: 2 }[name];
    try {
      if (stream === undefined) makeDirectory(dirname(name));
      const sync = stream === undefined;
      this.#stream = destination({ contentMode: 'buffer', maxLength: maxWaiting, dest: stream ?? name, sync });
      this.#stream.on('error', onError);
    } catch (error) {
      onError(error);
    }
  }

  /** Lines are written together: a write for each would take most of the time of a line. */
  write(line: string): void {
    this.#text += line;
    if (this.#text.length >= batchLength) this.#pass();
    else this.#timer ??= setTimeout(() => this.#pass(), longestWait).unref();
  }

  #pass(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = this.#text;
    this.#text = '';
    if (text === '') return;
    try {
      this.#stream?.write(Buffer.from(text) as never);
    } catch (error) {
      this.onError(error);
    }
  }

  end(): void {
    try {
      this.#pass();
      this.#stream?.flushSync();
    } catch {
      // It could not be opened, which was reported.
    }
  }
}

/** The recursive `mkdirSync` of Node never ends in a place without new directories, such as `/proc`. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDirectory(parent);
  mkdirSync(path);
}

function writeRest(): void {
  for (const destination of open.values()) destination.end();
}
