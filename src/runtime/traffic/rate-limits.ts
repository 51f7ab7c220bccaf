import { OptionError } from '../../base/diagnostics/option-error.js';
import type { MaybePromise } from '../../base/values/maybe-promise.js';
import { createSuggester } from '../../compiler/graph/suggest.js';
import { allOperations, type GqlSchema } from '../../compiler/schema/gql-schema.js';
import type { Principal } from '../auth/principal.js';
import { ProblemError } from '../call/problem.js';
import type { RateClient, RateLimit } from '../config/traffic-options.js';
import { networkOf } from '../limits/client-network.js';
import type { Monitor } from '../logs/monitor.js';
import { type Count, createRateCounter } from './rate-counter.js';
import { checkStore, readSeconds } from './read-setting.js';

type Policy = ReturnType<typeof readPolicy>;

/** A client with the counts of its request: an exchange. */
export interface CountedClient extends RateClient {
  principal: Principal | null;
  counts: readonly Counted[] | undefined;
}

export interface Counted {
  readonly policy: Pick<Policy, 'name' | 'stated'>;
  readonly remaining: number;
  /** When the window ends, in seconds from then. */
  readonly seconds: number;
}

export type Rates = ReturnType<typeof createRates>;

/** The longest window. Timers of Node cannot wait for more than 24 days. */
const maxWindow = 86_400;

/**
 * Reads the option `rateLimits`. Limits that count in the Redis of a URL need ioredis. The methods that count
 * throw a `ProblemError` (429) beyond a limit.
 */
export function createRates(options: readonly RateLimit[], monitor: Monitor) {
  if (!Array.isArray(options)) throw new TypeError('rateLimits must be a list of limits.');
  const taken = new Set<string>();
  const policies = options.map((option: RateLimit, at) => readPolicy(option, `rateLimits[${at}]`, taken));
  const isWhole = ({ operations }: Policy) => operations === undefined;
  const ofAddresses = policies.filter((policy) => isWhole(policy) && policy.keyOf === keyOfAddress);
  const ofCallers = policies.filter((policy) => isWhole(policy) && policy.keyOf !== keyOfAddress);
  const ofOperations = policies.filter((policy) => !isWhole(policy));
  const all = [...ofAddresses, ...ofCallers, ...ofOperations];
  const failing = new Set<Policy>();

  const settle = (policy: Policy, client: CountedClient, { points, left }: Count): undefined => {
    if (failing.size > 0) failing.delete(policy);
    const others = client.counts?.filter((other) => other.policy !== policy) ?? [];
    const remaining = Math.max(0, policy.limit - points);
    const seconds = Math.max(1, Math.ceil(left / 1_000));
    client.counts = [...others, { policy, remaining, seconds }];
    if (points > policy.limit) throw exceeded(policy, seconds);
  };
  const fail = (policy: Policy, error: unknown): undefined => {
    if (!failing.has(policy)) {
      failing.add(policy);
      const effect = policy.refusesOnError ? 'refused' : 'not limited';
      monitor.fault(`Rate limit “${policy.name}”: requests are ${effect} until its store answers. ${String(error)}`);
    }
    if (policy.refusesOnError) throw unavailable();
  };
  const count = (policy: Policy, client: CountedClient, points: number): MaybePromise<undefined> => {
    const key = policy.keyOf(client);
    if (key === undefined) return undefined;
    return policy.count(key, points).then(
      (counted) => settle(policy, client, counted),
      (error: unknown) => fail(policy, error),
    );
  };
  const countAll = (list: readonly Policy[], client: CountedClient, pointsOf: (policy: Policy) => number) => {
    const counting = list.filter((policy) => pointsOf(policy) > 0);
    const [only] = counting;
    if (only === undefined) return undefined;
    return counting.length === 1 ? count(only, client, pointsOf(only)) : countEach(counting, client, pointsOf);
  };
  /** One after the other: a request that is refused does not count for the limits that follow. */
  const countEach = async (
    list: readonly Policy[],
    client: CountedClient,
    pointsOf: (policy: Policy) => number,
  ): Promise<undefined> => {
    for (const policy of list) await count(policy, client, pointsOf(policy));
  };
  return {
    countRequest: (client: CountedClient) => countAll(ofAddresses, client, once),
    countCaller: (client: CountedClient) => countAll(ofCallers, client, once),
    /** Counts calls by the operations that they run; `further` ones count like requests of their own. */
    countCalls(client: CountedClient, operations: readonly string[], further: number) {
      if (ofOperations.length === 0 && further === 0) return undefined;
      return countAll(all, client, (policy) => (isWhole(policy) ? further : callsOf(policy, operations)));
    },
    /** Sets the headers `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10). */
    tell(answer: { set(name: string, value: string): void }, { counts }: CountedClient) {
      if (counts === undefined) return;
      answer.set('ratelimit-policy', counts.map(({ policy }) => policy.stated).join(', '));
      const left = counts.map(({ policy, remaining, seconds }) => `"${policy.name}";r=${remaining};t=${seconds}`);
      answer.set('ratelimit', left.join(', '));
    },
  };
}

