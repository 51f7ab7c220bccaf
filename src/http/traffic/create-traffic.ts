import type { TrafficOptions } from '../../limits/traffic-options.js';
import type { Traffic } from '../traffic.js';
import { createCors } from './cors.js';
import { createTrustedProxies } from './trusted-proxies.js';

/**
 * Reads the options.
 *
 * @throws {TypeError} If one is invalid.
 */
export function createTraffic({ trustedProxies, cors }: TrafficOptions): Traffic {
  return {
    proxies: trustedProxies && createTrustedProxies(trustedProxies),
    cors: cors && createCors(cors),
  };
}
