import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { ChannelDirection, RuntimeIoChannel } from './binding/channel.js';
import { ChannelError } from './channel-error.js';
import { FanOut } from './fan-out.js';
import { Handover } from './handover.js';
import { defaultMaxLine, LineCutter, parseLine, printLine } from './read-lines.js';

/** How a child process is used. */
export interface ChildProcessOptions {
  readonly node: string;
  readonly direction: ChannelDirection;
  /** The program. */
  readonly command: string;
  readonly args?: readonly string[];
  /** The folder in which it runs. */
  readonly cwd?: string;
  /** Its environment; ours unless given. */
  readonly env?: Readonly<Record<string, string>>;
  /** How long an answer may take, in milliseconds; 10,000 unless given. */
  readonly timeout?: number;
  /** How long a line may be, in bytes; 1 MiB unless given. */
  readonly maxLine?: number;
  /** How many requests may wait for their answers; 100 unless given. */
  readonly maxPending?: number;
  /** How many events may wait for a subscriber, before the output is read no further; 100 unless given. */
  readonly buffer?: number;
  /** How long the output stands still for a subscriber who does not read, in milliseconds; 10,000 unless given. */
  readonly patience?: number;
}

/**
 * A program that speaks JSON Lines on its standard input and output. It is started when it is first needed, and
 * again after it has ended. It gets requests and answers them in any order, by their number:
 *
 * - `{"id":1,"op":"read","operation":"stock","args":{…}}` → `{"id":1,"value":…}` or `{"id":1,"error":"…"}`
 * - `{"id":2,"op":"write","operation":"saveStock","record":{…}}` → the same
 * - `{"op":"subscribe"}` when somebody begins to listen → `{"event":…}`, as many as there are
 *
 * What it writes on its standard error is shown on ours. A line that is none of these ends it.
 *
 * @example
 * ```ts
 * import { createChildProcessChannel } from 'gg-svc/channels';
 *
 * const channel = createChildProcessChannel({
 *   node: 'forecast',
 *   direction: 'in',
 *   command: 'python3',
 *   args: ['forecast.py'],
 * });
 * ```
 */
export function createChildProcessChannel(options: ChildProcessOptions): RuntimeIoChannel {
  const { node, direction, timeout } = options;
  const process = new JsonProcess(options);
  return {
    node,
    direction,
    transport: 'process',
    ...(timeout === undefined ? {} : { timeout }),
    ...(direction === 'out'
      ? {}
      : {
          read: ({ operation, args, signal }) => process.ask({ op: 'read', operation, args }, signal),
          subscribe: ({ signal }) => process.events.subscribe(signal),
        }),
    ...(direction === 'in'
      ? {}
      : {
          write: (record, { operation, signal }) => process.ask({ op: 'write', operation, record }, signal),
        }),
    close: () => process.close(),
  };
}

/** Who waits for an answer. */
interface Asker {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A process that runs. */
interface Running {
  readonly child: ChildProcess;
  readonly input: Writable;
  readonly askers: Map<number, Asker>;
  /** Settles when it has ended. */
  readonly ended: Promise<void>;
}

class JsonProcess {
  readonly events: FanOut;
  readonly #options: ChildProcessOptions;
  #running: Running | undefined;
  #lastId = 0;
  /** Where events go while somebody listens. */
  #handover: Handover | undefined;

  constructor(options: ChildProcessOptions) {
    this.#options = options;
    const { buffer, patience } = options;
    this.events = new FanOut({
      open: (signal) => this.#listen(signal),
      keepOpen: false,
      ...(buffer === undefined ? {} : { buffer }),
      ...(patience === undefined ? {} : { patience }),
    });
  }

