import type { Server } from 'node:http';
import type { Drainable } from '../../../runtime/hosts/node/drain.js';
import type { FetchCompatibleGraphQLServer } from '../../../runtime/server/gql-server.js';
import { grace } from './listen.js';
import type { ServedApi } from './open-api.js';

/** The API that is served now; it can be replaced while requests arrive. Without one, requests get 503. */
export class CurrentApi implements Drainable {
  #current: ServedApi | undefined;
  #attach: (api: ServedApi) => { close(): Promise<void> } | undefined = () => undefined;
  #attached: { close(): Promise<void> } | undefined;

  constructor(first: ServedApi | undefined) {
    this.#current = first;
  }

  /** The server that answers the requests that arrive now. */
  server(): FetchCompatibleGraphQLServer {
    return this.#current ?? unavailable;
  }

  failReadiness(): void {
    this.#current?.failReadiness?.();
  }

  drain(): void {
    this.#current?.drain();
  }

  async close(): Promise<void> {
    await this.#current?.close?.();
  }

  /** Serves WebSocket connections of an HTTP server too. */
  async attach(http: Server): Promise<void> {
    const { attachSubscriptions } = await import('../../../runtime/hosts/websocket/attach-subscriptions.js');
    this.#attach = (api) => attachSubscriptions(api, http);
    if (this.#current !== undefined) this.#attached = this.#attach(this.#current);
  }

  /** Replaces the API. Requests in flight on the old one finish. */
  replace(next: ServedApi): void {
    const before = this.#current;
    void this.#attached?.close();
    this.#current = next;
    this.#attached = this.#attach(next);
    before?.drain();
    // Its requests in flight may still publish.
    setTimeout(() => void before?.close?.(), grace).unref();
  }
}

const unavailable: FetchCompatibleGraphQLServer = {
  fetch() {
    const detail = 'The topology has errors; see the terminal.';
    const problem = { type: 'about:blank', title: 'Service Unavailable', status: 503, detail };
    const headers = { 'content-type': 'application/problem+json', 'retry-after': '1' };
    return new Response(JSON.stringify(problem), { status: 503, headers });
  },
};
