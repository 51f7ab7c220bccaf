import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { WebSocket } from 'ws';
import { requestAttacks } from './request-attacks.js';
import type { TargetState } from './target.js';
import { open, operate, patience, postJson, readStatus, type Status, send, sendRaw, type Target } from './wire.js';

/** One kind of bad input. */
export interface Attack {
  readonly name: string;
  /** The statuses that are right; 0 stands for a connection that is closed without an answer. */
  readonly expected: readonly Status[];
  /** Sends it, in every form that it has; gives the status of each. May ask how the process is. */
  readonly run: (target: Target, ask: () => Promise<TargetState>) => Promise<readonly Status[]>;
  /** What has to hold of the process soon afterwards; gives what is wrong. */
  readonly check?: (before: TargetState, after: TargetState) => string | undefined;
}

const repeat = (count: number, text: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => text(at)).join(' ');

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** The head of a request; its body is what follows. */
const head = (...lines: string[]): string =>
  ['POST /graphql HTTP/1.1', 'Host: target', 'Content-Type: application/json', ...lines, '', ''].join('\r\n');

const greeting = '{"query":"{ greeting { text } }"}';

/** Bytes that come in pieces, so that their number is not said beforehand. */
function chunked(size: number): RequestInit {
  let left = size;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left <= 0) return controller.close();
      controller.enqueue(new Uint8Array(Math.min(left, 1 << 16)).fill(0x20));
      left -= 1 << 16;
    },
  });
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
}

/** The kinds of values without JSON text of the target, and those that JSON leaves out of an object. */
const odd = ['function', 'symbol', 'bigint', 'cycle', 'nothing', 'throwing'];
const omitted = ['function', 'symbol', 'nothing'];

