import type { Server } from 'node:http';
import type { Drainable } from '../../hosts/node/drain.js';
import type { FetchCompatibleGraphQLServer } from '../../server/gql-server.js';
import { grace } from './listen.js';
import type { ServedApi } from './open-api.js';

/** The API that is served now; it can be replaced while requests arrive. */
export interface CurrentApi extends Drainable {
  /** What answers the requests that arrive now. */
  server(): FetchCompatibleGraphQLServer;
  /** Serves WebSocket connections of an HTTP server too. */
  attach(http: Server): Promise<void>;
  /** Replaces the API. Requests in flight on the old one finish. */
  replace(next: ServedApi): void;
}

/** Creates a replaceable API. Without a first API, requests get 503 with `Retry-After`. */
export function createCurrentApi(first: ServedApi | undefined): CurrentApi {
  let current = first;
  let attach: (api: ServedApi) => { close(): Promise<void> } | undefined = () => undefined;
  let attached: ReturnType<typeof attach>;
  return {
    server: () => current ?? unavailable,
    failReadiness: () => current?.failReadiness?.(),
    drain: () => current?.drain(),
    close: async () => current?.close?.(),
    async attach(http) {
      const { attachSubscriptions } = await import('../../hosts/websocket/attach-subscriptions.js');
      attach = (api) => attachSubscriptions(api, http);
      if (current !== undefined) attached = attach(current);
    },
    replace(next) {
      const before = current;
      void attached?.close();
      current = next;
      attached = attach(next);
      before?.drain();
      // Its requests in flight may still publish.
      setTimeout(() => void before?.close?.(), grace).unref();
    },
  };
}

const unavailable: FetchCompatibleGraphQLServer = {
  fetch() {
    const problem = {
      type: 'about:blank',
      title: 'Service Unavailable',
      status: 503,
      detail: 'The topology has errors; see the terminal.',
    };
    const headers = { 'content-type': 'application/problem+json', 'retry-after': '1' };
    return new Response(JSON.stringify(problem), { status: 503, headers });
  },
};
