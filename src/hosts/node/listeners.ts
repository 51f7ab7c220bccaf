import type { RequestListener } from 'node:http';
import { loadPeer } from '../../load/load-peer.js';
import { prepareOperations } from '../../server/live-service.js';
import type { FetchCompatibleGraphQLServer } from '../../server/options.js';
import { createNodeListener } from './node.js';

/** A framework that a server can be put on by name. */
export type HostName = 'node' | 'express' | 'fastify';

/**
 * Puts a server on a framework, with nothing else beside it.
 *
 * @throws {PeerMissingError} When the framework is not installed.
 */
export async function createHostListener(
  host: HostName,
  server: FetchCompatibleGraphQLServer,
): Promise<RequestListener> {
  prepareOperations(server);
  const listener = createNodeListener(server);
  switch (host) {
    case 'node':
      return listener;
    case 'express': {
      const { default: express } = await loadPeer(['express'], () => import('express'));
      return express().disable('x-powered-by').use(listener);
    }
    case 'fastify': {
      const { default: fastify } = await loadPeer(['fastify'], () => import('fastify'));
      const app = fastify();
      // Bodies are read where they are judged, and not here.
      app.removeAllContentTypeParsers();
      app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
      app.all('/*', (request, reply) => {
        reply.hijack();
        listener(request.raw, reply.raw);
      });
      await app.ready();
      return (incoming, outgoing) => app.routing(incoming, outgoing);
    }
  }
}
