import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { analyze } from '../../../../src/compiler/analyze.js';
import type { GqlSecurityScheme } from '../../../../src/compiler/schema/gql-schema.js';
import { createNodeListener } from '../../../../src/runtime/hosts/node/node.js';
import { renderPage } from '../../../../src/runtime/http/page/page.js';
import { ask, serve } from '../../server/topology-server.js';

const source = `
  /// Reads <one> user & "more".
  (root)-[:PROCESS { id: ID! = "it's", filter: Filter, tags: [String!] }]->(user { name: 'Ada' })
  (filter { name: String, size: Int })
  (form)-[:FOLD { note: String = "it's" }]->(saved { ok: true })
  (saved)-[:FORK { filter: Filter, id: ID }]->(heard { id: ID! })
  (other)-[:FORK { returns: Int }]->(tick { x: 1 })
`;

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The text that a browser shows for a stretch of HTML. */
function textOf(html: string): string {
  return html.replace(/<[^>]*>/g, '').replace(/&(#?\w+);/g, (_, name: string) => entities[name] ?? '?');
}

/** The commands of a page. */
function commandsOf(html: string): string[] {
  return [...html.matchAll(/<pre[^>]*>(.*?)<\/pre>/gs)].map(([, inner]) => textOf(inner ?? ''));
}

describe('the access of an operation on the start page', () => {
  const operations = `(user { id: ID! })
    (root)-[:PROCESS { operation: 'open' }]->(user)
    (root)-[:PROCESS { operation: 'maybe', auth: 'optional' }]->(user)
    (root)-[:PROCESS { operation: 'known', auth: 'required' }]->(user)
    (root)-[:FOLD { operation: 'one', scopes: ['a'] }]->(user)
    (user)-[:FORK { operation: 'two', scopes: ['a', '<b>'] }]->(user)`;
  const page = (security: readonly GqlSecurityScheme[] = []) =>
    renderPage(analyze(operations, { security }).schema, {
      title: '',
      origin: 'http://a',
      endpoint: '/graphql',
      hasQueryPage: false,
      hasStudio: false,
    });

  test('does not link a studio that is not served', () => {
    expect(page()).not.toContain('/_gg/');
  });

  test('is described in plain words', () => {
    const lines = [...page().matchAll(/<p class="access">(.*?)<\/p>/gs)].map(([, line]) => textOf(line ?? '').trim());
    expect(lines).toEqual([
      'Authentication is optional.',
      'Requires authentication.',
      'Requires authentication with the scope a.',
      'Requires authentication with the scopes a, <b>.',
    ]);
  });

  test('is part of the command, with the token as a shell variable', () => {
    const [open, maybe, known, , two] = commandsOf(page());
    expect(open).not.toContain('TOKEN');
    expect(maybe).not.toContain('TOKEN');
    expect(known).toBe(`curl 'http://a/api/known' -H 'authorization: Bearer '"$TOKEN"`);
    expect(two).toContain(`-H 'authorization: Bearer '"$TOKEN"`);
    expect(commandsOf(page([{ type: 'apiKey', header: 'x-key' }]))[2]).toContain(`-H 'x-key: '"$TOKEN"`);
  });

  test('is absent from the page of a topology without access', async () => {
    expect((await ask(serve(source), '/')).text).not.toContain('class="access"');
  });
});

describe('the start page', () => {
  test('lists every operation with its route, edge, line and signature', async () => {
    const { text } = await ask(serve(source, { title: 'Users & <more>', federation: false }), '/');
    expect(text).toContain('<title>Users &amp; &lt;more&gt;</title>');
    expect(text).toContain('1 query · 1 mutation · 2 subscriptions');
    expect(textOf(text)).toContain('/api/user');
    expect(textOf(text)).toContain(`user(id: ID! = "it's", filter: FilterInput, tags: [String!]): User`);
    expect(textOf(text)).toContain('root -[:PROCESS]-> usertest.gg:3:3');
    expect(textOf(text)).toContain('Reads <one> user & "more".');
    expect(text).toContain('<article class="mutation" id="mutation-saved">');
    expect(text).toContain('<article class="subscription" id="subscription-heard">');
  });

  test('loads nothing and blocks scripts', async () => {
    const { text, headers } = await ask(serve(source), '/');
    expect(text.replace(/<pre.*?<\/pre>/gs, '')).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)|url\(|@import/);
    const policy = headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]+=*'; img-src data:;/);
  });

  test('escapes all texts', async () => {
    const evil = '</style></pre><script>alert(1)</script>';
    const server = serve(
      `(root)-[:PROCESS { q: String = ${JSON.stringify(evil)} }]->(a { x: ${JSON.stringify(evil)} })`,
      { title: evil, endpoint: '/a' },
    );
    const response = await server.fetch(new Request('http://x"><script>.test/'.replace('"><script>', '')));
    expect((await response.text()).match(/<script/g)).toBeNull();
  });

  test('says so if there are no operations', async () => {
    const { text } = await ask(serve('(a { id: ID! })', { federation: false }), '/');
    expect(text).toContain('This topology has no operations yet.');
    expect(text).not.toContain('<h2>');
  });

  test('links to GraphiQL, except in production', async () => {
    expect((await ask(serve(source), '/')).text).toContain('<a href="/graphql">GraphQL</a>');
    vi.stubEnv('NODE_ENV', 'production');
    expect((await ask(serve(source), '/')).text).not.toContain('href="/graphql"');
    vi.unstubAllEnvs();
  });

  test('shows the defaults of arguments', async () => {
    const { text } = await ask(serve('(root)-[:PROCESS { first: Int! = 5 }]->(a)'), '/');
    expect(textOf(text)).toContain('a(first: Int! = 5): A');
  });
});

