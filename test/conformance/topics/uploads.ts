import { beforeAll, expect, test } from 'vitest';
import type { GgFile } from '../../../src/index.js';
import { get } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';

export const uploadSource = `
(root)-[:PROCESS]->(stored { id: ID!, text: String })
(root)-[:FOLD { operation: 'store', title: String, file: File! }]->(stored)
`;

/** Files over REST and GraphQL. What a hostile client may send is in `test/runtime/uploads`. */
export const uploads: Topic = {
  name: 'uploads',
  define(host) {
    let server: RunningHost;
    beforeAll(async () => {
      server = await host.start({
        topologies: [{ name: 'uploads.gg', source: uploadSource }],
        limits: { fileBytes: 300_000 },
        resolvers: {
          Mutation: {
            store: async (_: unknown, { title, file }: { title?: string; file: GgFile }) => {
              const { filename, mediaType } = await file.head();
              let length = 0;
              for await (const chunk of file.stream()) length += chunk.length;
              return { id: '1', text: `${title} ${filename} ${mediaType} ${length}` };
            },
          },
        },
      });
    });

    const large = new Blob(['x'.repeat(250_000)], { type: 'image/png' });
    const send = (path: string, parts: readonly (readonly [string, string | Blob])[], headers = {}) => {
      const body = new FormData();
      for (const [name, value] of parts) {
        if (typeof value === 'string') body.append(name, value);
        else body.append(name, value, `${name}.png`);
      }
      return get(server, path, { method: 'POST', body, headers });
    };

    test('a form is a call over REST, whose file the resolver reads as it arrives', async () => {
      const { status, body } = await send('/api/store', [
        ['title', 't'],
        ['file', large],
      ]);
      expect([status, body]).toEqual([200, { id: '1', text: 't file.png image/png 250000' }]);
    });

    test('a GraphQL multipart request is a call with the files in its variables', async () => {
      const query = 'mutation ($file: File!) { store(file: $file) { text } }';
      const parts = [
        ['operations', JSON.stringify({ query, variables: { file: null } })],
        ['map', JSON.stringify({ 0: ['variables.file'] })],
        ['0', large],
      ] as const;
      const { status, body } = await send('/graphql', parts, { 'graphql-require-preflight': '1' });
      expect([status, body]).toEqual([200, { data: { store: { text: 'undefined 0.png image/png 250000' } } }]);
      expect((await send('/graphql', parts)).status).toBe(400);
    });

    test('a file beyond the limit is refused, and the next request is answered', async () => {
      const file = new Blob(['x'.repeat(400_000)]);
      expect((await send('/api/store', [['file', file]])).status).toBe(413);
      expect((await send('/api/store', [['file', large]])).status).toBe(200);
    });
  },
};