/** The attacks that are answered, or not, at once. */
export const attacks: readonly Attack[] = [
  ...requestAttacks,
  {
    name: '18 aliased fragments',
    expected: [400],
    run: async (target) => [
      await operate(
        target,
        `{ people { ...f0 } } ${repeat(18, (at) => {
          const next = at === 17 ? 'id' : `...f${at + 1}`;
          return `fragment f${at} on Person { a: friend { ${next} } b: friend { ${next} } }`;
        })}`,
      ),
    ],
  },
  {
    name: '5000 aliases',
    expected: [400],
    run: async (target) => [await operate(target, `{ ${repeat(5_000, (at) => `a${at}: greeting { text }`)} }`)],
  },
  {
    name: '9000 directives',
    expected: [400],
    run: async (target) => [
      await operate(target, `{ greeting { text ${repeat(9_000, () => '@skip(if: false)')} } }`),
      await operate(target, `{ greeting { text ${repeat(300, () => '@include(if: true)')} } }`),
    ],
  },
  {
    name: 'nesting of 6000 levels',
    expected: [400],
    run: async (target) => [
      await operate(target, `{ people ${'{ friend '.repeat(6_000)}{ id }${' }'.repeat(6_000)} }`),
      await operate(target, `{ people ${'{ friend '.repeat(13)}{ id }${' }'.repeat(13)} }`),
      await operate(target, `{ echo(value: ${nested(6_000)}) }`),
    ],
  },
  {
    // What is kept of documents must be bounded in bytes, and not in number alone.
    name: 'many long documents, right and wrong',
    expected: [200, 400],
    run: async (target) => {
      const statuses: Status[] = [];
      for (let at = 0; at < 60; at++) {
        const long = `# ${String(at).padStart(900_000, 'x')}\n`;
        statuses.push(await operate(target, `${long}{ greeting { text } }`));
        statuses.push(await operate(target, `${long}{ greeting { nothing } }`));
        statuses.push(await operate(target, `${long}{ greeting {`));
      }
      return statuses;
    },
  },
  {
    name: 'introspection in circles',
    expected: [400],
    run: async (target) => [
      await operate(target, `{ __schema { types { ${'fields { type { '.repeat(8)} name ${'} } '.repeat(8)} } } }`),
    ],
  },
  {
    name: 'many fields that might merge',
    expected: [400],
    run: async (target) => [
      await operate(target, `{ ${repeat(600, () => 'people{id}')} }`),
      await operate(target, `{ people { ${repeat(490, () => 'friend{id}')} } }`),
      await operate(target, `{ people { ${repeat(240, () => '...{friend{id}}')} } }`),
      await operate(
        target,
        `{ people { ${repeat(150, (at) => `...f${at}`)} } } ${repeat(150, (at) => `fragment f${at} on Person { id }`)}`,
      ),
    ],
  },
  {
    name: 'values without JSON text, over REST',
    expected: [500],
    run: (target) =>
      Promise.all(
        odd.flatMap((kind) => [
          send(target, `/api/odd?kind=${kind}`),
          ...(omitted.includes(kind) ? [] : [send(target, `/api/failing?kind=${kind}`)]),
        ]),
      ),
  },
  {
    // Without data an operation is a bad request to those who know the media type; an error below is none.
    name: 'values without JSON text, over GraphQL',
    expected: [200],
    run: (target) =>
      Promise.all(
        odd.flatMap((kind) => [
          operate(target, `{ odd(kind: "${kind}") }`),
          operate(target, `{ failing(kind: "${kind}") }`),
          operate(target, `query A { odd(kind: "${kind}") } query B { greeting { text } }`).then((status) =>
            status === 400 ? 200 : status,
          ),
        ]),
      ),
  },
  {
    name: 'values that fail late, once or twice',
    expected: [200],
    run: async (target) => {
      const statuses: Status[] = [];
      for (const kind of ['rejected', 'abandoned', 'below', 'getter', 'throwing', 'twice']) {
        // From the second time on the operation has a plan.
        for (let time = 0; time < 3; time++) {
          statuses.push(await operate(target, `{ late(kind: "${kind}") { id name } }`));
        }
      }
      return statuses;
    },
  },
  {
    name: 'secrets in values and in races',
    expected: [200, 500],
    run: async (target) => {
      const statuses: Status[] = [];
      for (let time = 0; time < 3; time++) {
        statuses.push(await operate(target, '{ unfit { id name } }'));
        statuses.push(await operate(target, '{ page { ... on Near { text } } }'));
        statuses.push(await send(target, '/api/unfit'), await send(target, '/api/page'));
      }
      return statuses;
    },
  },
  {
    name: 'JSON variables of 40000 levels',
    expected: [400],
    run: async (target) => [
      await postJson(
        target,
        '/graphql',
        `{"query":"query($v: Anything) { echo(value: $v) }","variables":{"v":${nested(40_000)}}}`,
      ),
      await postJson(target, '/api/saved', `{"input":{"text":${nested(40_000)}}}`),
      await send(target, `/graphql?query={greeting{text}}&variables={"v":${nested(500)}}`),
    ],
  },
  {
    name: '__proto__ and constructor as paths',
    expected: [404],
    run: (target) =>
      Promise.all(
        ['/api/__proto__', '/api/constructor', '/api/toString', '/__proto__', '/constructor'].map((path) =>
          send(target, path),
        ),
      ),
  },
  {
    name: '__proto__ and constructor as names',
    expected: [400],
    run: async (target) => [
      await send(target, '/api/people?__proto__=1'),
      await send(target, '/api/people?__proto__[polluted]=1'),
      await send(target, '/api/people?constructor[prototype][polluted]=1'),
      await send(target, '/api/people?fields=__proto__'),
      await send(target, '/api/people?fields=constructor.prototype'),
      await postJson(target, '/api/saved', '{"__proto__":{"polluted":1}}'),
      await postJson(target, '/api/saved', '{"input":{"__proto__":{"polluted":1}}}'),
      await postJson(target, '/api/saved', '{"input":{"constructor":{"prototype":{"polluted":1}}}}'),
      await postJson(
        target,
        '/graphql',
        '{"query":"mutation($i: NoteInput) { saved(input: $i) { text } }","variables":{"i":{"__proto__":{"polluted":1}}}}',
      ),
    ],
  },
  {
    name: '__proto__ and constructor as values',
    expected: [200],
    run: async (target) =>
      [
        await postJson(
          target,
          '/graphql',
          '{"query":"query($v: Anything) { echo(value: $v) }","variables":{"v":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}},"__proto__":{"polluted":1}}}',
        ),
        await postJson(target, '/graphql', `{"__proto__":{"polluted":1},${greeting.slice(1)}`),
      ].map((status) => (status === 400 ? 200 : status)),
  },
  {
    name: 'an integer of 1e20',
    expected: [400],
    run: async (target) => [
      await send(target, '/api/people?first=1e20'),
      await send(target, '/api/people?first=100000000000000000000'),
      await operate(target, '{ people(first: 100000000000000000000) { id } }'),
      await operate(target, 'query($first: Int) { people(first: $first) { id } }', { first: 1e20 }),
    ],
  },
  {
    name: 'invalid UTF-8',
    expected: [400],
    run: async (target) => {
      const bytes = new TextEncoder().encode(greeting);
      bytes[3] = 0xff;
      const overlong = new Uint8Array([...new TextEncoder().encode('{"input":{"text":"'), 0xc0, 0xaf]);
      return [await postJson(target, '/graphql', bytes), await postJson(target, '/api/saved', overlong)];
    },
  },
  {
    name: 'a gzip bomb',
    expected: [415],
    run: async (target) => {
      const bomb = new Uint8Array(gzipSync(new Uint8Array(64 << 20).fill(0x20)));
      const headers = { 'content-encoding': 'gzip' };
      return [await postJson(target, '/graphql', bomb, headers), await postJson(target, '/api/saved', bomb, headers)];
    },
  },
  {
    name: 'bodies of 2 MB and 30 MB',
    // A client that is still sending may miss the answer, and finds the connection closed; on a busy machine
    // it may need longer for it than requests may take.
    expected: [413, 408, 0],
    run: async (target) => [
      await postJson(target, '/graphql', ' '.repeat(2 << 20)),
      await postJson(target, '/api/saved', ' '.repeat(2 << 20)),
      await postJson(target, '/graphql', ' '.repeat(30 << 20)),
      await send(target, '/graphql', chunked(2 << 20)),
      await send(target, '/api/saved', chunked(2 << 20)),
      await send(target, '/graphql', chunked(30 << 20)),
      await send(target, '/api/saved', chunked(30 << 20)),
    ],
  },
  {
    name: 'lists of operations',
    expected: [400],
    run: async (target) => [
      await postJson(target, '/graphql', `[${greeting},${greeting}]`),
      await postJson(target, '/graphql', `[${Array(5_000).fill(greeting).join()}]`),
      await postJson(target, '/graphql', '[]'),
    ],
  },
  {
    name: 'forged requests: text/plain, form, multipart, no type',
    expected: [400],
    run: async (target) => {
      const query = 'mutation { saved { text } }';
      const post = (body: BodyInit, headers: Record<string, string> = {}) =>
        send(target, '/graphql', { method: 'POST', body, headers });
      const form = new FormData();
      form.set('query', query);
      form.set('operations', JSON.stringify({ query }));
      return [
        await post(JSON.stringify({ query })),
        await post(new URLSearchParams({ query })),
        await post(form),
        await post(new TextEncoder().encode(JSON.stringify({ query }))),
        await send(target, '/graphql?query={greeting{text}}', {
          headers: { 'sec-fetch-site': 'cross-site' },
        }),
      ];
    },
  },
  {
    name: 'forged requests over REST',
    expected: [415],
    run: async (target) => [
      await send(target, '/api/saved', { method: 'POST', body: '{}' }),
      await send(target, '/api/saved', { method: 'POST', body: new URLSearchParams({ a: 'b' }) }),
      await send(target, '/api/saved', { method: 'POST', body: new FormData() }),
      await send(target, '/api/saved', { method: 'POST', headers: { origin: 'http://elsewhere.example' } }),
    ],
  },
  {
    name: 'a mutation over GET',
    expected: [405],
    run: async (target) => [
      await send(target, `/graphql?query=${encodeURIComponent('mutation { saved { text } }')}`),
      await send(target, '/api/saved'),
    ],
  },
  {
    name: 'lengths and encodings that conflict',
    expected: [400, 0],
    run: (target) =>
      Promise.all(
        [
          ['Content-Length: 5', 'Content-Length: 33'],
          ['Content-Length: 33', 'Transfer-Encoding: chunked'],
          ['Content-Length: -1'],
          ['Content-Length: 1e3'],
          ['Content-Length: 99999999999999999999'],
          ['Transfer-Encoding: chunked, identity'],
          ['Transfer-Encoding: xchunked'],
          ['Transfer-Encoding : chunked'],
          ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
        ].map((lines) => sendRaw(target, `${head(...lines)}${greeting}\r\n0\r\n\r\n`)),
      ),
  },
  {
    name: 'chunks that are none',
    expected: [400, 0],
    run: async (target) => [
      await sendRaw(target, `${head('Transfer-Encoding: chunked')}zz\r\n${greeting}\r\n0\r\n\r\n`),
      await sendRaw(target, `${head('Transfer-Encoding: chunked')}ffffffffffffffffff\r\n`),
    ],
  },
  {
    name: 'requests that are no HTTP',
    expected: [400, 0],
    run: async (target) => [
      await sendRaw(target, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'),
      await sendRaw(target, 'GET / HTTP/9.9\r\n\r\n'),
      await sendRaw(target, 'GET /api/greeting HTTP/1.1\r\nHost: a\r\nBad Header\r\n\r\n'),
      await sendRaw(target, 'GET /api/greeting HTTP/1.1\r\nHost: a\x00b\r\n\r\n'),
      await sendRaw(target, 'GET /api/greeting HTTP/1.1\r\n\r\n'),
    ],
  },
  {
    name: '1500 headers',
    expected: [431],
    run: async (target) => [
      await sendRaw(target, `GET /api/greeting HTTP/1.1\r\nHost: a\r\n${'a: b\r\n'.repeat(1_500)}\r\n`),
      await sendRaw(target, `GET /api/greeting HTTP/1.1\r\nHost: a\r\nx: ${'y'.repeat(60_000)}\r\n\r\n`),
    ],
  },
  {
    name: 'percent-encoding that is broken',
    expected: [400, 404],
    run: async (target) => [
      await sendRaw(target, 'GET /api/people?first=%E0%A4%A HTTP/1.1\r\nHost: a\r\n\r\n'),
      await sendRaw(target, 'GET /api/% HTTP/1.1\r\nHost: a\r\n\r\n'),
      await sendRaw(target, 'GET /%ff%00/%c0%af.. HTTP/1.1\r\nHost: a\r\n\r\n'),
      await sendRaw(target, 'GET /graphql?query=%zz HTTP/1.1\r\nHost: a\r\n\r\n'),
      await sendRaw(target, 'GET //evil.example/%2e%2e/ HTTP/1.1\r\nHost: a\r\n\r\n'),
    ],
  },
  {
    name: 'clients that drop',
    expected: [0],
    run: async (target, ask) => {
      const before = await ask();
      const query = JSON.stringify({ query: '{ waiting { text } }' });
      const sockets = await Promise.all(Array.from({ length: 50 }, () => open(target)));
      for (const [at, socket] of sockets.entries()) {
        // Half of them are in the middle of sending.
        const body = at % 2 === 0 ? query : query.slice(0, 5);
        socket.write(`${head(`Content-Length: ${query.length}`)}${body}`);
      }
      for (let turn = 0; turn < 1_200 && (await ask()).waiting < before.waiting + 25; turn++) await wait(50);
      for (const socket of sockets) socket.destroy();
      return [0];
    },
    check: (before, after) => {
      const [begun, ended] = [after.waiting - before.waiting, after.aborted - before.aborted];
      return begun === 25 && ended === 25 ? undefined : `${begun} operations were begun, ${ended} ended`;
    },
  },
  {
    name: 'subscribers that never read',
    expected: [200],
    run: async (target) => {
      const query = JSON.stringify({ query: 'subscription { flood { text } }' });
      const sockets = await Promise.all(Array.from({ length: 10 }, () => open(target)));
      const statuses = await Promise.all(
        sockets.map(async (socket) => {
          socket.write(`${head('Accept: text/event-stream', `Content-Length: ${query.length}`)}${query}`);
          const status = await readStatus(socket);
          socket.pause();
          return status;
        }),
      );
      await wait(2_000);
      for (const socket of sockets) socket.destroy();
      return statuses;
    },
    check: (before, after) => {
      const [begun, ended] = [after.subscribed - before.subscribed, after.unsubscribed - before.unsubscribed];
      return begun === ended ? undefined : `${begun} subscriptions were begun, ${ended} ended`;
    },
  },
  {
    // Where there are no WebSockets this is a request without a query.
    name: 'messages over WebSocket that are too long, or none',
    expected: [0, 400],
    run: (target) =>
      Promise.all(
        [' '.repeat(2 << 20), '{', '[]', '"x"', nested(40_000), '{"type":"subscribe"}'].map((message) =>
          say(target, message),
        ),
      ),
  },
  {
    name: 'JSON over WebSocket that is nested too deeply',
    expected: [0, 400],
    run: async (target) => [
      await greet(target, (socket) => {
        const variables = `{"v":${nested(500)}}`;
        socket.send(
          `{"type":"subscribe","id":"1","payload":{"query":"{ greeting { text } }","variables":${variables}}}`,
        );
      }),
    ],
  },
  {
    // The server drops them: otherwise the attack has to give up, with -1.
    name: 'pings over WebSocket whose answers nobody reads',
    expected: [0, 400],
    run: (target) =>
      Promise.all(
        Array.from({ length: 4 }, () =>
          greet(target, (socket) => {
            socket.pause();
            const ping = JSON.stringify({ type: 'ping', payload: { text: 'x'.repeat(500_000) } });
            for (let at = 0; at < 50; at++) socket.send(ping, () => undefined);
          }),
        ),
      ),
  },
  {
    name: 'subscribers over WebSocket that never read',
    expected: [0, 400],
    run: (target) => Promise.all(Array.from({ length: 10 }, () => hold(target))),
    check: (before, after) => {
      const [begun, ended] = [after.subscribed - before.subscribed, after.unsubscribed - before.unsubscribed];
      return begun === ended ? undefined : `${begun} subscriptions were begun, ${ended} ended`;
    },
  },
];

/** Says something over a WebSocket and waits for what comes of it: its end, or the status of no WebSocket. */
function say({ origin }: Target, message: string): Promise<Status> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const timer = setTimeout(() => resolve(-1), patience);
    const end = (status: Status): void => {
      clearTimeout(timer);
      socket.terminate();
      resolve(status);
    };
    socket.on('open', () => socket.send(message));
    socket.on('close', () => end(0)).on('error', () => undefined);
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => end(statusCode));
  });
}

