import { followReference } from '../../base/source/json-pointer.js';
import type { ArazzoParameter, ArazzoStep } from '../../compiler/emit/arazzo/format.js';

/** The values that the expressions of a workflow refer to (Arazzo 1.0.1, section 4.7). */
export interface Facts {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** The response of the current step; absent before there is one. */
  readonly response?: {
    readonly status: number;
    readonly body: unknown;
    /** The receipt: the id of the last event that the request published. */
    readonly eventId?: string | undefined;
  };
}

/** An expression refers to something that is not there. */
export class MissingValue extends Error {
  override readonly name = 'MissingValue';
}

/** Evaluates the expressions in a value, in its lists and objects too: a text is one, or has some in braces. */
export function evaluate(value: unknown, facts: Facts): unknown {
  if (Array.isArray(value)) return value.map((item) => evaluate(item, facts));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, evaluate(inner, facts)]));
  if (typeof value !== 'string') return value;
  if (expression.test(value)) return lookUp(value, facts);
  return value.replace(embedded, (_, inner: string) => String(lookUp(inner, facts)));
}

/** Whether a condition `a == b` holds; undefined if it does, else the values that differ. */
export function failureOf(condition: string, facts: Facts): string | undefined {
  const [left = '', right = ''] = condition.split(' == ');
  const wanted = expression.test(right) ? lookUp(right, facts) : JSON.parse(right);
  const found = lookUp(left, facts);
  if (found === wanted) return undefined;
  return `${left} is ${JSON.stringify(found)}, expected ${JSON.stringify(wanted)}`;
}

const expression = /^\$(?:statusCode|inputs\.\w+|steps\.\w+\.outputs\.\w+|response\.body(?:#\/.*)?)$/;
const embedded = /\{(\$(?:inputs|steps)\.[\w.]+)\}/g;

function lookUp(text: string, { inputs, outputs, response }: Facts): unknown {
  const [head, ...names] = (text.split('#', 1)[0] ?? '').slice(1).split('.');
  let found: unknown;
  if (head === 'statusCode') found = response?.status;
  else if (head === 'inputs') found = inputs[names[0] ?? ''];
  else if (head === 'steps') found = outputs.get(names[0] ?? '')?.[names[2] ?? ''];
  else found = text.includes('#') ? followReference(response?.body, text) : response?.body;
  if (found === undefined) throw new MissingValue(`${text} has no value`);
  return found;
}

export interface StepRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The request of a step or of a stream, with its expressions evaluated. */
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