  /** Sends a request and waits for its answer. */
  async ask(request: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown> {
    const { maxPending = 100, maxLine = defaultMaxLine } = this.#options;
    signal.throwIfAborted();
    const running = this.#start();
    const { askers } = running;
    if (askers.size >= maxPending) {
      throw new ChannelError('overrun', `${maxPending} requests wait for their answers already`);
    }
    const id = ++this.#lastId;
    const line = printLine({ id, ...request }, maxLine);
    let forget = (): void => undefined;
    try {
      return await new Promise<unknown>((resolve, reject) => {
        askers.set(id, { resolve, reject });
        const leave = (): void => reject(signal.reason);
        signal.addEventListener('abort', leave);
        forget = () => signal.removeEventListener('abort', leave);
        this.#hold(running);
        running.input.write(line);
      });
    } finally {
      forget();
      askers.delete(id);
      this.#hold(running);
    }
  }

  async close(): Promise<void> {
    this.events.close();
    const running = this.#running;
    if (running === undefined) return;
    running.input.end();
    const impatience = setTimeout(() => running.child.kill('SIGKILL'), 1_000);
    await running.ended;
    clearTimeout(impatience);
  }

  #listen(signal: AbortSignal): AsyncIterable<unknown> {
    const handover = new Handover();
    this.#handover = handover;
    const running = this.#start();
    this.#hold(running);
    running.input.write('{"op":"subscribe"}\n');
    signal.addEventListener('abort', () => {
      handover.end();
      if (this.#handover === handover) this.#handover = undefined;
      this.#hold(running);
    });
    return handover;
  }

  #start(): Running {
    this.#running ??= this.#spawn();
    return this.#running;
  }

  #spawn(): Running {
    const { command, args = [], cwd, env } = this.#options;
    const child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'inherit'],
      ...(cwd === undefined ? {} : { cwd }),
      ...(env === undefined ? {} : { env }),
    });
    // What goes wrong with its input is told by its end.
    child.stdin.on('error', () => undefined);
    const ended = new Promise<void>((resolve) => {
      child.once('error', (error) => {
        this.#end(running, new ChannelError('failed', 'the program cannot be started', { cause: error }));
        resolve();
      });
      child.once('exit', (code, signal) => {
        const how = signal === null ? `with the code ${code}` : `by the signal ${signal}`;
        // Its last words may still be on their way.
        reading.finally(() => {
          this.#end(running, new ChannelError('failed', `the program was ended ${how}`));
          resolve();
        });
      });
    });
    const running: Running = { child, input: child.stdin, askers: new Map(), ended };
    const reading = this.#read(running, child.stdout);
    return running;
  }

  /** Reads what the program says, as fast as its events are taken. */
  async #read(running: Running, output: Readable): Promise<void> {
    const cutter = new LineCutter(this.#options.maxLine ?? defaultMaxLine);
    try {
      for await (const chunk of output) {
        for (const line of cutter.cut(chunk as Buffer)) {
          const parsed = parseLine(line);
          if (parsed instanceof ChannelError) throw parsed;
          if (parsed !== undefined) await this.#take(running, parsed.record, line.number);
        }
      }
      if (cutter.rest.length > 0) {
        throw new ChannelError('unreadable', 'the program ended in the middle of a line');
      }
    } catch (error) {
      running.child.kill('SIGKILL');
      this.#end(
        running,
        error instanceof ChannelError
          ? error
          : new ChannelError('failed', 'its output cannot be read', { cause: error }),
      );
    }
  }

  async #take(running: Running, message: unknown, line: number): Promise<void> {
    const { id, value, error, event } = (message ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof id === 'number') {
      // Nobody waits for the answer to what took too long.
      const asker = running.askers.get(id);
      if (error === undefined) asker?.resolve(value);
      else asker?.reject(new ChannelError('failed', `the program says: ${String(error).slice(0, 200)}`));
    } else if (event !== undefined) {
      await this.#handover?.give(event);
    } else {
      throw new ChannelError('unreadable', `line ${line} is neither an answer nor an event`);
    }
  }

  /** Everybody who waits for the program hears why it has ended; whoever comes next starts another. */
  #end(running: Running, error: ChannelError): void {
    if (this.#running !== running) return;
    this.#running = undefined;
    for (const { reject } of running.askers.values()) reject(error);
    this.#handover?.end(error);
    this.#handover = undefined;
  }

  /** Keeps our process alive for as long as somebody waits for the other one, and no longer. */
  #hold({ child, askers }: Running): void {
    const isNeeded = askers.size > 0 || this.#handover !== undefined;
    const streams = [child.stdin, child.stdout] as unknown as (Pick<ChildProcess, 'ref' | 'unref'> | null)[];
    for (const part of [child, ...streams]) {
      if (isNeeded) part?.ref();
      else part?.unref();
    }
  }
}
