/** The place of a wrong value, and the expected value. */
export interface Misfit {
  /** The path to the place: `.chains[0].chainId`; empty for the value itself. */
  readonly path: string;
  /** The expected value: `a list`, `one of …`. */
  readonly expected: string;
}

/** Checks a value; undefined if it has the shape. */
export type Shape = (value: unknown) => Misfit | undefined;

/** An object with these members and no others, in any order. */
export function object(
  members: Readonly<Record<string, Shape>>,
  optional: Readonly<Record<string, Shape>> = {},
): Shape {
  const required = Object.entries(members);
  const extra = Object.entries(optional);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong('an object');
    const given = value as Readonly<Record<string, unknown>>;
    let count = required.length;
    for (const [name, shape] of required) {
      if (!Object.hasOwn(given, name)) return { path: `.${name}`, expected: 'present' };
      const misfit = shape(given[name]);
      if (misfit !== undefined) return within(`.${name}`, misfit);
    }
    for (const [name, shape] of extra) {
      if (!Object.hasOwn(given, name)) continue;
      count += 1;
      const misfit = shape(given[name]);
      if (misfit !== undefined) return within(`.${name}`, misfit);
    }
    for (const _ in given) count -= 1;
    if (count === 0) return undefined;
    const isKnown = (name: string): boolean => Object.hasOwn(members, name) || Object.hasOwn(optional, name);
    const unknown = Object.keys(given).find((name) => !isKnown(name));
    return { path: `.${unknown}`, expected: 'absent: it is not a known member' };
  };
}

/** A list of at least `least` and at most `most` items. */
export function list(item: Shape, least: number, most: number): Shape {
  return (value) => {
    if (!Array.isArray(value)) return wrong('a list');
    if (value.length < least || value.length > most) return wrong(`a list of ${least} to ${most} items`);
    for (let index = 0; index < value.length; index++) {
      const misfit = item(value[index]);
      if (misfit !== undefined) return within(`[${index}]`, misfit);
    }
    return undefined;
  };
}

/** A string of at most 2048 characters that matches a pattern. */
export function text(pattern: RegExp, expected: string): Shape {
  return (value) =>
    typeof value === 'string' && value.length <= 2048 && pattern.test(value) ? undefined : wrong(expected);
}

/** A string that a function accepts. */
export function textWhere(accepts: (text: string) => boolean, expected: string): Shape {
  return (value) => (typeof value === 'string' && accepts(value) ? undefined : wrong(expected));
}

/** An integer in a range. */
export function integer(least: number, most: number): Shape {
  const expected = `an integer from ${least} to ${most}`;
  return (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
      ? undefined
      : wrong(expected);
}

/** One of these strings. */
export function oneOf(...texts: readonly string[]): Shape {
  return (value) =>
    texts.some((candidate) => candidate === value) ? undefined : wrong(texts.map(quote).join(' or '));
}

function quote(value: string): string {
  return JSON.stringify(value);
}

function wrong(expected: string): Misfit {
  return { path: '', expected };
}

function within(step: string, { path, expected }: Misfit): Misfit {
  return { path: `${step}${path}`, expected };
}
