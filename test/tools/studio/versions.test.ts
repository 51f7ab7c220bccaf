import { GraphQLError } from 'graphql';
import { expect, test } from 'vitest';
import { analyze } from '../../../src/compiler/analyze.js';
import { createGqlServer } from '../../../src/index.js';
import type { ReplayedCall, Version, VersionList } from '../../../src/tools/studio/protocol.js';
import type { Studio } from '../../../src/tools/studio/studio.js';
import type { VersionSource } from '../../../src/tools/studio/versions.js';
import { makeStudio, post, send, show, withRecorder } from './studios.js';

const book = '(book { id: ID!, title: String! })\n(shelf)-[:PROCESS { id: ID! }]->(book)\n';
const writing = "(new_book: Input { title: String! })-[:FOLD { operation: 'addBook', returns: Book! }]->(book)\n";
const commit = 'a'.repeat(40);

const listOf = async (studio: Studio) => (await (await send(studio, '/_gg/api/versions')).json()) as VersionList;
const versionOf = (studio: Studio, id: string) => send(studio, `/_gg/api/version?id=${id}`);
const opened = async (studio: Studio, id: string) => (await (await versionOf(studio, id)).json()) as Version;

/** The commits of a topology, by their texts. */
function sourceOf(texts: Readonly<Record<string, string>>, more: Partial<VersionSource> = {}): VersionSource {
  return {
    commits: async () => Object.keys(texts).map((hash, at) => ({ commit: hash, at: 1000 - at, title: `c${at}` })),
    read: async (hash) => analyze({ name: 'a.gg', source: texts[hash] ?? '' }),
    serve: () => Promise.reject(new Error('not served')),
    ...more,
  };
}

test('lists commits and saves, the oldest first, and equal texts once', async () => {
  const versions = sourceOf({ [commit]: book, ['b'.repeat(40)]: book });
  const studio = makeStudio({ versions });
  show(studio, book);
  show(studio, book);
  show(studio, '(root)-[');
  show(studio, book + writing);
  const { versions: listed, problem } = await listOf(studio);
  expect(listed.map(({ kind, title }) => [kind, title])).toEqual([
    ['commit', 'c1'],
    ['commit', 'c0'],
    ['save', undefined],
    ['save', undefined],
  ]);
  expect(problem).toBeUndefined();
});

test('lists the saves alone if git cannot be read, and says why', async () => {
  const versions = sourceOf({}, { commits: () => Promise.reject(new Error('git is not installed')) });
  const studio = makeStudio({ versions });
  show(studio, book);
  expect(await listOf(studio)).toMatchObject({
    versions: [{ kind: 'save' }],
    problem: 'git is not installed',
  });
});

test('shows a version with the changes since, and draws it', async () => {
  const studio = makeStudio({ versions: sourceOf({ [commit]: book + writing }) });
  show(studio, book);
  const version = await opened(studio, commit);
  expect(version.schema.mutations.map(({ name }) => name)).toEqual(['addBook']);
  expect(version.sources).toEqual([{ name: 'a.gg', text: book + writing }]);
  expect(version.changes[0]).toMatchObject({ level: 'breaking', coordinate: 'Mutation.addBook' });
  const drawing = await (await send(studio, `/_gg/api/drawing?version=${commit}`)).json();
  expect(JSON.stringify(drawing)).toContain('Mutation.addBook');
  const [save] = (await listOf(studio)).versions.slice(-1);
  expect((await opened(studio, save?.id ?? '')).changes).toEqual([]);
});

test('keeps the last 20 saves, and fewer of large topologies, but always that of now', async () => {
  const studio = makeStudio();
  for (let count = 1; count <= 25; count++) show(studio, book.replace('title', `title${count}`));
  const { versions } = await listOf(studio);
  expect(versions).toHaveLength(20);
  expect((await opened(studio, versions[0]?.id ?? '')).sources[0]?.text).toContain('title6');
  for (let count = 1; count <= 3; count++) show(studio, `${book}// ${String(count).repeat(600_000)}`);
  expect((await listOf(studio)).versions).toHaveLength(1);
});

test('rejects versions with errors and unknown ones', async () => {
  const studio = makeStudio({ versions: sourceOf({ [commit]: '(root)-[' }) });
  show(studio, book);
  const broken = await versionOf(studio, commit);
  expect([broken.status, await broken.text()]).toEqual([422, expect.stringContaining('This version has errors')]);
  for (const id of ['', 'save-9', '--output=x']) expect((await versionOf(studio, id)).status).toBe(404);
});

