import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { GraphQLError } from 'graphql';
import type { GqlServerOptions, LimitOptions } from '../../src/index.js';
import { signalOf } from '../../src/runtime/execute/resolvers/abort-signal.js';
import { hosts } from '../conformance/hosts.js';

/**
 * The process that is attacked: one host, which says over its channel where it listens and, when asked, how
 * it is. It ends by SIGTERM, drained.
 */

/** What the process says of itself. */
export interface TargetState {
  /** Bytes; those that can be collected count too unless that was asked for. */
  readonly heapUsed: number;
  /** The most bytes of memory that the process ever had. */
  readonly peak: number;
  /** What nobody handled: rejections and exceptions. */
  readonly unhandled: readonly string[];
  /** Whether anything has appeared on the prototype of all objects. */
  readonly polluted: boolean;
  /** Calls of the resolver that takes half a second. */
  readonly pausing: number;
  /** Calls of the resolver that waits which were begun, and which were told to stop. */
  readonly waiting: number;
  readonly aborted: number;
  /** Subscriptions whose source was asked for, and which were ended. */
  readonly subscribed: number;
  readonly unsubscribed: number;
  /** The longest time that the process was busy with one thing since it was asked before, in milliseconds. */
  readonly longest: number;
}

/** What the process is asked: how it is, now or once its garbage has been collected. */
export interface Question {
  readonly id: number;
  readonly kind: 'state' | 'collect';
}

/** What it says then, with the id of the question. */
export interface Answer {
  readonly id: number;
  readonly state: TargetState;
}

/** The topology that is attacked: objects in circles, lists, inputs, a scalar that takes anything. */
const source = `
(anything: Scalar)
(person: Record { id: ID!, name: String!, friend: Person, boss: Person })
(root)-[:PROCESS { first: Int, operation: 'people', returns: [Person!]! }]->(person)
(root)-[:PROCESS { value: Anything, operation: 'echo', returns: Anything }]->(person)
(root)-[:PROCESS]->(greeting: Record { text: String! })
(root)-[:PROCESS]->(pausing: Record { text: String! })
(root)-[:PROCESS]->(waiting: Record { text: String! })
(root)-[:PROCESS { kind: String!, operation: 'odd', returns: Anything }]->(person)
(root)-[:PROCESS { kind: String!, operation: 'failing', returns: Anything }]->(person)
(root)-[:PROCESS { kind: String!, operation: 'late', returns: [Person!] }]->(person)
(root)-[:PROCESS { operation: 'unfit', returns: Person }]->(person)
(root)-[:PROCESS]->(near: Record { text: String! } | far: Record { text: String! })
(near | far)-[:RACE]->(page)
(root)-[:PROCESS { operation: 'page' }]->(page)
(note: Record { text: String, to: Note })-[:FOLD]->(saved: Record { text: String! })
(saved)-[:FORK]->(heard: Event { text: String! })
(saved)-[:FORK]->(flood: Event { text: String! })
`;

interface Person {
  readonly id: string;
  readonly name: string;
  readonly friend: () => Person;
  readonly boss: () => Person;
}

const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;

/** Values that have no JSON text, by the name that an attack has for them. */
const withoutJson: Readonly<Record<string, unknown>> = {
  function: () => () => 'text',
  symbol: Symbol('text'),
  bigint: { size: 10n },
  cycle: cyclic,
  nothing: { toJSON: () => undefined },
  throwing: {
    toJSON() {
      throw new Error('SECRET');
    },
  },
};

const thenable = (then: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => void): object =>
  Object.fromEntries([['then', then]]);

/** Lists of persons that fail late, at once, or both. */
const late: Readonly<Record<string, () => unknown>> = {
  rejected: () => [Promise.reject(new Error('SECRET')), null],
  abandoned: () => [null, Promise.reject(new Error('SECRET'))],
  below: () => [{ id: '1', name: () => Promise.reject(new Error('SECRET')) }, null],
  getter: () => [
    {
      id: '1',
      get name() {
        return Promise.reject(new Error('SECRET'));
      },
    },
  ],
  throwing: () =>
    thenable(() => {
      throw new Error('SECRET');
    }),
  twice: () =>
    thenable((resolve, reject) => {
      setImmediate(() => {
        resolve([null]);
        reject(new Error('SECRET'));
      });
    }),
};

