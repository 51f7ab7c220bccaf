import type { ArazzoParameter, ArazzoStep } from '../../compiler/emit/arazzo/format.js';
import { evaluate, type Facts } from './expressions.js';

export interface StepRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/**
 * The request of a step or of a stream, with its expressions evaluated.
 *
 * @throws {MissingValue} If an expression refers to nothing.
 */
export function requestOf(
  { method, path }: { readonly method: string; readonly path: string },
  { parameters = [], requestBody }: Pick<ArazzoStep, 'parameters' | 'requestBody'>,
  facts: Facts,
): StepRequest {
  const headers: Record<string, string> = {};
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: place, value } of parameters as readonly ArazzoParameter[]) {
    const given = evaluate(value, facts);
    if (place === 'header') headers[name] = String(given);
    else if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(textOf(given)));
    else if (!Array.isArray(given)) query.append(name, textOf(given));
    else if (given.length === 0) query.append(name, '');
    else for (const item of given) query.append(name, textOf(item));
  }
  if (requestBody !== undefined) headers['content-type'] = requestBody.contentType;
  return {
    method,
    target: query.size === 0 ? filled : `${filled}?${query}`,
    headers,
    body: requestBody && JSON.stringify(evaluate(requestBody.payload, facts)),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
