import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/compiler/compile.js';
import { buildRuntimeIoProjectionLayer } from '../../../src/runtime/server/channels/runtime-io-layer.js';
import { createGqlServer } from '../../../src/runtime/server/service.js';

const source = `(root)-[:PROCESS]->(hello { text: 'Hello' })
(pet_form { id: ID! })-[:FOLD { operation: 'savePet' }]->(pet { id: ID! })
(pet)-[:FORK]->(pet_saved { id: ID! })
`;

type Options = Omit<Parameters<typeof createGqlServer>[0], 'topologies'>;

function serve(text: string, options: Options = {}) {
  const server = createGqlServer({ topologies: [{ name: 'pets.gg', source: text }], ...options });
  return (url: string) => server.fetch(new Request(url));
}

function compiled(baseUrl: string): string | undefined {
  const result = compile({ name: 'pets.gg', source }, { title: 'Pets', baseUrl, artifacts: 'all', federation: true });
  return result.artifacts?.['asyncapi.json'];
}

describe('/asyncapi.json', () => {
  it('is the artifact of the compiler, for the origin of each request', async () => {
    const ask = serve(source, { title: 'Pets' });
    for (const origin of ['http://pets.local:81', 'https://pets.example', 'http://[::1]:4000']) {
      const response = await ask(`${origin}/asyncapi.json`);
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(await response.text()).toBe(compiled(origin));
    }
  });

  it('has the given base URL', async () => {
    const baseUrl = 'https://pets.example/v1/gql';
    const ask = serve(source, { title: 'Pets', baseUrl });
    expect(await (await ask('http://pets.local/asyncapi.json')).text()).toBe(compiled(baseUrl));
  });

  it.each([undefined, 'https://pets.example'])(
    'has the endpoint of the server, with the base URL %s',
    async (baseUrl) => {
      const ask = serve(source, { endpoint: '/internal/gql', ...(baseUrl && { baseUrl }) });
      const { channels, servers } = await (await ask('https://pets.example/asyncapi.json')).json();
      expect(channels['graphql-sse'].address).toBe('/internal/gql');
      expect(servers.server).toEqual({ host: 'pets.example', protocol: 'https' });
    },
  );

  it('is missing without events, and the start page has no link to it', async () => {
    const ask = serve("(root)-[:PROCESS]->(hello { text: 'Hello' })");
    expect((await ask('http://pets.local/asyncapi.json')).status).toBe(404);
    expect(await (await ask('http://pets.local/')).text()).not.toContain('asyncapi.json');
    expect(await (await serve(source)('http://pets.local/')).text()).toContain('href="/asyncapi.json"');
  });

  it('has the channels of the server even without subscriptions', async () => {
    const quiet = '(root)-[:PROCESS]->(pet { id: ID! })';
    const { ast } = compile(quiet);
    const channels = [{ node: 'pet', direction: 'in', transport: 'memory', read: () => null }] as const;
    const ask = serve(quiet, { layers: [buildRuntimeIoProjectionLayer({ graph: ast, channels })] });
    const document = await (await ask('http://pets.local/asyncapi.json')).json();
    expect(document.channels['pet-in']['x-io']).toMatchObject({ transport: 'memory', direction: 'in' });
    expect(document.servers).toBeUndefined();
  });
});
