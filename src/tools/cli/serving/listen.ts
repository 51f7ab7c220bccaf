import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import { describeSystemError } from '../../../base/read/read-bytes.js';
import { wholeFile } from '../../../base/source/span.js';
import {
  createGuardedHttpServer,
  type Drainable,
  drainHttpServer,
} from '../../../runtime/hosts/node/drain.js';
import { CommandFailure } from '../terminal/command.js';
import { admitKnownHosts } from './known-hosts.js';

/** How long requests in flight may take during a shutdown, in milliseconds. */
export const grace = 10_000;

export interface Listening {
  readonly http: Server;
  /** The server's URL, without a final slash: `http://127.0.0.1:4000`. */
  readonly origin: string;
  /** Graceful: finishes requests in flight, cuts subscriptions, closes the rest after a deadline. */
  readonly close: (api: Drainable) => Promise<void>;
}

/**
 * Listens for HTTP requests.
 *
 * @param allowedHosts - The names in the header `Host` that are answered, beside those of this machine and of `host`;
 *   undefined for any.
 * @throws {CommandFailure} GG5003 when the port or the address cannot be used.
 */
export function listen(
  listener: RequestListener,
  port: number,
  host: string,
  allowedHosts?: readonly string[],
): Promise<Listening> {
  const http = createGuardedHttpServer(listener);
  if (allowedHosts !== undefined) admitKnownHosts(http, [...allowedHosts, host]);
  return new Promise((resolve, reject) => {
    http.once('error', (error) => {
      const place = wholeFile(`${reachableName(host)}:${port}`);
      reject(new CommandFailure([diagnose('GG5003', { port, reason: describeSystemError(error) }, place)]));
    });
    http.listen(port, host, () => {
      const origin = `http://${reachableName(host)}:${(http.address() as AddressInfo).port}`;
      resolve({ http, origin, close: (api) => drainHttpServer(http, api, { grace }) });
    });
  });
}

/** The host as a browser on this machine reaches it. */
function reachableName(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