/** A studio of an API without `addBook`, whose calls were recorded, and which replays them. */
async function library() {
  const added: string[] = [];
  const lost = new Map<string, () => null>([['none', () => null]]);
  const resolvers = {
    Query: {
      book: (_: unknown, { id }: { readonly id: string }, { request }: { readonly request: Request }) => {
        const reader = request.headers.get('x-reader');
        const nothing = lost.get(id);
        return nothing !== undefined
          ? nothing()
          : { id, title: `Emma${reader === null ? '' : ` for ${reader}`}`, pages: 9, apiKey: 'k3y' };
      },
    },
    Mutation: {
      addBook: (_: unknown, { input: { title } }: { readonly input: { readonly title: string } }) => {
        added.push(title);
        return { id: '1', title, pages: 9 };
      },
    },
  };
  const serve: VersionSource['serve'] = async (topologies) =>
    createGqlServer({
      topologies,
      limits: { batching: 5 },
      resolvers: topologies.schema.mutations.length > 0 ? resolvers : { Query: resolvers.Query },
    });
  const now = book.replace('title: String!', 'title: String!, pages: Int!, apiKey: String') + writing;
  const studio = makeStudio({ versions: sourceOf({ [commit]: book }, { serve }) });
  show(studio, now, resolvers);
  const served = { topologies: [{ name: 'a.gg', source: now }], resolvers, limits: { batching: 5 } };
  const server = createGqlServer(withRecorder(served, studio.recorder));
  const page = await send(studio, '/_gg/api/messages');
  const ask = async (path: string, body?: object) => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer secret' };
    const init = body && { method: 'POST', body: JSON.stringify(body) };
    await (await server.fetch(new Request(`http://localhost${path}`, { headers, ...init }))).text();
  };
  const replay = async (more: object = {}) => {
    const answer = await post(studio, '/_gg/api/replay', { version: commit, ...more });
    return (await answer.json()) as readonly ReplayedCall[];
  };
  return { ask, replay, added, lost, close: () => page.body?.cancel() };
}

test('replays queries at a version and now, and tells equal, different and failing answers apart', async () => {
  const { ask, replay, added, close } = await library();
  await ask('/graphql', { query: '{ book(id: 1) { title } }' });
  await ask('/api/book?id=1');
  await ask('/graphql', { query: '{ book(id: 1) { pages } }' });
  await ask('/api/addBook', { input: { title: 'Persuasion' } });
  expect(await replay()).toMatchObject([
    { coordinate: 'Query.book', outcome: 'equal', statuses: { version: 200, now: 200 }, differences: [] },
    {
      outcome: 'differs',
      differences: [
        { pointer: '/pages', now: 9 },
        { pointer: '/apiKey', now: '[redacted]' },
      ],
    },
    { outcome: 'fails', reason: expect.stringContaining('pages') },
    { coordinate: 'Mutation.addBook', outcome: 'left out', reason: 'It is a mutation.' },
  ]);
  expect(added).toEqual(['Persuasion']);
  await close();
});

test('replays mutations only if it is told to, and calls with the headers of the session', async () => {
  const { ask, replay, added, close } = await library();
  await ask('/api/addBook', { input: { title: 'Persuasion' } });
  await ask('/graphql', { query: '{ book(id: 1) { title } }' });
  const [mutation, query] = await replay({ hasMutations: true, headers: { 'x-reader': 'Ada' } });
  expect(mutation).toMatchObject({ outcome: 'fails', statuses: { version: 404, now: 200 } });
  expect(query).toMatchObject({ outcome: 'equal' });
  // Only that of now has the operation.
  expect(added).toEqual(['Persuasion', 'Persuasion']);
  await close();
});

test.each([
  ['null', () => null],
  [
    'an error',
    () => {
      throw new GraphQLError('There is none.', { extensions: { code: 'NOT_FOUND', http: { status: 404 } } });
    },
  ],
])('tells answers that find nothing any more, as %s, from equal ones, over each protocol', async (_, nothing) => {
  const { ask, replay, lost, close } = await library();
  lost.set('none', nothing);
  const query = '{ book(id: 1) { title } }';
  for (const id of ['1', 'none']) {
    await ask(`/api/book?id=${id}&fields=title`);
    await ask('/graphql', { query: query.replace('1', `"${id}"`) });
  }
  await ask('/graphql', { query: '{ book(id: 1) { title } other: book(id: 2) { title } }' });
  await ask('/graphql', { query: '{ book(id: "mine") { title } }' });
  const outcomes = async () => (await replay()).map(({ outcome }) => outcome);
  expect(await outcomes()).toEqual(Array(6).fill('equal'));
  lost.set('1', nothing);
  lost.set('mine', () => {
    throw new GraphQLError('No.', { extensions: { code: 'FORBIDDEN' } });
  });
  // The last ones find another book, and are refused.
  expect(await outcomes()).toEqual(['not found', 'not found', 'equal', 'equal', 'equal', 'equal']);
  await close();
});

test('sends a batch only with mutations', async () => {
  const { ask, replay, added, close } = await library();
  const add = (name: string) => `${name}: addBook(input: { title: "${name}" }) { id }`;
  await ask('/graphql', [{ query: '{ book(id: 1) { title } }' }, { query: `mutation { ${add('a')} }` }]);
  expect(added.splice(0)).toEqual(['a']);
  expect((await replay()).map(({ outcome }) => outcome)).toEqual(expect.not.arrayContaining(['equal']));
  expect(added).toEqual([]);
  await replay({ hasMutations: true });
  // The query and the mutation are of one request, which is sent once.
  expect(added).toEqual(['a']);
  await close();
});

test('rejects a replay without servers of versions', async () => {
  const studio = makeStudio();
  show(studio, book);
  expect((await post(studio, '/_gg/api/replay', { version: 'save-1' })).status).toBe(403);
});
