import type { RequestListener } from 'node:http';
import { loadPeer } from '../../load/load-peer.js';
import { type FetchCompatibleGraphQLServer, prepareOperations } from '../../server/gql-server.js';
import { createCurrentListener } from './node.js';

export type HostName = 'node' | 'express' | 'fastify';

/** Serves a server on a framework without other routes. It may be replaced while requests arrive. */
export async function createHostListener(
  host: HostName,
  current: () => FetchCompatibleGraphQLServer,
): Promise<RequestListener> {
  prepareOperations(current());
  const listener = createCurrentListener(current);
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
      // The steps read and limit bodies.
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
