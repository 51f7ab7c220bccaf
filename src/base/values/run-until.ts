import { isPromiseLike } from './maybe-promise.js';

/** The longest delay of a Node timer; a longer one would fire immediately. */
const longestTimer = 2 ** 31 - 1;

/** Signals that a client disconnected: an `AbortSignal`, or the equivalent of a host. */
export interface CancelSource {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface Deadline {
  /** In milliseconds; may be infinite. */
  readonly timeout: number;
  readonly client?: CancelSource | undefined;
}

/** A source that says why: an `AbortSignal`, or a {@link Lifetime}. */
export interface Cancellation extends CancelSource {
  readonly reason: unknown;
}

/** The cancellation of work. The signal is created lazily, because most work never reads it: listeners cost less. */
export class Lifetime implements Cancellation {
  #controller: AbortController | undefined;
  #reason: unknown;
  #isOver = false;
  #listeners: (() => void)[] | undefined;

  /** Aborted when the result is no longer needed. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isOver) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get aborted(): boolean {
    return this.#isOver;
  }

  get reason(): unknown {
    return this.#reason;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners ??= [];
    this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners = this.#listeners?.filter((one) => one !== listener);
  }

  end(reason: unknown): void {
    this.#isOver = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
    for (const listener of this.#listeners ?? []) listener();
  }
}

type GiveUp<GivenUp> = (
  why: 'timeout' | 'aborted',
  lifetime: Lifetime,
  deadline: Deadline,
) => GivenUp | Promise<GivenUp>;

/**
 * Runs work until it is done, the timeout expires or the client disconnects. In the last two cases the result is that of
 * `giveUp`, which also ends the lifetime. Synchronous work costs neither a timer nor a signal.
 *
 * @param run - Starts the work. It gets the conditions, so that a caller whose work depends on more can add to them, and
 * makes no function for each call.
 * @param giveUp - Makes the result of work that is not done.
 * @param drop - Receives the late result of work that was given up.
 */
export function runUntil<Result, GivenUp, Conditions extends Deadline = Deadline>(
  deadline: Conditions,
  run: (lifetime: Lifetime, deadline: Conditions) => Result | PromiseLike<Result>,
  giveUp: GiveUp<GivenUp>,
  drop?: (late: Result) => void,
): Result | GivenUp | Promise<Result | GivenUp> {
  const lifetime = new Lifetime();
  if (deadline.client?.aborted === true) return giveUp('aborted', lifetime, deadline);
  const running = run(lifetime, deadline);
  if (!isPromiseLike(running)) return running;
  return waitUntil(running as PromiseLike<Result>, lifetime, deadline, giveUp, drop);
}

/** Separate, so that synchronous work does not pay for the variables of these functions. */
function waitUntil<Result, GivenUp>(
  running: PromiseLike<Result>,
  lifetime: Lifetime,
  deadline: Deadline,
  giveUp: GiveUp<GivenUp>,
  drop: ((late: Result) => void) | undefined,
): Promise<Result | GivenUp> {
  const { timeout, client } = deadline;
  return new Promise<Result | GivenUp>((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    const finish = (): void => {
      isOver = true;
      clearTimeout(timer);
      client?.removeEventListener('abort', leave);
    };
    const end = (why: 'timeout' | 'aborted'): void => {
      finish();
      resolve(giveUp(why, lifetime, deadline));
    };
    const leave = (): void => end('aborted');
    client?.addEventListener('abort', leave);
    if (timeout <= longestTimer) timer = setTimeout(() => end('timeout'), timeout);
    running.then(
      (result) => {
        if (isOver) return drop?.(result);
        finish();
        resolve(result);
      },
      (error: unknown) => {
        finish();
        reject(error);
      },
    );
  });
}
