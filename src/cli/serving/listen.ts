import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getSystemErrorMap } from 'node:util';
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';
import { createGuardedHttpServer, type Drainable, drainHttpServer } from '../../hosts/node/drain.js';

/** How long requests that are under way may take to end once the server is asked to stop, in milliseconds. */
const grace = 10_000;

/** What came of listening. */
export type Listening =
  | {
      readonly ok: true;
      /** What listens. */
      readonly http: Server;
      /** Where the server is, without a final slash: `http://127.0.0.1:4000`. */
      readonly origin: string;
      /**
       * Takes no further connections, lets requests under way end and subscriptions complete, and cuts off
       * what is left after a while.
       *
       * @param server - What answers.
       */
      readonly close: (server: Drainable) => Promise<void>;
    }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

/** Listens for HTTP requests. A port or an address that cannot be had is the finding GG5003. */
export function listen(listener: RequestListener, port: number, host: string): Promise<Listening> {
  const server = createGuardedHttpServer(listener);
  return new Promise((resolve) => {
    server.once('error', (error) => resolve({ ok: false, diagnostic: explain(error, port, host) }));
    server.listen(port, host, () => {
      const origin = `http://${nameOf(host)}:${(server.address() as AddressInfo).port}`;
      const close = (answering: Drainable) => drainHttpServer(server, answering, { grace });
      resolve({ ok: true, http: server, origin, close });
    });
  });
}

/** How a browser on this machine reaches the host: an address that stands for all is none to go to. */
function nameOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

function explain(error: NodeJS.ErrnoException, port: number, host: string): Diagnostic {
  const known = error.errno === undefined ? undefined : getSystemErrorMap().get(error.errno);
  const reason = known?.[1] ?? error.message;
  return diagnose('GG5003', { port, reason }, { file: `${nameOf(host)}:${port}`, start: 0, end: 0 });
}
