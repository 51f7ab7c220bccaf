import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError, type ClientOptions, createClient } from '../../../src/client.js';
import type { GqlServerOptions } from '../../../src/index.js';
import { hosts } from '../../conformance/hosts.js';
import { serve } from '../server/topology-server.js';

interface Paths {
  readonly '/api/show': { readonly get: { readonly parameters: Arguments; readonly answer: string | null } };
  readonly '/books/{isbn}.json': {
    readonly get: {
      readonly path: { readonly isbn: string };
      readonly headers: { readonly 'Accept-Language'?: string | null };
      readonly parameters: Readonly<Record<string, never>>;
      readonly answer: { readonly isbn: string; readonly title: string } | null;
    };
  };
  readonly '/books': {
    readonly get: {
      readonly parameters: { readonly first?: number };
      readonly answer: readonly { readonly isbn: string }[];
    };
  };
  readonly '/books/{isbn}': {
    readonly delete: {
      readonly path: { readonly isbn: string };
      readonly parameters: Readonly<Record<string, never>>;
      readonly answer: undefined;
    };
  };
  readonly '/api/placeOrder': {
    readonly post: {
      readonly body: { readonly input: { readonly isbn: string } };
      readonly answer: { readonly id: string };
      readonly problem: OutOfStock | Closed;
    };
  };
  readonly '/api/runs/{id}': {
    readonly get: { readonly path: { readonly id: string }; readonly answer: { readonly state: string } };
  };
}

interface Arguments {
  readonly count?: number | null;
  readonly isOld?: boolean | null;
  readonly text?: string | null;
  readonly names?: readonly string[] | null;
  readonly near?: Readonly<Record<string, number>> | null;
  readonly deep?: { readonly tags: readonly string[] } | null;
  readonly points?: readonly Readonly<Record<string, number>>[] | null;
}

interface OutOfStock {
  readonly code: 'OUT_OF_STOCK';
  readonly left: number;
}

interface Closed {
  readonly code: 'CLOSED';
}

interface Streams {
  readonly '/api/orderPlaced': {
    readonly parameters: { readonly id?: string };
    readonly event: { readonly id: string } | null;
  };
}

const source = `
  (point: Input { lat: Float, lon: Float })
  (deep: Input { tags: [String!]! })
  (root)-[:PROCESS { returns: String, count: Int, isOld: Boolean, text: String, names: [String!], near: Point, deep: Deep, points: [Point!] }]->(show)
  (book { isbn: ID!, title: String! })
  (root)-[:PROCESS { operation: 'book', isbn: ID!, /// @header Accept-Language
    language: String, route: 'GET /books/{isbn}.json' }]->(book)
  (root)-[:PROCESS { operation: 'books', returns: [Book!]!, page: 2, route: 'GET /books' }]->(book)
  (root)-[:FOLD { operation: 'dropBook', isbn: ID!, returns: Book, route: 'DELETE /books/{isbn}', status: 204 }]->(book)
  (new_order: Input { isbn: ID! })
  (out_of_stock: Problem { status: 409, left: Int! })
  (closed: Problem { status: 409 })
  (new_order)-[:FOLD { operation: 'placeOrder', returns: Order!, throws: [OutOfStock, Closed] }]->(order { id: ID! })
  (order)-[:FORK { id: ID }]->(order_placed: Event { id: ID! })
`;

const resolvers = {
  Query: {
    show: (_: unknown, args: object) => JSON.stringify(args),
    book: (_: unknown, { isbn, language }: { isbn: string; language?: string }) => ({
      isbn,
      title: language ?? 'Emma',
    }),
    books: () => ['1', '2', '3', '4', '5'].map((isbn) => ({ isbn, title: 'Emma' })),
  },
  Mutation: {
    dropBook: () => null,
    placeOrder: (_: unknown, { input }: { input: { isbn: string } }) => {
      if (input.isbn === 'none')
        throw Object.assign(new Error('Gone.'), { extensions: { code: 'OUT_OF_STOCK', left: 0 } });
      return { id: input.isbn };
    },
  },
};

