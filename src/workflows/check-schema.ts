import { readPattern } from '../pattern/pattern.js';
import { follow, parsePointer } from '../source/json-pointer.js';

/** A JSON Schema as data. */
type Schema = Readonly<Record<string, unknown>>;

/**
 * The ways in which a value does not fit a JSON Schema of an OpenAPI document: `/items/0/price must be a number`. The
 * keywords are those that are emitted for responses; formats are not checked. At most ten, so that a report stays readable.
 *
 * @param document - Where references point.
 */
export function checkSchema(document: object, schema: unknown, value: unknown): readonly string[] {
  const found: string[] = [];
  check(document, schema as Schema, value, '', (path, must) => {
    if (found.length < 10) found.push(`${path === '' ? 'the value' : path} ${must}`);
  });
  return found;
}

type Report = (path: string, must: string) => void;

function check(document: object, schema: Schema, value: unknown, path: string, report: Report): void {
  const { $ref, oneOf, anyOf, allOf, type, properties, required, items } = schema;
  const options = (oneOf ?? anyOf) as readonly Schema[] | undefined;
  if (typeof $ref === 'string') check(document, valueAt(document, $ref) as Schema, value, path, report);
  for (const part of (allOf as readonly Schema[]) ?? []) check(document, part, value, path, report);
  if (options !== undefined) checkOptions(document, options, value, path, report);
  if (type !== undefined && ![type].flat().some((name) => isOfType(value, String(name)))) {
    report(path, `must be ${[type].flat().join(' or ')}, not ${describe(value)}`);
    return;
  }
  if ('const' in schema && !isEqual(schema.const, value))
    report(path, `must be ${JSON.stringify(schema.const)}, not ${describe(value)}`);
  if (Array.isArray(schema.enum) && !schema.enum.some((one) => isEqual(one, value)))
    report(
      path,
      `must be one of ${schema.enum.map((one) => JSON.stringify(one)).join(', ')}, not ${describe(value)}`,
    );
  checkLimits(schema, value, path, report);
  if (Array.isArray(value) && items !== undefined)
    for (const [at, item] of value.entries()) check(document, items as Schema, item, `${path}/${at}`, report);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const members = value as Readonly<Record<string, unknown>>;
  for (const name of (required as readonly string[]) ?? [])
    if (!Object.hasOwn(members, name)) report(`${path}/${name}`, 'is missing');
  const known = (properties ?? {}) as Readonly<Record<string, Schema>>;
  for (const [name, member] of Object.entries(members)) {
    const inner = Object.hasOwn(known, name) ? known[name] : undefined;
    if (inner !== undefined) check(document, inner, member, `${path}/${name}`, report);
    else if (schema.additionalProperties === false) report(`${path}/${name}`, 'is not known');
  }
}

/** One of the options must fit. The problems are those of the option that is meant: the one with its `__typename`, or not null. */
function checkOptions(
  document: object,
  options: readonly Schema[],
  value: unknown,
  path: string,
  report: Report,
): void {
  const results = options.map((option) => {
    const found: [string, string][] = [];
    check(document, option, value, path, (at, must) => found.push([at, must]));
    return found;
  });
  if (results.some((found) => found.length === 0)) return;
  const isMeant = (found: readonly [string, string][]) =>
    !found.some(
      ([at, must]) => at === `${path}/__typename` || (at === path && must.startsWith('must be null')),
    );
  const meant = results.filter(isMeant);
  if (meant.length === 1) for (const [at, must] of meant[0] ?? []) report(at, must);
  else report(path, `fits none of ${options.length} schemas`);
}

function checkLimits(schema: Schema, value: unknown, path: string, report: Report): void {
  const limit = (name: string) => (typeof schema[name] === 'number' ? (schema[name] as number) : undefined);
  const within = (amount: number, least: string, most: string, be = 'be', what = ''): void => {
    if (amount < (limit(least) ?? amount)) report(path, `must ${be} at least ${limit(least)}${what}`);
    if (amount > (limit(most) ?? amount)) report(path, `must ${be} at most ${limit(most)}${what}`);
  };
  if (typeof value === 'number') {
    const [above, below, step] = [limit('exclusiveMinimum'), limit('exclusiveMaximum'), limit('multipleOf')];
    within(value, 'minimum', 'maximum');
    if (above !== undefined && value <= above) report(path, `must be more than ${above}`);
    if (below !== undefined && value >= below) report(path, `must be less than ${below}`);
    if (step !== undefined && !Number.isInteger(value / step)) report(path, `must be a multiple of ${step}`);
  } else if (typeof value === 'string') {
    within([...value].length, 'minLength', 'maxLength', 'have', ' characters');
    const reading = typeof schema.pattern === 'string' ? readPattern(schema.pattern) : undefined;
    if (reading?.ok === false) report(path, `cannot be checked against the pattern ${schema.pattern}`);
    else if (reading?.pattern.test(value) === false) report(path, `must match ${schema.pattern}`);
  } else if (Array.isArray(value)) within(value.length, 'minItems', 'maxItems', 'have', ' items');
  else if (typeof value === 'object' && value !== null)
    within(Object.keys(value).length, 'minProperties', 'maxProperties', 'have', ' members');
}

/** The part of a document that a reference points to (RFC 6901); undefined if there is none. */
export function valueAt(document: unknown, reference: string): unknown {
  return follow(document, parsePointer(reference.slice(reference.indexOf('#') + 1)));
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

function describe(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function isEqual(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
