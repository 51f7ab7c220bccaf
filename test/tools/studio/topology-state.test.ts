import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Drawing } from '../../../src/analysis/diagram/drawing.js';
import { makeStudio, readerOf, send, show, stateOf } from './studios.js';

const greeting = '(root)-[:PROCESS { id: ID! }]->(greeting { text: String! })\n';
const hello = "(root)-[:PROCESS]->(hello { text: 'Hello' })\n";

describe('the state of the studio', () => {
  test('has the texts, the findings, and the API with its drawing', async () => {
    const studio = makeStudio();
    show(studio, greeting);
    const { api, findings, sources, title, canWrite, endpoint } = await stateOf(studio);
    expect({ title, endpoint, canWrite, sources }).toEqual({
      title: 'a.gg',
      endpoint: '/graphql',
      canWrite: false,
      sources: [{ name: 'a.gg', text: greeting }],
    });
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(api?.sources).toEqual(sources);
    expect(api?.schema.queries.map(({ name }) => name)).toEqual(['greeting']);
    expect(api?.drawing?.boxes.map(({ node }) => node)).toEqual(['root', 'greeting']);
  });

  test('has the findings of a broken text, and keeps the API of the last one without errors', async () => {
    const studio = makeStudio();
    for (const broken of [
      '(root)-[',
      '(root)-[:PROCESS { id: Missing! }]->(hello { text: String! })',
      '(a)-[:RACE]->(b',
    ]) {
      show(studio, greeting);
      const before = await stateOf(studio);
      show(studio, broken);
      const after = await stateOf(studio);
      expect(after.sources).toEqual([{ name: 'a.gg', text: broken }]);
      expect(after.findings.some(({ severity }) => severity === 'error')).toBe(true);
      expect(after.api).toEqual(before.api);
      expect(after.revision).toBeGreaterThan(before.revision);
    }
  });

  test('has no API before the first topology without errors', async () => {
    const studio = makeStudio();
    show(studio, '(root)-[');
    expect((await stateOf(studio)).api).toBeUndefined();
    expect((await send(studio, '/_gg/api/drawing')).status).toBe(404);
  });

  test('has the changes of the last text that changed the API', async () => {
    const studio = makeStudio();
    show(studio, greeting);
    expect((await stateOf(studio)).changes).toEqual([]);
    show(studio, greeting + hello);
    const added = (await stateOf(studio)).changes;
    expect(added.map(({ coordinate, level }) => [coordinate, level])).toContainEqual(['Query.hello', 'safe']);
    show(studio, `${greeting}\n${hello}`);
    expect((await stateOf(studio)).changes).toEqual(added);
    show(studio, '(root)-[');
    expect((await stateOf(studio)).changes).toEqual(added);
    show(studio, hello);
    const removed = (await stateOf(studio)).changes;
    expect(removed.map(({ coordinate, level }) => [coordinate, level])).toContainEqual(['Query.greeting', 'breaking']);
  });

  test('has all changes since the last page was closed, for a page that opens after several saves', async () => {
    const studio = makeStudio();
    show(studio, greeting);
    await stateOf(studio);
    show(studio, hello);
    show(studio, greeting);
    expect((await stateOf(studio)).changes).toEqual([]);
    show(studio, hello);
    show(studio, greeting + hello);
    expect((await stateOf(studio)).changes.map(({ coordinate }) => coordinate)).toContain('Query.hello');
    expect((await stateOf(studio)).changes.map(({ level }) => level)).not.toContain('breaking');
  });

  test('has the implementation of each operation', async () => {
    const studio = makeStudio();
    const text = `${greeting}${hello}
(input: Order { id: ID! })-[:FOLD]->(order: Record { id: ID! })
(order)-[:FORK]->(order_changed: Event { id: ID! })
(clock)-[:FORK]->(tick: Event { count: Int! })
`;
    show(studio, text, { Query: { greeting: () => ({ text: 'Hi' }) } });
    const { api } = await stateOf(studio);
    expect(api?.answeredBy).toEqual({
      'Query.greeting': 'the resolver in a.resolvers.mjs',
      'Query.hello': 'the constants and races of the topology',
      'Subscription.orderChanged': 'the events of order',
      'Subscription.tick': 'the events that the program publishes',
    });
  });
});

