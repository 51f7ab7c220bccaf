import { followReference } from '../../base/source/json-pointer.js';

/** What the expressions of a workflow refer to (Arazzo 1.0.1, section 4.7). */
export interface Facts {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** The response of the current step; absent before there is one. */
  readonly response?: { readonly status: number; readonly body: unknown };
}

/** An expression refers to something that is not there. */
export class MissingValue extends Error {
  override readonly name = 'MissingValue';
}

/**
 * Evaluates the expressions in a value: a text that is one, those in braces inside a text, and those in lists and objects.
 *
 * @throws {MissingValue} If one refers to nothing.
 */
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
