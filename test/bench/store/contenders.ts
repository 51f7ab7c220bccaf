import { createServer, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { createNodeListener } from '../../../src/runtime/hosts/node/node.js';
import { onFastify, onNode } from '../http/listen.js';
import { locations, ourServer } from './database.js';
import { type HandWritten, onPostgres, onSqlite } from './hand-written.js';
import type { ContenderName } from './rows.js';

/** All that take part. A contender that cannot be started is reported as not measured. */
export const contenders: Readonly<Record<ContenderName, () => Promise<number>>> = {
  'gg-svc on PostgreSQL': () => onNode(createNodeListener(ourServer('PostgreSQL'))),
  'gg-svc on SQLite': () => onNode(createNodeListener(ourServer('SQLite'))),
  'node:http on PostgreSQL': () => onBareNode(onPostgres()),
  'node:http on SQLite': () => onBareNode(onSqlite()),
  'Fastify on PostgreSQL': () => onBareFastify(onPostgres()),
  'Fastify on SQLite': () => onBareFastify(onSqlite()),
  'Fastify again on PostgreSQL': () => onBareFastify(onPostgres()),
  'Fastify again on SQLite': () => onBareFastify(onSqlite()),
  PostGraphile: onPostGraphile,
};

/** As little as possible: the statement returns JSON, which is the answer. */
function onBareNode(by: HandWritten): Promise<number> {
  return onNode(async (request, response) => {
    const isRead = request.method === 'GET';
    const text = isRead
      ? await by.books()
      : `{"data":{"authors":${await by.authors((await bodyOf(request)).variables.shelf)}}}`;
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.setHeader('content-length', Buffer.byteLength(text));
    response.end(text);
  });
}

async function bodyOf(request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as { readonly variables: { readonly shelf: number } };
}

const [text, integer] = [{ type: 'string' }, { type: 'integer' }] as const;

function onBareFastify(by: HandWritten): Promise<number> {
  const app = fastify();
  const answer = (properties: object) => ({ response: { 200: { type: 'object', properties } } });
  app.get<{ Querystring: { id: string } }>(
    '/api/book',
    {
      schema: {
        querystring: { type: 'object', required: ['id'], properties: { id: text } },
        ...answer({ id: text, title: text, authorId: text }),
      },
    },
    ({ query }) => by.book(query.id),
  );
  app.post<{ Body: { text: string; stars: number } }>(
    '/api/addNote',
    {
      schema: {
        body: {
          type: 'object',
          required: ['text', 'stars'],
          additionalProperties: false,
          properties: { text, stars: integer },
        },
        ...answer({ id: text, text, stars: integer }),
      },
    },
    ({ body }) => by.addNote(body.text, body.stars),
  );
  return onFastify(app);
}

/** The project does not depend on it: the benchmark installs it into a folder of its own. */
async function onPostGraphile(): Promise<number> {
  const load = createRequire(`${process.env.BENCH_PEERS}/package.json`);
  const { postgraphile } = load('postgraphile') as { postgraphile: PostGraphile };
  const { grafserv } = load('postgraphile/grafserv/node') as { grafserv: unknown };
  const { PostGraphileAmberPreset } = load('postgraphile/presets/amber') as Record<string, unknown>;
  const { makePgService } = load('postgraphile/adaptors/pg') as {
    makePgService: (options: object) => unknown;
  };
  const pgServices = [makePgService({ connectionString: locations.PostgreSQL, schemas: ['public'] })];
  const instance = postgraphile({
    extends: [PostGraphileAmberPreset],
    pgServices,
    grafast: { explain: false },
    grafserv: { graphiql: false, watch: false },
    schema: { defaultBehavior: 'list' },
  });
  const server = createServer();
  await instance.createServ(grafserv).addTo(server);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

type PostGraphile = (preset: object) => {
  createServ(host: unknown): { addTo(server: ReturnType<typeof createServer>): Promise<void> };
};
