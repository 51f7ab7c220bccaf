import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import DataLoader from 'dataloader';
import { createSchema, createYoga } from 'graphql-yoga';
import { compile, createBetaServerAdapter, schemaToGraphQL } from '../../../src/index.js';

const { values } = parseArgs({
  options: { report: { type: 'string', default: '' }, quick: { type: 'boolean', default: false } },
});
const rounds = values.quick ? 3 : 11;
const requests = values.quick ? 50 : 300;

const topology = `
(author { id: ID!, name: String! })
(book { id: ID!, title: String!, authorId: ID!, author: Author! })
(shelf)-[:PROCESS { operation: 'listBooks', returns: [Book!]! }]->(book)
`;
const query = '{ listBooks { id title author { id name } } }';
const books = Array.from({ length: 100 }, (_, at) => ({
  id: String(at),
  title: `Book ${at}`,
  authorId: String(at % 30),
}));

/** The reads since the last count; each is a turn of the event loop, as a database is at least. */
let reads = 0;

async function readAuthors(ids: readonly unknown[]): Promise<{ id: unknown; name: string }[]> {
  reads += 1;
  await new Promise((resolve) => setImmediate(resolve));
  return ids.map((id) => ({ id, name: `Author ${id}` }));
}

const listBooks = () => {
  reads += 1;
  return books;
};

interface Server {
  fetch(request: Request): Response | Promise<Response>;
}

function serve(author: unknown): Server {
  const topologies = [{ name: 'books.gg', source: topology }];
  return createBetaServerAdapter({
    topologies,
    resolvers: { Query: { listBooks }, Book: { author } } as never,
  });
}

const compiled = compile({ name: 'books.gg', source: topology });
const yoga = createYoga({
  schema: createSchema<{ authors: DataLoader<unknown, { id: unknown; name: string }> }>({
    typeDefs: schemaToGraphQL(compiled.schema),
    resolvers: {
      Query: { listBooks },
      Book: { author: ({ authorId }, _args, { authors }) => authors.load(authorId) },
    },
  }),
  context: () => ({ authors: new DataLoader(readAuthors) }),
  logging: false,
});

const contenders: Readonly<Record<string, Server>> = {
  'gg-svc, a resolver': serve(async ({ authorId }: { authorId: string }) => (await readAuthors([authorId]))[0]),
  'gg-svc, a batch resolver': serve({ batch: readAuthors }),
  'Yoga with DataLoader': yoga,
};

async function ask(server: Server): Promise<unknown> {
  const body = JSON.stringify({ query });
  const headers = { 'content-type': 'application/json' };
  const response = await server.fetch(new Request('http://localhost/graphql', { method: 'POST', headers, body }));
  return response.json();
}

const expected = JSON.stringify({
  data: {
    listBooks: books.map(({ id, title, authorId }) => ({
      id,
      title,
      author: { id: authorId, name: `Author ${authorId}` },
    })),
  },
});
const found = new Map<string, { readonly reads: number; readonly times: number[] }>();
for (const [name, server] of Object.entries(contenders)) {
  reads = 0;
  const answer = JSON.stringify(await ask(server));
  if (answer !== expected) throw new Error(`${name} answers ${answer}`);
  found.set(name, { reads, times: [] });
}
for (let round = -1; round < rounds; round++) {
  for (const [name, server] of Object.entries(contenders)) {
    const start = process.cpuUsage();
    for (let at = 0; at < requests; at++) await ask(server);
    const { user, system } = process.cpuUsage(start);
    // The first round only warms up.
    if (round >= 0) found.get(name)?.times.push((user + system) / requests);
  }
}

const yogaTimes = found.get('Yoga with DataLoader')?.times ?? [];
const rows = [...found].map(([name, { reads: count, times }]) => {
  const ratios = times.map((time, round) => (yogaTimes[round] ?? Number.NaN) / time);
  const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  return `| ${name} | ${count} | ${Math.round(median(times))} µs | ${median(ratios).toFixed(2)}× (${spread}) |`;
});
const text = `# Batching

\`npm run bench:batching\` writes this page: 100 books with their 30 authors, in one GraphQL request without a network.
Processor time of a request, median of ${rounds} rounds of ${requests} requests; the speed is relative to Yoga in the same
round, with the spread in brackets. Node ${process.versions.node}.

| | reads | time | speed |
|---|---|---|---|
${rows.join('\n')}
`;
console.log(text);
if (!values.quick) writeFileSync(values.report, text);

function median(list: readonly number[]): number {
  return [...list].sort((one, other) => one - other)[list.length >> 1] ?? Number.NaN;
}
