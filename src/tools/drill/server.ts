import type { ChildProcess } from 'node:child_process';
import { type Diagnostic, diagnose } from '../../base/diagnostics/diagnostic.js';
import { wholeFile } from '../../base/source/span.js';

/** A server of a drill could not be started. */
export class ServerFailure extends Error {
  override readonly name = 'ServerFailure';

  constructor(readonly diagnostic: Diagnostic) {
    super(diagnostic.message);
  }
}

/** One process that serves the project, and can be started again. */
export class DrillServer {
  /** `http://127.0.0.1:4000`, of the last start. */
  origin = '';
  #child: ChildProcess | undefined;
  #exit: Promise<unknown> = Promise.resolve();
  #isServing = false;

  constructor(
    readonly name: string,
    private readonly spawn: () => ChildProcess,
  ) {}

  /** Whether it takes requests. */
  get isServing(): boolean {
    return this.#isServing;
  }

  /** Starts the process, and waits until it says where it listens. @throws {ServerFailure} GG5070 if it ends instead. */
  async start(): Promise<void> {
    const child = this.spawn();
    this.#child = child;
    let [said, errors] = ['', ''];
    // A drill that is ended at once leaves no process behind.
    const end = (): void => void child.kill('SIGKILL');
    process.once('exit', end);
    const exit = new Promise<void>((resolve) => {
      child.once('error', (error) => {
        errors += error.message;
        resolve();
      });
      child.once('close', () => resolve());
    }).then(() => {
      process.off('exit', end);
      this.#isServing = false;
    });
    this.#exit = exit;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-2_000);
    });
    const origin = new Promise<string>((resolve) => {
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        if (this.#isServing) return;
        said += text;
        const found = /^ *GraphQL +(\S+)\s/m.exec(said)?.[1];
        if (found !== undefined) resolve(new URL(found).origin);
      });
    });
    const found = await Promise.race([origin, exit]);
    if (found === undefined) {
      const reason = errors.trim() || 'it ended without a message';
      throw new ServerFailure(diagnose('GG5070', { reason }, wholeFile(this.name)));
    }
    this.origin = found;
    this.#isServing = true;
  }

  /** Sends a signal, and waits for the end. */
  async stop(signal: NodeJS.Signals): Promise<void> {
    this.#isServing = false;
    this.#child?.kill(signal);
    await this.#exit;
  }

  /** Whether it is ready, and connected to its broker. */
  async isReady(signal: AbortSignal): Promise<boolean> {
    if (!this.#isServing) return false;
    try {
      const response = await fetch(`${this.origin}/health/ready`, { signal });
      const { events } = (await response.json()) as { readonly events?: { readonly connection?: string } };
      return response.ok && (events?.connection ?? 'connected') === 'connected';
    } catch {
      return false;
    }
  }
}
