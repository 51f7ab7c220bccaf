import type { ExecutionResult } from 'graphql';

const texts = new WeakMap<ExecutionResult, string>();

/** A result as JSON. Subscribers that share a result share its text: it is printed once. */
export function printResult(result: ExecutionResult): string {
  let text = texts.get(result);
  if (text === undefined) {
    text = JSON.stringify(toWire(result));
    texts.set(result, text);
  }
  return text;
}

/** A result without the HTTP status in its errors, which is only for engines. */
export function toWire(result: ExecutionResult): ExecutionResult {
  const { errors } = result;
  if (!errors?.some(({ extensions }) => 'http' in extensions)) return result;
  const shown = errors.map((error) => {
    const { http: _, ...extensions } = error.extensions;
    return { ...error.toJSON(), extensions };
  });
  return { ...result, errors: shown as unknown as ExecutionResult['errors'] & object };
}
