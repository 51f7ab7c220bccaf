import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { defined } from '../../../../base/values/defined.js';
import { ChannelError, type RuntimeIoChannel } from '../binding/channel.js';
import { FanOut } from './fan-out.js';
import { makeChannel } from './make-channel.js';
import { defaultMaxLine, LineReader, printLine } from './read-lines.js';

/** Options of a child process channel. */
export interface ChildProcessOptions extends Pick<RuntimeIoChannel, 'node' | 'direction' | 'badRecords'> {
  /** The program. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Its working directory. */
  readonly cwd?: string;
  /** Its environment. Default: that of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** The timeout of an answer, in milliseconds. Default: 10,000. */
  readonly timeout?: number;
  /** The maximum length of a line, in bytes. Default: 1 MiB. */
  readonly maxLine?: number;
  /** The maximum number of requests without an answer. Default: 100. */
  readonly maxPending?: number;
  /** How many events may wait for one subscriber before reading pauses. Default: 100. */
  readonly buffer?: number;
  /** How long reading pauses for a slow subscriber before it is dropped, in milliseconds. Default: 10,000. */
  readonly patience?: number;
}

/**
 * A program that speaks JSON Lines on its standard input and output. The channel starts it on first use, and again after
 * it has exited. The program may answer requests in any order, by `id`:
 *
 * - `{"id":1,"op":"read","operation":"stock","args":{…}}` → `{"id":1,"value":…}` or `{"id":1,"error":"…"}`
 * - `{"id":2,"op":"write","operation":"saveStock","record":{…}}` → the same
 * - `{"op":"subscribe"}` once there is a subscriber → `{"event":…}` for each event
 *
 * Its standard error goes to that of this process. Any other line ends the program.
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
  const process = new JsonProcess(options);
  return makeChannel(options, 'process', {
    incoming: {
      read: ({ operation, args, signal }) => process.ask({ op: 'read', operation, args }, signal),
      subscribe: ({ signal }) => process.events.subscribe(signal),
    },
    outgoing: {
      write: (record, { operation, signal }) => process.ask({ op: 'write', operation, record }, signal),
    },
    close: () => process.close(),
  });
}

interface Asker {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Running {
  readonly child: ChildProcess;
  readonly input: Writable;
  readonly askers: Map<number, Asker>;
  /** Settles when it has exited. */
  readonly ended: Promise<void>;
}

class JsonProcess {
  readonly events: FanOut;
  #running: Running | undefined;
  #lastId = 0;
  /** Receives events while there are subscribers. */
  #handover: Handover | undefined;

  constructor(private readonly options: ChildProcessOptions) {
    const { buffer, patience } = options;
    this.events = new FanOut({ open: (signal) => this.#listen(signal), keepOpen: false, buffer, patience });
  }

  /** Sends a request and waits for its answer. */
  async ask(request: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown> {
    const { maxPending = 100, maxLine = defaultMaxLine } = this.options;
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
    const { command, args = [], cwd, env } = this.options;
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], ...defined({ cwd, env }) });
    // An error of its input is followed by its exit, which is reported.
    child.stdin.on('error', () => undefined);
    const ended = new Promise<void>((resolve) => {
      child.once('error', (error) => {
        this.#end(running, new ChannelError('failed', 'the program cannot be started', { cause: error }));
        resolve();
      });
      child.once('exit', (code, signal) => {
        const how = signal === null ? `with the code ${code}` : `on the signal ${signal}`;
        // Output may still be in the pipe.
        reading.finally(() => {
          this.#end(running, new ChannelError('failed', `the program exited ${how}`));
          resolve();
        });
      });
    });
    const running: Running = { child, input: child.stdin, askers: new Map(), ended };
    const reading = this.#read(running, child.stdout);
    return running;
  }

  /** Reads the output of the program, as fast as subscribers take events. */
  async #read(running: Running, output: Readable): Promise<void> {
    const lines = new LineReader(this.options.maxLine ?? defaultMaxLine);
    try {
      for await (const chunk of output) {
        for (const read of lines.read(chunk as Buffer)) {
          if (read instanceof ChannelError) throw read;
          await this.#take(running, read.record, read.line);
        }
      }
      if (lines.last !== undefined) {
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
      // The request may have timed out before.
      const asker = running.askers.get(id);
      if (error === undefined) asker?.resolve(value);
      else asker?.reject(new ChannelError('failed', `the program reported: ${String(error).slice(0, 200)}`));
    } else if (event !== undefined) {
      await this.#handover?.give(event);
    } else {
      throw new ChannelError('unreadable', `line ${line} is neither an answer nor an event`);
    }
  }

  /** Rejects all pending requests. The next request starts another process. */
  #end(running: Running, error: ChannelError): void {
    if (this.#running !== running) return;
    this.#running = undefined;
    for (const { reject } of running.askers.values()) reject(error);
    this.#handover?.end(error);
    this.#handover = undefined;
  }

  /** Keeps this process alive only while requests or subscriptions wait for the other one. */
  #hold({ child, askers }: Running): void {
    const isNeeded = askers.size > 0 || this.#handover !== undefined;
    const streams = [child.stdin, child.stdout] as unknown as (Pick<ChildProcess, 'ref' | 'unref'> | null)[];
    for (const part of [child, ...streams]) {
      if (isNeeded) part?.ref();
      else part?.unref();
    }
  }
}

/** Passes values from a producer to a consumer; the producer waits until each value is taken. */
export class Handover implements AsyncIterableIterator<unknown, void> {
  #offer: { readonly value: unknown; readonly taken: () => void } | undefined;
  #taker: { resolve(step: IteratorResult<unknown, void>): void; reject(error: unknown): void } | undefined;
  #end: { readonly error: unknown } | undefined;

  /** Settles once the value is taken, or the consumer has ended. */
  give(value: unknown): Promise<void> {
    if (this.#end !== undefined) return Promise.resolve();
    const taker = this.#taker;
    if (taker !== undefined) {
      this.#taker = undefined;
      taker.resolve({ done: false, value });
      return Promise.resolve();
    }
    return new Promise((taken) => {
      this.#offer = { value, taken };
    });
  }

  /** Ends both sides; the consumer gets the error, if there is one. */
  end(error?: unknown): void {
    if (this.#end !== undefined) return;
    this.#offer?.taken();
    this.#offer = undefined;
    const taker = this.#taker;
    this.#taker = undefined;
    // The error is thrown once.
    this.#end = { error: taker === undefined ? error : undefined };
    if (taker === undefined) return;
    if (error === undefined) taker.resolve({ done: true, value: undefined });
    else taker.reject(error);
  }

  next(): Promise<IteratorResult<unknown, void>> {
    if (this.#end !== undefined) {
      const { error } = this.#end;
      this.#end = { error: undefined };
      return error === undefined ? Promise.resolve({ done: true, value: undefined }) : Promise.reject(error);
    }
    const offer = this.#offer;
    if (offer !== undefined) {
      this.#offer = undefined;
      offer.taken();
      return Promise.resolve({ done: false, value: offer.value });
    }
    return new Promise((resolve, reject) => {
      this.#taker = { resolve, reject };
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
