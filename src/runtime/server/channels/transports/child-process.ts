import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { defined } from '../../../../base/values/defined.js';
import { ChannelError, type RuntimeIoChannel } from '../binding/channel.js';
import { FanOut } from './fan-out.js';
import { makeChannel } from './make-channel.js';
import { defaultMaxLine, failureOf, LineReader, printLine } from './read-lines.js';

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
    outgoing: { write: (record, { operation, signal }) => process.ask({ op: 'write', operation, record }, signal) },
    close: () => process.close(),
  });
}

interface Running {
  readonly child: ChildProcess;
  readonly input: Writable;
  readonly askers: Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>;
  readonly ended: Promise<void>;
}

class JsonProcess {
  readonly events: FanOut;
  #running: Running | undefined;
  #lastId = 0;
  /** Receives events while there are subscribers. */
  #events: WritableStreamDefaultWriter<unknown> | undefined;

  constructor(private readonly options: ChildProcessOptions) {
    const { buffer, patience } = options;
    this.events = new FanOut({ open: (signal) => this.#listen(signal), keepOpen: false, buffer, patience });
  }

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
    const answer = new Promise((resolve, reject) => askers.set(id, { resolve, reject }));
    const leave = (): void => askers.get(id)?.reject(signal.reason);
    signal.addEventListener('abort', leave);
    this.#hold(running);
    running.input.write(line);
    try {
      return await answer;
    } finally {
      signal.removeEventListener('abort', leave);
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
    // Without a buffer, so that the program is read as fast as its events are taken.
    const { readable, writable } = new TransformStream<unknown, unknown>();
    const events = writable.getWriter();
    this.#events = events;
    const running = this.#start();
    this.#hold(running);
    running.input.write('{"op":"subscribe"}\n');
    signal.addEventListener('abort', () => {
      events.abort().catch(() => undefined);
      if (this.#events === events) this.#events = undefined;
      this.#hold(running);
    });
    return readable;
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
      this.#end(running, failureOf(error, 'its output cannot be read'));
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
      // Rejects when the subscribers have left.
      await this.#events?.write(event).catch(() => undefined);
    } else {
      throw new ChannelError('unreadable', `line ${line} is neither an answer nor an event`);
    }
  }

  /** Rejects all pending requests. The next request starts another process. */
  #end(running: Running, error: ChannelError): void {
    if (this.#running !== running) return;
    this.#running = undefined;
    for (const { reject } of running.askers.values()) reject(error);
    this.#events?.abort(error).catch(() => undefined);
    this.#events = undefined;
  }

  /** Keeps this process alive only while requests or subscriptions wait for the other one. */
  #hold({ child, askers }: Running): void {
    const isNeeded = askers.size > 0 || this.#events !== undefined;
    const streams = [child.stdin, child.stdout] as unknown as (Pick<ChildProcess, 'ref' | 'unref'> | null)[];
    for (const part of [child, ...streams]) {
      if (isNeeded) part?.ref();
      else part?.unref();
    }
  }
}
