import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import fastify from 'fastify';
import {
  attachSubscriptions,
  createAlphaExpressMiddleware,
  createAlphaFastifyPlugin,
  createAlphaServer,
  createBetaHttpServer,
  createBetaNodeRequestListener,
  createBetaServerAdapter,
  type Drainable,
  type DrainOptions,
  drainHttpServer,
  type GqlServerOptions,
} from '../../src/index.js';
import type { ConformanceContext } from './topology.js';

/** A way to host a topology. */
export interface Host {
  readonly name: string;
  readonly engine: 'alpha' | 'beta';
  /** Whether there is a connection between client and server, or a function call alone. */
  readonly hasNetwork: boolean;
  /** Puts a topology on the host, with whatever the host needs around it. */
  start(options: GqlServerOptions<ConformanceContext>): Promise<RunningHost>;
}

/** A host that runs. */
export interface RunningHost {
  /** `http://127.0.0.1:…`, without a final slash. */
  readonly origin: string;
  /** The Node server below; undefined where there is none. */
  readonly http: Server | undefined;
  /** Asks for a path. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** Stops it as SIGTERM would: nobody is cut off. */
  drain(options?: DrainOptions): Promise<void>;
  close(): Promise<void>;
}

/** Every host that is supported. What holds for a server has to hold on each of them. */
export const hosts: readonly Host[] = [
  network('Alpha on Express', 'alpha', async (options) => {
    const app = express();
    const server = createAlphaServer(options);
    app.use(await createAlphaExpressMiddleware(server));
    return listen(server, createServer(timeouts, app));
  }),
  network('Alpha on Fastify', 'alpha', async (options) => {
    const app = fastify({ http: timeouts, requestTimeout: timeouts.requestTimeout });
    const server = createAlphaServer(options);
    await app.register(createAlphaFastifyPlugin(server));
    await app.ready();
    return listen(server, app.server, () => app.close());
  }),
  network('Alpha standalone', 'alpha', async (options) => {
    const server = createAlphaServer(options);
    return listen(server, createBetaHttpServer(server));
  }),
  network('Beta on Node', 'beta', async (options) => {
    const server = createBetaServerAdapter(options);
    return listen(server, createBetaHttpServer(server));
  }),
  network('Beta on Express', 'beta', async (options) => {
    const app = express();
    const server = createBetaServerAdapter(options);
    app.use(createBetaNodeRequestListener(server));
    return listen(server, createServer(timeouts, app));
  }),
  network('Beta on Fastify', 'beta', async (options) => {
    const app = fastify({ http: timeouts, requestTimeout: timeouts.requestTimeout });
    const server = createBetaServerAdapter(options);
    const listener = createBetaNodeRequestListener(server);
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    app.all('/*', (request, reply) => {
      reply.hijack();
      listener(request.raw, reply.raw);
    });
    await app.ready();
    return listen(server, app.server, () => app.close());
  }),
  {
    name: 'Beta over plain fetch',
    engine: 'beta',
    hasNetwork: false,
    start: async (options) => {
      const server = createBetaServerAdapter(options);
      const origin = 'http://127.0.0.1:4000';
      return {
        origin,
        http: undefined,
        ask: (path, init) => server.fetch(new Request(origin + path, init)),
        drain: async () => server.drain(),
        close: async () => undefined,
      };
    },
  },
];

/** How long a client may take, as the documentation advises for servers that are not made by this package. */
const timeouts = { headersTimeout: 15_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };

function network(name: string, engine: Host['engine'], start: Host['start']): Host {
  return { name, engine, hasNetwork: true, start };
}

function listen(server: Drainable, http: Server, stop?: () => Promise<unknown>): Promise<RunningHost> {
  // `createBetaHttpServer` has done so already.
  if (http.listenerCount('upgrade') === 0) attachSubscriptions(server, http);
  return new Promise((resolve) => {
    http.listen(0, '127.0.0.1', () => {
      const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
      resolve({
        origin,
        http,
        ask: (path, init) => fetch(origin + path, init),
        drain: (options) => drainHttpServer(http, server, options),
        close: async () => {
          http.closeAllConnections();
          if (stop !== undefined) await stop();
          else await new Promise((done) => http.close(done));
        },
      });
    });
  });
}