/** A client of a server without a network; `through` stands between them. */
function connect(
  options: Partial<GqlServerOptions> = {},
  client: ClientOptions = {},
  through = (answer: () => Promise<Response>, _request: Request) => answer(),
) {
  const server = serve(source, { resolvers, ...options });
  const requests: Request[] = [];
  const send = (url: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(url, init);
    requests.push(request.clone());
    return through(async () => server.fetch(request), request);
  };
  const api = createClient<Paths, Streams>('http://api.test/', { fetch: send, ...client });
  return { api, server, requests };
}

describe('a client', () => {
  test('calls the routes of all methods, with arguments in the path, in headers and in the body', async () => {
    const { api, requests } = connect();
    expect(await api.get('/books/{isbn}.json', { path: { isbn: 'a/b' } })).toEqual({
      isbn: 'a/b',
      title: 'Emma',
    });
    const headers = { 'Accept-Language': 'de' };
    expect((await api.get('/books/{isbn}.json', { path: { isbn: '1' }, headers }))?.title).toBe('de');
    expect(await api.delete('/books/{isbn}', { path: { isbn: '1' } })).toBeUndefined();
    expect(await api.post('/api/placeOrder', { body: { input: { isbn: '7' } } })).toEqual({ id: '7' });
    expect(requests.map(({ method, url }) => `${method} ${url.replace('http://api.test', '')}`)).toEqual([
      'GET /books/a%2Fb.json',
      'GET /books/1.json',
      'DELETE /books/1',
      'POST /api/placeOrder',
    ]);
  });

  test('gives the server every argument of a query string as it is', async () => {
    const { api } = connect();
    const text = fc.string({ unit: fc.constantFrom('a', ' ', '+', '&', '=', '%', '"', '[', 'ä', '☃') });
    const number = fc.constantFrom(0, 1.5, -3);
    const some = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
    const values = fc.record({
      count: some(fc.integer({ min: -5, max: 5 })),
      isOld: some(fc.boolean()),
      text: some(text),
      names: some(fc.array(text, { maxLength: 3 }).filter((names) => names.join('') !== '' || names.length === 0)),
      near: some(fc.record({ lat: number, lon: number }, { requiredKeys: [] })),
      deep: some(fc.record({ tags: fc.array(text, { maxLength: 2 }) })),
      points: some(fc.array(fc.record({ lat: number }), { maxLength: 2 })),
    });
    await fc.assert(
      fc.asyncProperty(values, async (parameters) => {
        const answer = await api.get('/api/show', { parameters: parameters as Arguments });
        expect(JSON.parse(answer ?? '')).toEqual(JSON.parse(JSON.stringify(parameters)));
      }),
      { numRuns: 60 },
    );
  });

  test.each(['', '.', '..'])('refuses %j in a path, by which another route would be called', async (isbn) => {
    const { api, requests } = connect();
    await expect(api.delete('/books/{isbn}', { path: { isbn } })).rejects.toThrow(/another route/);
    expect(requests).toEqual([]);
  });

  test('sends the headers that a function gives for each request', async () => {
    let token = 0;
    const { api, requests } = connect({}, { headers: async () => ({ authorization: `Bearer ${++token}` }) });
    await api.get('/api/show');
    await api.get('/api/show', { onResponse: ({ status }) => expect(status).toBe(200) });
    expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer 1', 'Bearer 2']);
  });

  test('gives the pages of a list by their links', async () => {
    const { api } = connect();
    const pages = [];
    for await (const page of api.pages('/books', { parameters: { first: 2 } }))
      pages.push(page.map(({ isbn }) => isbn));
    expect(pages).toEqual([['1', '2'], ['3', '4'], ['5']]);
  });

  test('rejects with the problem of an answer, whose declared errors have their types', async () => {
    const { api } = connect();
    const error = await api.post('/api/placeOrder', { body: { input: { isbn: 'none' } } }).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(ApiError);
    expect(api.isProblem(error, 'CLOSED')).toBe(false);
    if (!api.isProblem(error, 'OUT_OF_STOCK')) throw error;
    const { left }: { readonly left: number } = error.problem;
    expect([error.status, left, error.message]).toEqual([409, 0, 'Gone.']);
    // @ts-expect-error: it is no declared error
    expect(api.isProblem(error, 'OTHER')).toBe(false);
  });

  test('tells the status of an answer that is no problem document', async () => {
    const page = async () => new Response('<html>', { status: 502, statusText: 'Bad Gateway' });
    const api = createClient<Paths>('http://api.test', { fetch: page });
    await expect(api.get('/api/show')).rejects.toMatchObject({ status: 502, message: 'Bad Gateway' });
  });
});