describe('the commands of the page', () => {
  let http: Server;
  let origin: string;

  beforeAll(async () => {
    const server = serve(source, {
      federation: false,
      resolvers: {
        Subscription: {
          heard: async function* (_: unknown, { id = '1' }: { id?: string }) {
            yield { id };
          },
          tick: async function* () {
            yield null;
          },
        },
      },
    });
    http = createServer(createNodeListener(server));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    http.close();
    http.closeAllConnections();
  });

  test('can be pasted into a shell unchanged', async () => {
    const commands = commandsOf(await (await fetch(origin)).text());
    // The shell takes the commands apart; what it makes of them goes out by fetch, so no curl is needed.
    const words = commands.map((command) =>
      execFileSync('sh', ['-c', `show() { printf '%s\\0' "$@"; }; show ${command.slice('curl '.length)}`], {
        encoding: 'utf8',
      })
        .split('\0')
        .slice(0, -1),
    );
    const [user, saved, heard, tick] = words;
    expect(user).toEqual([`${origin}/api/user?id=it%27s&filter%5Bname%5D=Ada+Lovelace&filter%5Bsize%5D=10&tags=news`]);
    expect(await (await fetch(user?.[0] ?? '')).json()).toEqual({ name: 'Ada' });

    expect(saved?.slice(0, 4)).toEqual([`${origin}/api/saved`, '-H', 'content-type: application/json', '-d']);
    const answer = await fetch(saved?.[0] ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: saved?.[4] ?? '',
    });
    expect(await answer.json()).toEqual({ ok: true });

    const streamed = async (parts: readonly string[] | undefined) => {
      const response = await fetch(parts?.[1] ?? '', { headers: { accept: 'text/event-stream' } });
      return response.text();
    };
    expect(heard).toEqual(['-N', `${origin}/api/heard`, '-H', 'accept: text/event-stream']);
    expect(await streamed(heard)).toContain('data: {"id":"1"}\n\n');
    expect(await streamed(tick)).toContain('data: null\n\n');
  });
});

test('the start page counts the operations of the topology, and folds the federation queries', async () => {
  const source = '(root)-[:PROCESS { id: ID! }]->(user { id: ID! })';
  const [withIt, without] = await Promise.all(
    [undefined, false as const].map(async (federation) => {
      const { text } = await ask(serve(source, federation === undefined ? {} : { federation }), '/');
      return text;
    }),
  );
  for (const text of [withIt, without]) expect(text).toContain('<p>1 query</p>');
  expect(withIt).toMatch(/<details>\s*<summary>Federation<\/summary>[\s\S]*federationChain[\s\S]*<\/details>/);
  expect(without?.toLowerCase()).not.toContain('federation');
});
