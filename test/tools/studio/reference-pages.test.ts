import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { makeStudio, send, show } from './studios.js';

const topology = '/// A user of <b>.\n(user { id: ID! })\n(root)-[:PROCESS { id: ID! }]->(user)\n';

test('the studio serves a page for each part of the running API', async () => {
  const studio = makeStudio();
  show(studio, topology);
  const page = await send(studio, '/_gg/reference/queries/user.html');
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
  const text = await page.text();
  expect(text).toContain('<h1>user</h1>');
  expect(text).toContain("curl 'http://127.0.0.1:4000/api/user?id=1'");
  expect(await (await send(studio, '/_gg/reference/types/User.md')).text()).toMatch(/^# User\n/);
  expect(await (await send(studio, '/_gg/reference/')).text()).toContain('href="all.html"');
});

test('the reference shows the last topology without errors', async () => {
  const studio = makeStudio();
  expect((await send(studio, '/_gg/reference/index.html')).status).toBe(404);
  show(studio, topology);
  show(studio, `${topology}(`);
  expect((await send(studio, '/_gg/reference/queries/user.html')).status).toBe(200);
  show(studio, topology.replaceAll('user', 'order'));
  expect((await send(studio, '/_gg/reference/queries/user.html')).status).toBe(404);
  expect((await send(studio, '/_gg/reference/queries/order.html')).status).toBe(200);
});

test.each(['schema.graphql', 'openapi.json', 'collection.json'])('the link to %s points to the API', async (name) => {
  const studio = makeStudio();
  show(studio, topology);
  const { status, headers } = await send(studio, `/_gg/reference/${name}`);
  expect([status, headers.get('location')]).toEqual([303, `/${name}`]);
});

test.each(['style.css', 'site.js'])('the studio serves %s', async (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'gg-svc-reference-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), 'content');
  const studio = makeStudio({ siteAssets: pathToFileURL(`${folder}/`) });
  expect(await (await send(studio, `/_gg/reference/${name}`)).text()).toBe('content');
});

test.each(['nosuch.html', 'queries/nosuch.html', 'queries/user', '../studio.js', '%2e%2e/x.html', 'a/../../b.md'])(
  'the studio answers 404 at %s',
  async (name) => {
    const studio = makeStudio();
    show(studio, topology);
    expect((await send(studio, `/_gg/reference/${name}`)).status).toBe(404);
  },
);