describe('a client that repeats', () => {
  const credentials = { headers: { cookie: 'session=1' } };

  test('sends a mutation without an answer again with its key: it runs once', async () => {
    let runs = 0;
    let lost = 2;
    const Mutation = { placeOrder: () => ({ id: String(++runs) }) };
    const { api, requests } = connect(
      { resolvers: { Mutation }, idempotency: {} },
      { repeats: 3, ...credentials },
      async (answer) => {
        const response = await answer();
        if (lost-- > 0) throw new TypeError('fetch failed');
        return response;
      },
    );
    expect(await api.post('/api/placeOrder', { body: { input: { isbn: '7' } } })).toEqual({ id: '1' });
    expect(runs).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    expect(requests).toHaveLength(3);
    await api.post('/api/placeOrder', { body: { input: { isbn: '7' } } });
    expect(runs).toBe(2);
  });

  test.each([429, 502, 503, 504])('waits as long as an answer with %i says', async (status) => {
    let answers = 0;
    const { api } = connect({}, { repeats: 1 }, async (answer) => {
      return answers++ === 0 ? new Response('', { status, headers: { 'retry-after': '0' } }) : answer();
    });
    expect(await api.get('/api/show')).toBe('{}');
  });

  test('gives up after its repeats, on other statuses at once, and when its signal says so', async () => {
    const none = connect({}, { repeats: 1 }, async () => {
      throw new TypeError('fetch failed');
    });
    await expect(none.api.get('/api/show')).rejects.toThrow('fetch failed');
    expect(none.requests).toHaveLength(2);
    const { api, requests } = connect({}, { repeats: 5 });
    // @ts-expect-error: it is no argument
    await expect(api.get('/api/show', { parameters: { other: 1 } })).rejects.toMatchObject({ status: 400 });
    expect(requests).toHaveLength(1);
    const busy = connect(
      {},
      { repeats: 5 },
      async () => new Response('', { status: 503, headers: { 'retry-after': '60' } }),
    );
    const ending = new AbortController();
    const answer = busy.api.get('/api/show', { signal: ending.signal });
    ending.abort(new Error('left'));
    await expect(answer).rejects.toThrow('left');
  });

  test('has no keys without repeats, unless a call has its own', async () => {
    const { api, requests } = connect({ idempotency: {} }, credentials);
    const body = { input: { isbn: '7' } };
    await api.post('/api/placeOrder', { body });
    await api.post('/api/placeOrder', { body, key: 'order-7' });
    expect(requests.map(({ headers }) => headers.get('idempotency-key'))).toEqual([null, '"order-7"']);
  });
});

