import { type ExecutionResult, GraphQLError } from 'graphql';
import { isPromiseLike } from '../values/read-property.js';

/** The longest time that a timer of Node takes; a longer one would fire at once. */
const longestTimer = 2 ** 31 - 1;

/** Signals that a client disconnected: an `AbortSignal`, or the equivalent of a host. */
export interface CancelSource {
  /** Whether the client has disconnected already. */
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** When an operation is ended though it is not done. */
export interface Deadline {
  /** How long it may run, in milliseconds; may be infinite. */
  readonly timeout: number;
  /** Tells when its client goes away. */
  readonly client?: CancelSource | undefined;
}

/** How long the resolvers of an operation have. Most never ask for their signal, so it is made for who asks. */
export class Lifetime {
  #controller: AbortController | undefined;
  #reason: unknown;
  #isOver = false;

  /** Aborted when nobody waits for the operation any more. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isOver) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Ends it; the reason is what resolvers hear. */
  end(reason: unknown): void {
    this.#isOver = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}

/**
 * Runs an operation until it is done, its time is over or its client is gone. In the last two cases the
 * operation hears of it over its own signal and nobody waits for it any more: the result is an error, with
 * the code OPERATION_TIMEOUT or OPERATION_ABORTED. An operation that is done at once has its result at once,
 * and costs neither a timer nor a signal.
 *
 * @param run - Starts the operation; the lifetime has the signal for its resolvers.
 * @param drop - Gets what the operation still comes to when nobody waits for it.
 */
export function runWithin<Result>(
  deadline: Deadline,
  run: (lifetime: Lifetime) => Result | PromiseLike<Result>,
  drop: (late: Result) => void = () => undefined,
): Result | ExecutionResult | Promise<Result | ExecutionResult> {
  if (deadline.client?.aborted === true) return { errors: [aborted()] };
  const lifetime = new Lifetime();
  const running = run(lifetime);
  return isPromiseLike(running) ? waitFor(running as PromiseLike<Result>, deadline, lifetime, drop) : running;
}

function waitFor<Result>(
  running: PromiseLike<Result>,
  { timeout, client }: Deadline,
  lifetime: Lifetime,
  drop: (late: Result) => void,
): Promise<Result | ExecutionResult> {
  return new Promise<Result | ExecutionResult>((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    const finish = (): void => {
      isOver = true;
      clearTimeout(timer);
      client?.removeEventListener('abort', leave);
    };
    const endWith = (error: GraphQLError): void => {
      finish();
      resolve({ errors: [error] });
      lifetime.end(error);
    };
    const leave = (): void => endWith(aborted());
    client?.addEventListener('abort', leave);
    if (timeout <= longestTimer) timer = setTimeout(() => endWith(timedOut(timeout)), timeout);
    running.then(
      (result) => {
        if (isOver) return drop(result);
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

function timedOut(timeout: number): GraphQLError {
  return new GraphQLError(`The operation took longer than ${timeout / 1000} seconds.`, {
    extensions: { code: 'OPERATION_TIMEOUT', http: { status: 504 } },
  });
}

function aborted(): GraphQLError {
  return new GraphQLError('The operation was ended because nobody waits for it.', {
    extensions: { code: 'OPERATION_ABORTED', http: { status: 499 } },
  });
}