describe('the drawing of an operation', () => {
  const text = `${greeting}${hello}(other)-[:PROCESS]->(third { text: 'x' })\n`;

  test('has only its neighbourhood', async () => {
    const studio = makeStudio();
    show(studio, text);
    const response = await send(studio, '/_gg/api/drawing?operation=third');
    const { boxes } = (await response.json()) as { boxes: { node: string }[] };
    expect(boxes.map(({ node }) => node)).toEqual(['other', 'third']);
    const whole = (await (await send(studio, '/_gg/api/drawing')).json()) as typeof boxes;
    expect(whole).toEqual((await stateOf(studio)).api?.drawing);
  });

  test('is rejected for an unknown name', async () => {
    const studio = makeStudio();
    show(studio, text);
    for (const name of ['nosuch', '', '__proto__', '%00', 'Query.nosuch', '<b>']) {
      const response = await send(studio, `/_gg/api/drawing?operation=${encodeURIComponent(name)}`);
      expect([name, response.status]).toEqual([name, 404]);
    }
  });

  test('that is in progress while the topology changes is rejected, and requested again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gg-svc-layout-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    // The first answer shows that the thread works; the others never come.
    writeFileSync(
      join(folder, 'worker.mjs'),
      `import { parentPort } from 'node:worker_threads';
       parentPort.once('message', ({ id }) => parentPort.postMessage({ id, problem: 'first' }));
       parentPort.on('message', () => {});`,
    );
    const studio = makeStudio({ layoutWorker: pathToFileURL(join(folder, 'worker.mjs')) });
    show(studio, text);
    expect((await stateOf(studio)).api?.undrawn).toBe('first');
    const waiting = send(studio, '/_gg/api/drawing?operation=third');
    show(studio, `${text}${text.replaceAll('third', 'fourth')}`);
    expect((await waiting).status).toBe(409);
  });

  test('has the groups of a large topology, and opens those that the page names', async () => {
    const studio = makeStudio();
    const many = Array.from({ length: 1001 }, (_, at) => `(r${at})-[:PROCESS]->(n${at} { text: 'x' })\n`);
    show(studio, many.join(''));
    const { api } = await stateOf(studio);
    const groups = api?.drawing?.boxes.flatMap(({ group = [] }) => group) ?? [];
    expect(groups.length).toBeGreaterThan(15);
    const draw = (...open: readonly string[]) => {
      const query = new URLSearchParams(open.map((name) => ['open', name]));
      return send(studio, `/_gg/api/drawing?${query}`);
    };
    const opened = (await (await draw('Query.n7', groups[3] as string)).json()) as Drawing;
    expect(opened.boxes.map(({ node }) => node)).toEqual(expect.arrayContaining(['r7', 'n7']));
    expect(opened.boxes.flatMap(({ group = [] }) => group)).toContain(`${groups[3]}/1`);
    expect((await send(studio, '/_gg/api/drawing?operation=n7')).status).toBe(200);
    const all = await draw(...many.map((_, at) => `(r${at})`), ...many.map((_, at) => `(n${at})`));
    expect([all.status, await all.text()]).toEqual([
      422,
      expect.stringContaining('Cannot lay out 2002 boxes and 1001 lines'),
    ]);
  });
});

describe('the messages', () => {
  test('notify each page of each change', async () => {
    const studio = makeStudio();
    const pages = [0, 1].map(async () => readerOf(await send(studio, '/_gg/api/messages')));
    const [one, other] = await Promise.all(pages);
    expect(studio.messages.hasPages).toBe(true);
    show(studio, greeting);
    const { revision } = await stateOf(studio);
    expect(await one?.next()).toEqual({ kind: 'state', revision });
    expect(await other?.next()).toEqual({ kind: 'state', revision });
    await one?.leave();
    expect(studio.messages.hasPages).toBe(true);
    await other?.leave();
    expect(studio.messages.hasPages).toBe(false);
  });

  test('are not sent for HEAD requests', async () => {
    const studio = makeStudio();
    const response = await send(studio, '/_gg/api/messages', { method: 'HEAD' });
    expect([response.status, response.body]).toEqual([200, null]);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(studio.messages.hasPages).toBe(false);
  });

  test('end when the studio is closed, also for pages that come later', async () => {
    const studio = makeStudio();
    const before = readerOf(await send(studio, '/_gg/api/messages'));
    studio.close();
    const after = readerOf(await send(studio, '/_gg/api/messages'));
    expect([await before.next(), await after.next()]).toEqual([undefined, undefined]);
    expect(studio.messages.hasPages).toBe(false);
  });

  test('are not queued for a page that does not read: it gets the whole state later', async () => {
    const studio = makeStudio();
    show(studio, greeting);
    const page = readerOf(await send(studio, '/_gg/api/messages'));
    const other = readerOf(await send(studio, '/_gg/api/messages'));
    const operations = Array.from({ length: 1000 }, (_, at) => ({
      coordinate: `Query.q${at}`,
      calls: 1,
      errors: 0,
      p95: at,
    }));
    const seen: unknown[] = [];
    for (let at = 0; at < 100; at++) {
      studio.messages.send({ kind: 'statistics', operations });
      seen.push((await other.next())?.kind);
    }
    expect(new Set(seen)).toEqual(new Set(['statistics']));
    studio.close();
    const kept: unknown[] = [];
    for (let message = await page.next(); message !== undefined; message = await page.next()) {
      kept.push(message.kind);
    }
    expect(kept[0]).toBe('state');
    expect(kept.length).toBeLessThan(30);
  });
});
