// The worker that serves the API of a topology. Code of the user runs only here: the page ends the worker when it
// does not answer.

import type { GqlSchema } from '../../../src/compiler/schema/gql-schema.js';
import type { Authenticate } from '../../../src/runtime/auth/principal.js';
import type { Resolvers } from '../../../src/runtime/execute/resolvers/contract.js';
import type { GqlServer } from '../../../src/runtime/server/gql-server.js';
import { createGqlServer } from '../../../src/runtime/server/service.js';
import type { ApiAnswer, ApiRequest } from '../protocol.js';

let server: GqlServer | undefined;
const running = new Map<number, AbortController>();
const networkless = () => Promise.reject(new TypeError('The playground has no network.'));

// The server asks for nothing, and neither may resolvers that came with a link.
const asking = [
  'WebSocket',
  'EventSource',
  'XMLHttpRequest',
  'WebTransport',
  'indexedDB',
  'caches',
  'BroadcastChannel',
];
for (let scope: object | null = self; scope !== null; scope = Object.getPrototypeOf(scope))
  for (const name of [...asking, 'fetch']) Reflect.deleteProperty(scope, name);
self.fetch = networkless;

self.onmessage = async ({ data }: MessageEvent<ApiRequest>) => {
  switch (data.kind) {
    case 'start':
      return send({ kind: 'started', ...(await start(data)) });
    case 'request':
      return answer(data);
    case 'cancel':
      return running.get(data.id)?.abort();
  }
};

function send(message: ApiAnswer): void {
  self.postMessage(message);
}

/** Starts the server; gives the reason if it cannot be started. */
async function start({
  files,
  resolvers,
}: Extract<ApiRequest, { kind: 'start' }>): Promise<{ readonly problem?: string }> {
  try {
    const topologies = files.map(({ name, text }) => ({ name, source: text }));
    const module = resolvers === undefined ? undefined : await load(resolvers);
    server = createGqlServer({ topologies, authenticate, ...(module && { resolvers: module }) });
    await server.ready;
    return {};
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** The resolvers of a module: its default export, or the export of that name. */
async function load(text: string): Promise<Resolvers> {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  try {
    const { default: given, resolvers = given } = await import(url);
    if (resolvers === undefined) throw new Error('The module exports no resolvers: export them as default.');
    return resolvers;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Any bearer token is accepted: the caller has the token as id, and all scopes of the topology. */
const authenticate: Authenticate = ({ header }) => {
  const [, token] = /^Bearer +(.+)$/i.exec(header('authorization') ?? '') ?? [];
  return token === undefined || server === undefined ? null : { id: token, scopes: scopesOf(server.schema) };
};

function scopesOf({ queries, mutations, subscriptions, objects, interfaces = [] }: GqlSchema): string[] {
  const fields = [...objects, ...interfaces].flatMap((type) => type.fields);
  return [...queries, ...mutations, ...subscriptions, ...fields].flatMap(({ scopes = [] }) => scopes);
}

async function answer({ id, url, ...init }: Extract<ApiRequest, { kind: 'request' }>): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    if (server === undefined) throw new Error('The server has not started.');
    const { signal } = controller;
    const headers = init.headers.map(([name, value]): [string, string] => [name, value]);
    const response = await server.fetch(new Request(url, { ...init, headers, signal }));
    send({ kind: 'head', id, status: response.status, headers: [...response.headers] });
    const reader = response.body?.getReader();
    signal.addEventListener('abort', () => void reader?.cancel().catch(() => {}));
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read())
      send({ kind: 'part', id, bytes: part.value });
    send({ kind: 'end', id });
  } catch (error) {
    send({ kind: 'failed', id, problem: error instanceof Error ? error.message : String(error) });
  } finally {
    running.delete(id);
  }
}