const person: Person = { id: '1', name: 'Ada', friend: () => person, boss: () => person };
const counts = { pausing: 0, waiting: 0, aborted: 0, subscribed: 0, unsubscribed: 0 };
const plainKeys = Reflect.ownKeys(Object.prototype).length;
const unhandled: string[] = [];
process.on('unhandledRejection', (reason) => unhandled.push(`rejection: ${String(reason)}`));
process.on('uncaughtException', (error) => unhandled.push(`exception: ${error.stack}`));

const options = {
  topologies: [{ name: 'target.gg', source }],
  limits: { masking: true, ...(JSON.parse(process.env.ATTACK_LIMITS ?? '{}') as LimitOptions) },
  resolvers: {
    Query: {
      people: [person],
      echo: (_: unknown, { value }: { value?: unknown }) => value ?? null,
      odd: (_: unknown, { kind }: { kind: string }) => withoutJson[kind],
      failing: (_: unknown, { kind }: { kind: string }) => {
        throw new GraphQLError('Refused.', { extensions: { value: withoutJson[kind] } });
      },
      late: (_: unknown, { kind }: { kind: string }) => late[kind]?.(),
      unfit: { id: '1', name: { password: 'SECRET' } },
      near: () => Promise.reject(new Error('SECRET')),
      far: () => Promise.reject(new Error('SECRET')),
      greeting: { text: 'Hello' },
      pausing: () => {
        counts.pausing += 1;
        return wait(500, { text: 'done' });
      },
      waiting: (_parent: unknown, _args: unknown, _context: unknown, info: never) => {
        counts.waiting += 1;
        const signal = signalOf(info);
        signal.addEventListener('abort', () => {
          counts.aborted += 1;
        });
        return wait(60_000, { text: 'late' }, { signal });
      },
    },
    Mutation: {
      saved: (_: unknown, { input }: { input?: { text?: string } }) => ({ text: input?.text ?? '' }),
    },
    Subscription: {
      async *flood() {
        counts.subscribed += 1;
        const text = 'x'.repeat(10_000);
        try {
          // As much as is taken, and never more: a reader that stops must stop this.
          for (;;) {
            yield { text };
            await wait(1);
          }
        } finally {
          counts.unsubscribed += 1;
        }
      },
    },
  },
} as unknown as GqlServerOptions<never>;

const host = hosts.find(({ name }) => name === process.env.ATTACK_HOST);
if (host === undefined) throw new Error(`There is no host called ${process.env.ATTACK_HOST}.`);
const running = await host.start(options);
const { http } = running;
if (http === undefined) throw new Error(`${host.name} does not listen.`);
const [headersTimeout, requestTimeout] = [process.env.ATTACK_HEADERS_MS, process.env.ATTACK_REQUEST_MS];
if (headersTimeout !== undefined) http.headersTimeout = Number(headersTimeout);
if (requestTimeout !== undefined) http.requestTimeout = Number(requestTimeout);

process.once('SIGTERM', () => {
  running.drain({ grace: 20_000 }).then(() => process.exit(unhandled.length === 0 ? 0 : 1));
});
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on('message', ({ id, kind }: Question) => {
  // Collecting stops everything for a moment, which is no doing of an attack.
  if (kind === 'collect') globalThis.gc?.();
  const state: TargetState = {
    heapUsed: process.memoryUsage().heapUsed,
    peak: process.resourceUsage().maxRSS * 1024,
    unhandled,
    polluted: Reflect.ownKeys(Object.prototype).length !== plainKeys,
    ...counts,
    longest: Math.max(0, delay.max / 1e6 - 5),
  };
  delay.reset();
  const answer: Answer = { id, state };
  process.send?.(answer);
});
process.send?.({ origin: running.origin });
