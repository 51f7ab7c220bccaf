import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Browser, chromium, type FrameLocator, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { checkAccessibility } from '../browser/browser.js';
import { freePort } from '../free-port.js';
import { type Command, installCodeServer, packExtension } from './programs.js';

// The packed extension in Visual Studio Code: the server build that Coder publishes, in headless Chromium. The tests
// are one session of a user: each goes on where the one before it ended.

let folder = '';
let codeServer: Command = [''];
let editor: ChildProcess;
let browser: Browser;
let page: Page;
let api: Server;
/** The requests that the API got. */
const { version } = JSON.parse(readFileSync('editors/vscode/package.json', 'utf8'));
const requests: string[] = [];

/** The streams that are open. */
const streams = new Set<ServerResponse>();

const topology = `/// Reads a book.
(root)-[:PROCES { id: ID! }]->(read_book: Record { id: ID!, title: String! })
(root)-[:PROCESS]->(author { id: ID! })
(book { title: String! })-[:FOLD]->(add_book: Record { id: ID!, title: String! })
(add_book)-[:FORK]->(book_added)
`;

beforeAll(async () => {
  codeServer = installCodeServer();
  const extension = packExtension();
  folder = mkdtempSync(join(tmpdir(), 'gg-svc-vscode-'));
  for (const name of ['project', 'user/User']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'project/library.gg'), topology);
  api = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers['x-key']}`);
    if (request.headers.accept === 'text/event-stream') {
      streams.add(response);
      response.on('close', () => streams.delete(response));
      response.setHeader('content-type', 'text/event-stream').write(':\n\ndata: {"title":"Emma"}\n\n');
      return;
    }
    response.setHeader('content-type', 'application/json').end('{"id":"1","title":"Dune"}');
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const settings = {
    'workbench.startupEditor': 'none',
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    'editor.formatOnSave': true,
    'window.autoDetectColorScheme': true,
    'gg.request.address': `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
    'gg.request.headers': { 'x-key': 'secret' },
  };
  writeFileSync(join(folder, 'user/User/settings.json'), JSON.stringify(settings));
  const [program, ...before] = codeServer;
  const data = ['--user-data-dir', join(folder, 'user'), '--extensions-dir', join(folder, 'extensions')];
  execFileSync(program, [...before, ...data, '--install-extension', extension], { stdio: 'pipe' });
  const port = await freePort();
  const options = ['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--config', join(folder, 'config.yaml')];
  const quiet = ['--disable-telemetry', '--disable-update-check', '--disable-workspace-trust'];
  editor = spawn(program, [...before, ...data, ...options, ...quiet], { stdio: 'ignore' });
  const address = `http://127.0.0.1:${port}`;
  for (let isUp = false; !isUp; await setTimeout(200)) {
    isUp = await fetch(`${address}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  }
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
    timeout: 120_000,
  });
  page = await browser.newPage({ viewport: { width: 1500, height: 850 } });
  page.setDefaultTimeout(120_000);
  await page.goto(`${address}/?folder=${join(folder, 'project')}`);
  await page.getByRole('treeitem', { name: 'library.gg' }).dblclick();
  await page.locator('.view-lines').waitFor();
});

afterAll(async () => {
  await browser?.close();
  editor?.kill();
  api?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** The time that the editor may need, in milliseconds, and how often the tests look. */
const patience = { timeout: 300_000, interval: 200 };

const soon = <T>(read: () => T) => expect.poll(read, patience);
const saved = () => readFileSync(join(folder, 'project/library.gg'), 'utf8');
const lenses = () => page.locator('.codelens-decoration a').allTextContents();
const lineWith = (text: string) => page.locator('.view-line', { hasText: text }).first();
const graph = (): FrameLocator => page.frameLocator('iframe.webview').frameLocator('iframe#active-frame');

/** The notification of a stream, which stays until the stream has ended. */
const notification = () => page.locator('.notification-toast', { hasText: 'Events of /api/bookAdded' });

/** Saves a picture of the editor in the folder that SHOTS names, to look at. */
async function takeShot(name: string): Promise<void> {
  const { SHOTS } = process.env;
  if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

describe('the extension in Visual Studio Code', () => {
  test('starts its own language server in a project without gg-svc, and shows this in the status bar', async () => {
    const item = page.locator('.statusbar-item', { hasText: 'gg-svc' }).first();
    await soon(() => item.textContent()).toBe(`gg-svc ${version} (bundled)`);
  });

  test('colours a topology', async () => {
    // The editor shows a text before it has its colours.
    const colours = () =>
      page
        .locator('.view-line span[class^=mtk]')
        .evaluateAll((spans) => new Set(spans.map((span) => getComputedStyle(span).color)).size);
    await soon(colours).toBeGreaterThan(3);
  });

  test('underlines a finding, and applies its fix', async () => {
    await page.locator('.squiggly-warning, .squiggly-error').first().waitFor();
    const fix = page.locator('.action-widget .action', { hasText: 'Write PROCESS' });
    // The editor has no fixes to show while it asks for the findings of a text.
    await vi.waitFor(async () => {
      await page.keyboard.press('Escape');
      await lineWith('PROCES ').click();
      await page.keyboard.press('Home');
      for (let step = 0; step < 10; step++) await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Control+.');
      await fix.waitFor({ timeout: 20_000 });
    }, patience);
    // `Enter` would go to the text if the list had no focus yet.
    await fix.click();
    await soon(() => lineWith('read_book').textContent()).toContain('PROCESS');
    await soon(() => page.locator('.squiggly-warning, .squiggly-error').count()).toBe(0);
  });

  test('shows the type of a node on hover', async () => {
    const hover = page.locator('.monaco-hover-content');
    // The editor drops a hover while the analysis of the last edit runs.
    await soon(async () => {
      await page.mouse.move(5, 5);
      await page.locator('.view-line span', { hasText: /^author$/ }).hover();
      await hover
        .first()
        .waitFor({ timeout: 10_000 })
        .catch(() => undefined);
      return (await hover.allTextContents()).join(' ');
    }).toContain('REST: GET /api/author');
    await page.keyboard.press('Escape');
  });

  test('runs the request of an edge, and shows the response without the headers of the settings', async () => {
    await soon(lenses).toEqual(
      expect.arrayContaining(['Run request: GET /api/readBook', 'Run request: GET /api/author']),
    );
    await page.locator('.codelens-decoration a', { hasText: 'readBook' }).click();
    await page.locator('.tab', { hasText: 'readBook (GET).jsonc' }).waitFor();
    const response = page.locator('.editor-group-container').nth(1).locator('.view-lines');
    await soon(() => response.textContent()).toContain('"Dune"');
    expect(await response.textContent()).toMatch(/GET.*\/api\/readBook\?id=1.*200.OK/);
    expect(await response.textContent()).not.toContain('secret');
    expect(requests).toEqual(['GET /api/readBook?id=1 secret']);
  });

  test('follows the stream of a subscription, event by event, until its document is closed', async () => {
    await page.locator('.codelens-decoration a', { hasText: 'Follow stream: GET /api/bookAdded' }).click();
    await page.locator('.tab', { hasText: 'bookAdded (events).jsonc' }).waitFor();
    const events = page.locator('.editor-group-container').nth(1).locator('.view-lines');
    await soon(() => events.textContent()).toContain('"Emma"');
    for (const stream of streams) stream.write('data: {"title":"Ulysses"}\n\n');
    await soon(() => events.textContent()).toContain('"Ulysses"');
    expect(await events.textContent()).toMatch(/Event.2,.after/);
    expect(streams.size).toBe(1);
    await page.locator('.tab', { hasText: 'bookAdded (events).jsonc' }).hover();
    await page.locator('.tab', { hasText: 'bookAdded (events).jsonc' }).click({ button: 'middle' });
    await soon(() => streams.size).toBe(0);
    await soon(() => notification().count()).toBe(0);
  });

  test('ends a stream by the button of its notification', async () => {
    await page.locator('.codelens-decoration a', { hasText: 'Follow stream' }).click();
    const events = page.locator('.editor-group-container').nth(1).locator('.view-lines');
    await soon(() => events.textContent()).toContain('"Emma"');
    await notification().getByRole('button', { name: 'Cancel' }).click();
    await soon(() => streams.size).toBe(0);
    await soon(() => events.textContent()).toContain('Stopped.');
  });

  test('draws the graph beside the text', async () => {
    await lineWith('author').click();
    await page.getByRole('button', { name: 'Show Graph to the Side' }).first().click();
    await graph().locator('svg').first().waitFor();
    const texts = () => graph().locator('svg text').allTextContents();
    await soon(async () => (await texts()).join(' ')).toMatch(/readBook.*author/s);
  });

  test('selects in the graph the edge at the cursor', async () => {
    await lineWith('read_book').click({ position: { x: 60, y: 8 } });
    const selected = graph().locator('[aria-pressed=true], [aria-selected=true], [aria-current=true]');
    await soon(async () => (await selected.allTextContents()).join(' ')).toContain('readBook');
  });

  test('shows the source of a clicked node of the graph', async () => {
    await graph()
      .getByRole('button', { name: /author/ })
      .first()
      .click();
    await soon(() => page.locator('.statusbar-item', { hasText: /^\s*Ln / }).textContent()).toContain('Ln 3');
  });

  test.each(['light', 'dark'] as const)(
    'the graph has the colours of a %s theme, and passes axe',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      await soon(() => graph().locator('html').getAttribute('data-theme')).toBe(colorScheme);
      const frame = await (await graph().locator('html').elementHandle())?.ownerFrame();
      if (frame === null || frame === undefined) throw new Error('The preview has no frame.');
      await checkAccessibility(frame);
      await takeShot(`editors-vscode-${colorScheme}`);
    },
  );

  test('formats on save, and the graph follows', async () => {
    await lineWith('author').click();
    await page.keyboard.press('Control+End');
    // As one text: typed keys could go to a list of suggestions.
    await page.keyboard.insertText('(x)-[:PROCESS]->(shelf{id:ID!})');
    // The editor saves without the format if the language server needs more than about a second.
    await soon(async () => {
      await page.keyboard.press('Control+S');
      return saved();
    }).toBe(`${topology.replace('PROCES ', 'PROCESS ')}(x)-[:PROCESS]->(shelf { id: ID! })\n`);
    await soon(async () => (await graph().locator('svg text').allTextContents()).join(' ')).toContain('shelf');
  });

  test('keeps the last graph while the topology has errors', async () => {
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('(y)-[:process]->(x');
    await soon(() => graph().getByRole('status').allTextContents()).toContainEqual(
      expect.stringMatching(/errors.*last topology without errors/),
    );
    expect((await graph().locator('svg text').allTextContents()).join(' ')).toContain('shelf');
    for (let undone = 0; undone < 30 && !(await page.title()).startsWith('library.gg'); undone++) {
      await page.keyboard.press('Control+Z');
    }
  });

  test('restarts its language server with a command; an installed gg-svc of the project takes precedence', async () => {
    const installed = join(folder, 'project/node_modules/gg-svc');
    mkdirSync(installed, { recursive: true });
    const { bin } = JSON.parse(readFileSync('package.json', 'utf8'));
    const program = join(process.cwd(), bin['gg-svc']);
    writeFileSync(join(installed, 'package.json'), '{ "version": "9.9.9", "bin": { "gg-svc": "gg-svc.mjs" } }');
    writeFileSync(join(installed, 'gg-svc.mjs'), `await import(${JSON.stringify(program)});\n`);
    await page.keyboard.press('F1');
    await page.keyboard.type('gg-svc: Restart Language Server', { delay: 10 });
    await page
      .getByRole('option', { name: /Restart Language Server/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    const item = page.locator('.statusbar-item', { hasText: 'gg-svc' }).first();
    await soon(() => item.textContent()).toBe('gg-svc 9.9.9 (project)');
    await soon(lenses).toContain('Run request: GET /api/author');
  });
});
