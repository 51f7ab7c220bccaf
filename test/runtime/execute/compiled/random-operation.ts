import { readProperty } from '../../../../src/base/values/read-property.js';
import type { Resolvers } from '../../../../src/runtime/execute/resolvers/contract.js';
import { RaceWinner } from '../../../../src/runtime/execute/resolvers/race-winner.js';

/** A random topology with one query per type, a random document, and a factory of random values for it. */
export interface RandomOperation {
  readonly source: string;
  readonly document: string;
  /** The name of the query that the document calls. */
  readonly query: string;
  /** Those of some fields, which give the property of their parent: at once, or later. */
  readonly resolvers: Resolvers;
  /** Makes the value of the query. Each call makes an equal value, with read counts of its own. */
  make(): RandomValue;
}

export interface RandomValue {
  readonly value: unknown;
  /** How often each property of an object, and each item of a proxied list, was read: `12.name` → 1. */
  readonly reads: Map<string, number>;
}

interface Field {
  readonly name: string;
  readonly type: Type;
}

type Type =
  | { readonly kind: 'leaf'; readonly name: string; readonly required: boolean }
  | { readonly kind: 'object'; readonly name: string; readonly required: boolean }
  | { readonly kind: 'list'; readonly of: Type; readonly required: boolean };

type Random = () => number;

/** Mulberry32: small, and equal on every machine. */
function createRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
const chance = (random: Random, probability: number): boolean => random() < probability;

const leaves = ['String', 'Int', 'Float', 'Boolean', 'ID', 'Mood'];
const fieldNames = ['alpha', 'beta', 'gamma', 'toString', 'constructor', 'valueOf', 'then', 'length'];
const typeNames = ['apple', 'berry', 'cherry'];

export function createRandomOperation(seed: number): RandomOperation {
  const random = createRandom(seed);
  const types = new Map(typeNames.map((name) => [name, randomFields(random)]));
  const root = pick(random, typeNames);
  const returns = wrap(random, { kind: 'object', name: pascal(root), required: chance(random, 0.3) }, 2);
  const isRaced = chance(random, 0.15);
  const query = isRaced ? 'raced' : 'asked';
  const selection = isRaced
    ? `{ __typename ${typeNames
        .slice(0, 2)
        .map((name) => `... on ${pascal(name)} ${select(random, types, name, 2, `${name}_`)}`)
        .join(' ')} }`
    : select(random, types, root, 3);
  const resolvers = Object.fromEntries(
    [...types].map(([name, fields]) => [pascal(name), randomResolvers(random, fields)]),
  );
  const valueSeed = Math.floor(random() * 2 ** 31);
  const document = `{ ${chance(random, 0.3) ? 'renamed: ' : ''}${query} ${selection} }`;
  // Two names of one late object take turns, and the first to come would have all items of a list that gives them once.
  const isReadTwice = /again_\w+: \w+ \{/.test(document);
  return {
    source: [
      '(mood: Enum { values: [GLAD, SAD] })',
      ...[...types].map(
        ([name, fields]) =>
          `(${name}: Record { ${fields.map((field) => `${field.name}: ${printType(field.type)}`).join(', ')} })`,
      ),
      `(root)-[:PROCESS { returns: ${printType(returns)}, operation: 'asked' }]->(${root})`,
      '(apple | berry)-[:RACE]->(fruit)',
      `(root)-[:PROCESS { operation: 'raced' }]->(fruit)`,
    ].join('\n'),
    document,
    query,
    resolvers,
    make() {
      const maker = new ValueMaker(createRandom(valueSeed), types, isReadTwice);
      const value = isRaced ? maker.raced() : maker.oddly(returns, maker.valueOf(returns, 0));
      return { value, reads: maker.reads };
    },
  };
}

function randomFields(random: Random): readonly Field[] {
  const names = fieldNames.filter(() => chance(random, 0.6));
  return (names.length === 0 ? ['alpha'] : names).map((name) => {
    const required = chance(random, 0.4);
    const base: Type = chance(random, 0.3)
      ? { kind: 'object', name: pascal(pick(random, typeNames)), required: false }
      : { kind: 'leaf', name: pick(random, leaves), required };
    return { name, type: wrap(random, base, 2) };
  });
}

function randomResolvers(random: Random, fields: readonly Field[]): Record<string, Resolver> {
  const resolved = fields.filter(() => chance(random, 0.25));
  return Object.fromEntries(
    resolved.map(({ name }): [string, Resolver] => {
      const turns = pick(random, [0, 0, 1, 2]);
      const read = (parent: object): unknown => readProperty(parent, name);
      return [name, turns === 0 ? read : async (parent) => read(await later(parent, turns))];
    }),
  );
}

type Resolver = (parent: object) => unknown;

async function later<Value>(value: Value, turns: number): Promise<Value> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
  return value;
}

