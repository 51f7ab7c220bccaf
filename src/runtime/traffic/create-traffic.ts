import { OptionError } from '../../base/diagnostics/option-error.js';
import type { IdempotencyOptions, TrafficOptions } from '../config/traffic-options.js';
import type { Monitor } from '../logs/monitor.js';
import { createRepeats, type Repeats } from '../repeats/repeats.js';
import { createCors } from './cors.js';
import { createRates } from './rate-limits.js';
import { checkStore, readSeconds } from './read-setting.js';
import { createTrustedProxies } from './trusted-proxies.js';

export type Traffic = ReturnType<typeof createTraffic>;

/** Reads the options. Throws an `OptionError` for an invalid one. */
export function createTraffic(options: TrafficOptions, monitor: Monitor) {
  const { trustedProxies, cors, rateLimits, idempotency } = options;
  return {
    proxies: trustedProxies && createTrustedProxies(trustedProxies),
    cors: cors && createCors(cors),
    rates: rateLimits && createRates(rateLimits, monitor),
    repeats: idempotency && readRepeats(idempotency, monitor),
  };
}

const maxTtl = 30 * 86_400;

function readRepeats(options: IdempotencyOptions, monitor: Monitor): Repeats {
  if (typeof options !== 'object' || options === null) throw new OptionError('idempotency', 'be an object');
  const { ttl = '1d', store = 'memory' } = options;
  checkStore('idempotency.store', store);
  return createRepeats({ store, ttl: readSeconds('idempotency.ttl', ttl, maxTtl) * 1_000 }, monitor);
}