describe('a stream', () => {
  // Together, because the pauses between connections are most of the time.
  test.concurrent.for(hosts.filter(({ hasNetwork }) => hasNetwork))(
    'continues after each lost connection without a gap, on $name',
    async (host, { onTestFinished }) => {
      const server = await host.start({ topologies: [{ name: 'test.gg', source }], resolvers } as never);
      onTestFinished(() => server.close());
      let cuts = 0;
      const cutting: typeof fetch = async (url, init) => {
        const response = await fetch(url, init);
        // Two events, and a part of the next one.
        const cut = new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, controller) {
            const text = new TextDecoder().decode(chunk);
            const [begin] = /^(?:[\s\S]*?data:.*\n\n){2}id: /.exec(text) ?? [text];
            controller.enqueue(new TextEncoder().encode(begin));
            if (begin === text) return;
            cuts += 1;
            controller.terminate();
          },
        });
        return new Response(response.body?.pipeThrough(cut) ?? null, response);
      };
      const writer = createClient<Paths>(server.origin);
      let after: string | undefined;
      const onResponse = ({ headers }: Response) => {
        after ??= headers.get('event-id') ?? undefined;
      };
      const place = (isbn: number) =>
        writer.post('/api/placeOrder', { body: { input: { isbn: String(isbn) } }, onResponse });
      await place(0);
      for (let isbn = 1; isbn < 8; isbn++) await place(isbn);
      const reader = createClient<Paths, Streams>(server.origin, { fetch: cutting });
      const seen: (string | undefined)[] = [];
      for await (const { id, data } of reader.follow('/api/orderPlaced', { after: after as string })) {
        expect(id).toBeDefined();
        seen.push(data?.id);
        if (seen.length === 7) break;
      }
      expect(seen).toEqual(['1', '2', '3', '4', '5', '6', '7']);
      expect(cuts).toBeGreaterThan(1);
    },
  );

  /** A client whose server answers with these streams, one after the other. */
  function streaming(...texts: readonly string[]) {
    const given: (string | null)[] = [];
    const answers = [...texts];
    const answer: typeof fetch = async (_url, init) => {
      given.push(new Headers(init?.headers).get('last-event-id'));
      return new Response(answers.shift() ?? 'event: complete\ndata:\n\n');
    };
    return { given, api: createClient<Paths, Streams>('http://api.test', { fetch: answer }) };
  }

  async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
    const found: Item[] = [];
    for await (const item of items) found.push(item);
    return found;
  }

  test('reads blocks as the standard says, whatever ends their lines', async () => {
    const text = ': ping\r\n\r\nid: 1\r\n\r\nid: 2\rdata: {"id":\rdata: "a"}\r\rretry: 1\nid:3\ndata:{"id":"b"}\n\n';
    const { api } = streaming(`${text}event: complete\ndata:\n\n`);
    expect(await all(api.follow('/api/orderPlaced'))).toEqual([
      { id: '2', data: { id: 'a' } },
      { id: '3', data: { id: 'b' } },
    ]);
  });

  const lost = 'id: 4\nevent: error\ndata: {"status":410,"detail":"3 events are lost.","code":"EVENTS_LOST"}\n\n';

  test('ends with the first problem', async () => {
    const { api } = streaming(`${lost}id: 5\ndata: {"id":"a"}\n\n`);
    const error = await all(api.follow('/api/orderPlaced', { after: '1' })).catch((one: unknown) => one);
    expect(error).toMatchObject({ name: 'ApiError', status: 410, message: '3 events are lost.' });
  });

  test('continues after problems that are listened to', async () => {
    const { api } = streaming(`${lost}id: 5\ndata: {"id":"a"}\n\nevent: complete\ndata:\n\n`);
    const problems: (string | undefined)[] = [];
    const events = api.follow('/api/orderPlaced', {
      onProblem: ({ problem }) => problems.push(problem.code),
    });
    expect(await all(events)).toEqual([{ id: '5', data: { id: 'a' } }]);
    expect(problems).toEqual(['EVENTS_LOST']);
  });

  test('continues where it was too slow', async () => {
    const slow =
      'id: 6\ndata: {"id":"a"}\n\nid: 6\nevent: error\ndata: {"code":"SUBSCRIBER_TOO_SLOW"}\n\nevent: complete\ndata:\n\n';
    const { api, given } = streaming(slow);
    expect(await all(api.follow('/api/orderPlaced'))).toEqual([{ id: '6', data: { id: 'a' } }]);
    expect(given).toEqual([null, '6']);
  });

  test('ends with an error if it was cut and its events have no ids', async () => {
    const { api } = streaming('data: {"id":"a"}\n\n');
    await expect(all(api.follow('/api/orderPlaced'))).rejects.toThrow(/no ids to continue after/);
  });

  test('ends with an answer that a repeat would get again', async () => {
    const { api } = connect();
    const events = api.follow('/api/orderPlaced', { after: 'nowhere' });
    await expect(all(events)).rejects.toMatchObject({ status: 400, problem: { code: 'INVALID_EVENT_ID' } });
  });

  test('ends with its signal', async () => {
    const ending = new AbortController();
    const { api } = connect();
    setTimeout(() => ending.abort(), 50);
    expect(await all(api.follow('/api/orderPlaced', { signal: ending.signal }))).toEqual([]);
  });

  test('gives the progress of a run', async () => {
    const { api } = streaming(
      'id: 1\ndata: {"state":"running"}\n\n',
      'id: 2\ndata: {"state":"completed"}\n\nevent: complete\ndata:\n\n',
    );
    const states: string[] = [];
    for await (const { data } of api.follow('/api/runs/{id}', { path: { id: '7' } })) states.push(data.state);
    expect(states).toEqual(['running', 'completed']);
  });
});