/** Checks that the operations of limits exist: a limit of another one would have no effect. */
export function checkRateOperations(limits: readonly RateLimit[], schema: GqlSchema): void {
  const names = allOperations(schema).map(({ name }) => name);
  for (const [at, { operations = [] }] of limits.entries()) {
    const unknown = operations.find((name) => !names.includes(name));
    if (unknown === undefined) continue;
    const suggestion = createSuggester(names).nearest(unknown);
    const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
    throw new OptionError(`rateLimits[${at}].operations`, `name operations, and ${unknown} is none${hint}`);
  }
}

function callsOf({ operations }: Policy, called: readonly string[]): number {
  return called.filter((name) => operations?.includes(name)).length;
}

function readPolicy(option: RateLimit, key: string, taken: Set<string>) {
  if (typeof option !== 'object' || option === null) throw new OptionError(key, 'be an object');
  const { limit, per, by, operations, name = nameOf(by, taken), store = 'memory', onStoreError = 'allow' } = option;
  if (!Number.isSafeInteger(limit) || limit < 1) throw new OptionError(`${key}.limit`, 'be a number from 1');
  const seconds = readSeconds(`${key}.per`, per, maxWindow);
  const keyOf = typeof by === 'function' ? by : Object.hasOwn(keys, by) ? keys[by] : undefined;
  if (keyOf === undefined) throw new OptionError(`${key}.by`, 'be address, principal or a function');
  if (operations !== undefined && !(Array.isArray(operations) && operations.length > 0))
    throw new OptionError(`${key}.operations`, 'be a list of names, and not empty');
  if (typeof name !== 'string' || !/^[\w.-]{1,64}$/.test(name) || taken.has(name))
    throw new OptionError(`${key}.name`, 'be a name that no other limit has, of letters, digits, dots, _ and -');
  taken.add(name);
  checkStore(`${key}.store`, store);
  if (onStoreError !== 'allow' && onStoreError !== 'refuse')
    throw new OptionError(`${key}.onStoreError`, 'be allow or refuse');
  const refusesOnError = onStoreError === 'refuse';
  /** Its member of the header `RateLimit-Policy`. */
  const stated = `"${name}";q=${limit};w=${seconds}`;
  const count = createRateCounter(name, seconds, store);
  return { name, limit, seconds, stated, keyOf, operations, count, refusesOnError };
}

function nameOf(by: RateLimit['by'], taken: ReadonlySet<string>): string {
  const base = typeof by === 'string' ? by : 'limit';
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
}

function keyOfAddress({ address }: Pick<RateClient, 'address'>): string {
  return networkOf(address);
}

/** No address has an `@` before a colon, so that no principal is counted as an address. */
function keyOfPrincipal(client: RateClient): string {
  return client.principal === null ? keyOfAddress(client) : `@${client.principal.id}`;
}

const keys = { address: keyOfAddress, principal: keyOfPrincipal };

function once(): number {
  return 1;
}

function exceeded({ name, limit, seconds }: Policy, wait: number): ProblemError {
  const detail = `Too many requests: at most ${limit} in ${seconds} s (${name}).`;
  const headers = ['retry-after', String(wait)];
  return new ProblemError({ status: 429, detail, members: { code: 'RATE_LIMITED' }, headers });
}

function unavailable(): ProblemError {
  const detail = 'Requests cannot be counted now.';
  const members = { code: 'RATE_LIMITS_UNAVAILABLE' };
  return new ProblemError({ status: 503, detail, members, headers: ['retry-after', '1'] });
}
