import type { ExecutionResult } from 'graphql';

const texts = new WeakMap<ExecutionResult, string>();

/** A result as JSON. Those who share a result share its text: it is written once. */
export function printResult(result: ExecutionResult): string {
  let text = texts.get(result);
  if (text === undefined) {
    text = JSON.stringify(toWire(result));
    texts.set(result, text);
  }
  return text;
}

/** A result without what its errors say to an engine alone: the status that an HTTP answer would have. */
export function toWire(result: ExecutionResult): ExecutionResult {
  const { errors } = result;
  if (!errors?.some(({ extensions }) => 'http' in extensions)) return result;
  const shown = errors.map((error) => {
    const { http: _, ...extensions } = error.extensions;
    return { ...error.toJSON(), extensions };
  });
  return { ...result, errors: shown as unknown as ExecutionResult['errors'] & object };
}
