import { createHash } from 'node:crypto';
import type { IdempotencyOptions } from '../config/traffic-options.js';
import type { Answer } from '../http/answer.js';
import type { CalledOperation, Exchange } from '../http/exchange.js';
import { ProblemError } from '../http/problem.js';
import { readEventStreamWish } from '../http/sse/accept-events.js';
import type { Repeats } from '../http/traffic.js';
import { assertPeers } from '../load/load-peer.js';
import type { Watch } from '../logs/watch.js';
import { runUntil } from '../values/run-until.js';
import { readAnswer, writeAnswer } from './kept-answer.js';
import { checkStore, readSeconds, refusal } from './read-setting.js';
import { createMemoryStore } from './repeat-memory.js';
import { createRedisStore } from './repeat-redis.js';
import type { Begun } from './repeat-store.js';

/** How long a repeat waits for the first request, in milliseconds. */
export const maxWait = 10_000;

const maxTtl = 30 * 86_400;

/**
 * Reads the option `idempotency`. Repeats are found by the header `Idempotency-Key`
 * (draft-ietf-httpapi-idempotency-key-header-07).
 *
 * @throws {TypeError} If it is invalid.
 * @throws {PeerMissingError} If ioredis is needed and not installed.
 */
export function createRepeats(options: IdempotencyOptions, watch: Watch): Repeats {
  if (typeof options !== 'object' || options === null) throw refusal('idempotency', 'be an object');
  const { ttl = '1d', store = 'memory' } = options;
  checkStore('idempotency.store', store);
  const lifetime = readSeconds('idempotency.ttl', ttl, maxTtl) * 1_000;
  if (typeof store === 'string' && store !== 'memory') assertPeers(['ioredis']);
  const kept = store === 'memory' ? createMemoryStore(lifetime) : createRedisStore(store, lifetime, watch);
  let isFailing = false;

  const begin = async (id: string, fingerprint: string): Promise<Begun> => {
    try {
      const begun = await kept.begin(id, fingerprint);
      isFailing = false;
      return begun;
    } catch (error) {
      if (!isFailing)
        watch.fault(`Requests with Idempotency-Key are refused until Redis answers. ${String(error)}`);
      isFailing = true;
      const detail = 'Idempotency-Key cannot be checked now. Send the request again with the same key.';
      throw refuse(503, 'IDEMPOTENCY_UNAVAILABLE', detail, ['retry-after', '1']);
    }
  };
  const find = async (exchange: Exchange, key: string): Promise<Answer | undefined> => {
    const id = idOf(exchange, key);
    const fingerprint = hash(exchange.query, exchange.bytes ?? '');
    const deadline = performance.now() + maxWait;
    for (;;) {
      const begun = await begin(id, fingerprint);
      if ('run' in begun) {
        exchange.firstRun = begun.run;
        exchange.detach();
        return undefined;
      }
      if (begun.fingerprint !== fingerprint) {
        const detail = 'This Idempotency-Key was used for another request. Use a new key for each request.';
        throw refuse(422, 'IDEMPOTENCY_KEY_REUSED', detail);
      }
      if (begun.answer !== undefined) return replay(begun.answer);
      const left = deadline - performance.now();
      if (left <= 0 || exchange.client.aborted) {
        const detail = 'The first request with this Idempotency-Key is still running.';
        throw refuse(409, 'IDEMPOTENCY_KEY_IN_USE', detail, ['retry-after', '1']);
      }
      const { settled } = begun;
      await runUntil(
        { timeout: left },
        () => settled,
        () => undefined,
      );
    }
  };
  return {
    find(exchange, called) {
      const given = exchange.header('idempotency-key');
      if (given === undefined) return undefined;
      const use = (operations: readonly CalledOperation[] | undefined) => {
        // Queries change nothing. An operation that cannot be known may be a mutation.
        if (operations?.every(({ kind }) => kind !== 'mutation') === true) return undefined;
        const key = readKey(given);
        if (readEventStreamWish(exchange.header('accept')) !== 'all') return find(exchange, key);
        throw invalid(
          'Idempotency-Key cannot be used for an event stream, because streams are not repeated.',
        );
      };
      const operations = called();
      return operations instanceof Promise ? operations.then(use) : use(operations);
    },
    keep(answer, exchange) {
      const { firstRun } = exchange;
      if (firstRun === undefined) return;
      exchange.firstRun = undefined;
      const text = writeAnswer(answer);
      if (text === undefined) firstRun.release();
      else firstRun.keep(text);
    },
  };
}

/** A structured string (RFC 9651, section 3.3.3), or the same without quotation marks, as many clients send it. */
function readKey(given: string): string {
  const key = /^"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"$/.exec(given)?.[1] ?? given;
  if (/^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]{1,255}$/.test(key)) return key;
  throw invalid(
    'Idempotency-Key must have 1 to 255 printable ASCII characters, without spaces, commas, quotes and backslashes.',
  );
}

/** The keys of each caller, at each path, are their own. */
function idOf({ principal, address, method, path }: Exchange, key: string): string {
  return hash(principal === null ? (address ?? '') : `@${principal.id}`, method, path, key);
}

function hash(...parts: readonly (string | Uint8Array)[]): string {
  const sum = createHash('sha256');
  // With its length before it, no part can be continued by the next.
  for (const part of parts) sum.update(`${part.length}:`).update(part);
  return sum.digest('base64url');
}

function replay(text: string): Answer {
  const answer = readAnswer(text);
  if (answer !== undefined) return answer;
  const detail = 'The request with this Idempotency-Key was completed. Its answer was too long to be kept.';
  throw refuse(409, 'IDEMPOTENCY_ANSWER_TOO_LONG', detail);
}

function invalid(detail: string): ProblemError {
  return refuse(400, 'IDEMPOTENCY_KEY_INVALID', detail);
}

function refuse(status: number, code: string, detail: string, headers: readonly string[] = []): ProblemError {
  return new ProblemError({ status, detail, members: { code }, headers });
}
