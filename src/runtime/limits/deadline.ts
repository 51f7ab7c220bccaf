import { type ExecutionResult, GraphQLError } from 'graphql';

/** The longest time that a timer of Node takes; a longer one would fire at once. */
const longestTimer = 2 ** 31 - 1;

/** When an operation is ended though it is not done. */
export interface Deadline {
  /** How long it may run, in milliseconds; may be infinite. */
  readonly timeout: number;
  /** Aborted when its client goes away. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs an operation until it is done, its time is over or its client is gone. In the last two cases the
 * operation hears of it over its own signal and nobody waits for it any more: the result is an error, with
 * the code OPERATION_TIMEOUT or OPERATION_ABORTED.
 *
 * @param run - Starts the operation; the signal is for its resolvers.
 * @param drop - Gets what the operation still comes to when nobody waits for it.
 */
export function runWithin<Result>(
  { timeout, signal }: Deadline,
  run: (signal: AbortSignal) => Promise<Result>,
  drop: (late: Result) => void = () => undefined,
): Promise<Result | ExecutionResult> {
  if (signal?.aborted === true) return Promise.resolve({ errors: [aborted()] });
  const controller = new AbortController();
  return new Promise<Result | ExecutionResult>((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    const finish = (): void => {
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    };
    const endWith = (error: GraphQLError): void => {
      finish();
      resolve({ errors: [error] });
      controller.abort(error);
    };
    const leave = (): void => endWith(aborted());
    signal?.addEventListener('abort', leave);
    if (timeout <= longestTimer) timer = setTimeout(() => endWith(timedOut(timeout)), timeout);
    run(controller.signal).then(
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