/** Opens a WebSocket, is acknowledged, does something, and waits for the end of the connection. */
function greet({ origin }: Target, act: (socket: WebSocket) => void): Promise<Status> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const timer = setTimeout(() => resolve(-1), patience);
    const end = (status: Status): void => {
      clearTimeout(timer);
      socket.terminate();
      resolve(status);
    };
    socket.on('open', () => socket.send('{"type":"connection_init"}'));
    socket.once('message', () => {
      act(socket);
      // A client that reads nothing is not told that the connection ends, but cannot write to it either.
      const probe = setInterval(() => socket.ping(undefined, undefined, (error) => error && end(0)), 200);
      socket.once('close', () => clearInterval(probe));
    });
    socket.on('close', () => end(0)).on('error', () => end(0));
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => end(statusCode));
  });
}

/** Subscribes over a WebSocket to more than anybody reads, reads nothing, and goes away. */
function hold({ origin }: Target): Promise<Status> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const end = (status: Status): void => {
      socket.terminate();
      resolve(status);
    };
    socket.on('open', () => socket.send('{"type":"connection_init"}'));
    socket.once('message', async () => {
      const payload = { query: 'subscription { flood { text } }' };
      socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload }));
      socket.pause();
      await wait(2_000);
      end(0);
    });
    // A client that is too busy to begin in time is told so by a close, which is no error.
    socket.on('close', () => end(0)).on('error', () => end(0));
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => end(statusCode));
  });
}

/** The attacks that take their time. They run beside the others. */
export const slowAttacks: readonly Attack[] = [
  {
    name: 'slow headers',
    expected: [408, 0],
    run: (target) => drip(target, 'GET /api/greeting HTTP/1.1\r\nHost: a\r\nx: ', 'y'),
  },
  {
    name: 'slow bodies',
    expected: [408, 0],
    run: (target) => drip(target, head('Content-Length: 100000'), ' '),
  },
];

/** Sends a beginning, and then a byte now and then until the server has enough of it. */
async function drip(target: Target, start: string, more: string): Promise<readonly Status[]> {
  return Promise.all(
    Array.from({ length: 10 }, async () => {
      const socket = await open(target);
      socket.write(start);
      const timer = setInterval(() => socket.write(more), 200);
      const status = await readStatus(socket);
      clearInterval(timer);
      socket.destroy();
      return status;
    }),
  );
}
