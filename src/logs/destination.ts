import type { pino } from 'pino';

/** How much may wait for a slow destination, in bytes. Lines beyond it are dropped. */
const maxWaiting = 16 << 20;

/** Those of this process: servers that replace each other write to the same one. */
const open = new Map<string, Destination>();

/**
 * Opens `stdout`, `stderr` or a file for lines. They are written asynchronously, so that a reader that does not read
 * blocks no request, and what waits is written when the process ends.
 *
 * @param onError - Called when the destination cannot be opened or written.
 */
export function openDestination(
  name: string,
  create: Pick<typeof pino, 'destination'>,
  onError: (error: unknown) => void,
): { write(line: string): void } {
  let destination = open.get(name);
  if (destination === undefined) {
    if (open.size === 0) process.once('exit', writeRest);
    destination = new Destination(name, create, onError);
    open.set(name, destination);
  }
  return destination;
}

type Stream = ReturnType<typeof pino.destination>;

class Destination {
  #lines: string[] = [];
  readonly #stream: Stream;

  constructor(
    name: string,
    { destination }: Pick<typeof pino, 'destination'>,
    onError: (error: unknown) => void,
  ) {
    const dest = { stdout: 1, stderr: 2 }[name] ?? name;
    this.#stream = destination({ dest, sync: false, maxLength: maxWaiting, mkdir: true });
    this.#stream.on('error', onError);
  }

  /** The lines of one turn of the event loop are one write: a write for each line would take most of its time. */
  write(line: string): void {
    if (this.#lines.push(line) === 1) setImmediate(this.#pass);
  }

  readonly #pass = (): void => {
    const text = this.#lines.join('');
    this.#lines = [];
    this.#stream.write(text);
  };

  end(): void {
    try {
      this.#pass();
      this.#stream.flushSync();
    } catch {
      // It could not be opened, which was reported.
    }
  }
}

function writeRest(): void {
  for (const destination of open.values()) destination.end();
}