function wrap(random: Random, type: Type, depth: number): Type {
  if (depth === 0 || !chance(random, 0.3)) return type;
  return wrap(random, { kind: 'list', of: type, required: chance(random, 0.4) }, depth - 1);
}

function printType(type: Type): string {
  const bare = type.kind === 'list' ? `[${printType(type.of)}]` : type.name;
  return type.required ? `${bare}!` : bare;
}

function select(
  random: Random,
  types: ReadonlyMap<string, readonly Field[]>,
  owner: string,
  depth: number,
  prefix = '',
): string {
  const parts: string[] = chance(random, 0.2) ? ['__typename'] : [];
  for (const { name, type } of types.get(owner) ?? []) {
    const named = namedOf(type);
    if (named.kind === 'object' && depth === 0) continue;
    const below = named.kind === 'object' ? ` ${select(random, types, lower(named.name), depth - 1)}` : '';
    const alias = prefix !== '' || chance(random, 0.15) ? `${prefix}other_${name}: ` : '';
    const field = `${alias}${name}${below}`;
    parts.push(chance(random, 0.1) ? `... on ${pascal(owner)} { ${field} }` : field);
    if (chance(random, 0.05)) parts.push(`${prefix}again_${name}: ${name}${below}`);
  }
  return `{ ${parts.length === 0 ? '__typename' : parts.join(' ')} }`;
}

function namedOf(type: Type): Exclude<Type, { kind: 'list' }> {
  return type.kind === 'list' ? namedOf(type.of) : type;
}

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const lower = (name: string): string => name.toLowerCase();

class ValueMaker {
  readonly reads = new Map<string, number>();
  readonly #random: Random;
  readonly #types: ReadonlyMap<string, readonly Field[]>;
  readonly #isReadTwice: boolean;
  /** Half of all values hold nothing odd, so that their plans come to an end. */
  readonly #isCalm: boolean;
  #objects = 0;

  constructor(random: Random, types: ReadonlyMap<string, readonly Field[]>, isReadTwice: boolean) {
    this.#random = random;
    this.#isReadTwice = isReadTwice;
    this.#isCalm = chance(random, 0.5);
    this.#types = types;
  }

  raced(): unknown {
    const member = pick(this.#random, ['apple', 'berry']);
    return new RaceWinner(pascal(member), this.#object(member, 0));
  }

  /** Mostly the value of a type, sometimes one that does not fit. */
  valueOf(type: Type, depth: number): unknown {
    if (!type.required && this.#isOdd(0.05)) return pick(this.#random, [null, undefined]);
    if (this.#isOdd(0.02)) return this.#misfit();
    if (type.kind === 'leaf') return this.#leaf(type.name);
    if (type.kind === 'list') return this.#list(type, depth);
    return depth > 3 ? null : this.#object(lower(type.name), depth);
  }

  /** Mostly the value itself, sometimes in a promise, a thenable or a method. */
  oddly(_type: Type, value: unknown): unknown {
    if (!this.#isOdd(0.06)) return value;
    return pick<() => unknown>(this.#random, [
      () => handled(Promise.resolve(value)),
      () => handled(Promise.reject(new Error('rejected'))),
      () => thenable((resolve) => void resolve(value)),
      () => thenable((resolve) => void setImmediate(() => resolve(value))),
      () =>
        thenable((resolve) => {
          resolve(value);
          setImmediate(() => resolve('a second answer'));
        }),
      () => thenable((_, reject) => void reject('not an Error')),
      () =>
        thenable(() => {
          throw new Error('then throws');
        }),
      () => thenable(() => undefined),
    ])();
  }

  #isOdd(probability: number): boolean {
    return !this.#isCalm && chance(this.#random, probability);
  }

  #leaf(name: string): unknown {
    const { [name]: values = [] } = leafValues;
    return this.#isCalm ? values[0] : pick(this.#random, values);
  }

  #misfit(): unknown {
    return pick<() => unknown>(this.#random, [
      () => new Date(0),
      () => 10n,
      () => Number.NaN,
      () => Number.POSITIVE_INFINITY,
      () => Symbol.iterator,
      () => new Error('an Error as a value'),
      () => ({ password: 'secret' }),
      () => [],
      () => [null, undefined],
      () => new Map([['alpha', 1]]),
      () => 'text',
      () => -0,
      () => 2 ** 31,
      () => Object.create(null),
      () => ({ async *[Symbol.asyncIterator]() {} }),
    ])();
  }

