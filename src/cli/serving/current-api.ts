import type { Server } from 'node:http';
import type { ServedApi } from './open-api.js';

/** The API that is served at the moment; another one may take its place while requests come in. */
export interface CurrentApi extends ServedApi {
  /** Answers over WebSocket too. */
  attach(http: Server): Promise<void>;
  /** Puts another API in the place of this one. What the old one has under way comes to its end. */
  replace(next: ServedApi): void;
}

/** Serves an API until another one takes its place. Without one, every request is told to come again. */
export function createCurrentApi(first: ServedApi | undefined): CurrentApi {
  let current = first;
  let attach: (api: ServedApi) => { close(): Promise<void> } | undefined = () => undefined;
  let attached: ReturnType<typeof attach>;
  return {
    fetch: (request) => current?.fetch(request) ?? answerUnready(),
    drain: () => current?.drain(),
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
    },
  };
}

function answerUnready(): Response {
  const problem = {
    type: 'about:blank',
    title: 'Service Unavailable',
    status: 503,
    detail: 'The API cannot be served yet; the terminal says why.',
  };
  const headers = { 'content-type': 'application/problem+json', 'retry-after': '1' };
  return new Response(JSON.stringify(problem), { status: 503, headers });
}
