import { setTimeout as wait } from 'node:timers/promises';
import type { Attack } from './attacks.js';
import { open, patience, readStatus, type Status, send, sendRaw, type Target } from './wire.js';

/** Attacks on the request path: the head of a request, its connection, and who may send it. */
export const requestAttacks: readonly Attack[] = [
  {
    // Express and Fastify answer 404 for a path that is none of the API's, before the API sees the header.
    name: 'a Host header that holds a path',
    expected: [400, 404],
    run: (target) => Promise.all(brokenHosts.map((host) => getFrom(target, '/public', host))),
  },
  {
    name: 'a path of the API with a broken Host header',
    expected: [400],
    run: (target) => Promise.all(brokenHosts.map((host) => getFrom(target, '/api/greeting', host))),
  },
  {
    name: 'a persisted query of another site over GET',
    expected: [400],
    run: async (target) => {
      const extensions = encodeURIComponent('{"persistedQuery":{"version":1,"sha256Hash":"00"}}');
      return [
        await send(target, `/graphql?extensions=${extensions}`, {
          headers: { 'sec-fetch-site': 'cross-site' },
        }),
        await send(target, `/graphql?extensions=${extensions}`, {
          headers: { origin: 'http://evil.example' },
        }),
      ];
    },
  },
  {
    name: '5000 pipelined requests whose answers are not read',
    expected: [0],
    run: async (target) => {
      const socket = await open(target);
      socket.pause();
      const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)));
      socket.write('GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(5_000));
      // A socket that is paused does not see its end.
      setTimeout(() => socket.resume(), 500).unref();
      const isClosed = await Promise.race([closed, wait(patience, false, { ref: false })]);
      socket.destroy();
      return [isClosed ? 0 : 200];
    },
  },
  {
    name: 'a Host header that is given twice',
    expected: [400, 0],
    run: async (target) => {
      const socket = await open(target);
      socket.write('GET /api/greeting HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n');
      const status = await readStatus(socket);
      socket.destroy();
      return [status];
    },
  },
];

const brokenHosts = ['h/api/greeting#', 'h/api/greeting?', 'h\\api\\greeting', 'user@h', 'h:99999', 'a b'];

function getFrom(target: Target, path: string, host: string): Promise<Status> {
  return sendRaw(target, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
}