  #list(type: Extract<Type, { kind: 'list' }>, depth: number): unknown {
    const length = Math.floor(this.#random() * 4);
    const items = Array.from({ length }, () => {
      const item = this.oddly(type.of, this.valueOf(type.of, depth + 1));
      return this.#isOdd(0.05) ? handled(Promise.resolve(item)) : item;
    });
    const id = this.#objects++;
    return pick<() => unknown>(this.#random, [
      ...Array<() => unknown>(this.#isCalm ? 99 : 12).fill(() => items),
      () => new Set(items),
      () => (this.#isReadTwice ? items : items.values()),
      () => this.#proxy(items, id),
      () => Object.assign([...items], { [Symbol.iterator]: () => [...items].reverse().values() }),
    ])();
  }

  #object(name: string, depth: number): object {
    const id = this.#objects++;
    const target: Record<string, unknown> = {};
    for (const field of this.#types.get(name) ?? []) {
      if (this.#isOdd(0.03)) continue;
      this.#define(target, id, field, this.oddly(field.type, this.valueOf(field.type, depth + 1)));
    }
    return pick<() => object>(this.#random, [
      ...Array<() => object>(8).fill(() => target),
      () => Object.create(target) as object,
      () => this.#proxy(target, id),
      () => Object.defineProperties(new Date(0), Object.getOwnPropertyDescriptors(target)),
    ])();
  }

  #define(target: Record<string, unknown>, id: number, { name }: Field, value: unknown): void {
    const kind = this.#random() * (this.#isCalm ? 0.76 : 1);
    if (kind < 0.75) {
      Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
    } else if (kind < 0.85) {
      target[name] = () => value;
    } else {
      const isThrowing = kind > 0.97;
      Object.defineProperty(target, name, {
        enumerable: true,
        configurable: true,
        get: () => {
          this.#count(id, name);
          if (isThrowing) throw new Error('the getter throws');
          return value;
        },
      });
    }
  }

  #proxy<Target extends object>(target: Target, id: number): Target {
    return new Proxy(target, {
      get: (object, key, receiver) => {
        this.#count(id, key);
        return Reflect.get(object, key, receiver);
      },
    });
  }

  /** `then` and `length` are asked for by the language itself, not only as fields. */
  #count(id: number, key: string | symbol): void {
    if (typeof key === 'symbol' || key === 'then' || key === 'length') return;
    const place = `${id}.${key}`;
    this.reads.set(place, (this.reads.get(place) ?? 0) + 1);
  }
}

type Settle = (value: unknown) => unknown;

function thenable(then: (resolve: Settle, reject: Settle) => void): object {
  return Object.fromEntries([['then', then]]);
}

/** A promise whose maker handles its rejection: only promises derived from it can go unhandled. */
function handled(promise: Promise<unknown>): Promise<unknown> {
  promise.catch(() => undefined);
  return promise;
}

const leafValues: Readonly<Record<string, readonly unknown[]>> = {
  String: ['', 'plain', 'quote " and \\', '\u2028\ud800', 'x'.repeat(70), 5, true],
  Int: [0, -0, 7, -(2 ** 31), 2 ** 31 - 1, '12', true],
  Float: [0, 1.5, -0, 1e21, 5e-324, '2.5'],
  Boolean: [true, false, 1],
  ID: ['a', '', 5, 1e21, 10n],
  Mood: ['GLAD', 'SAD', 'SAD', 'NONE'],
};
