import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync, gzipSync } from 'node:zlib';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPlayground } from '../../scripts/playground.mjs';
import { checkAccessibility, expectFault, openPage } from './browser.js';
import { serveFolder } from './static-server.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'gg-svc-playground-'));
beforeAll(() => buildPlayground(folder));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface State {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly resolvers?: string;
  readonly tab?: string;
}

const fragmentOf = (state: unknown) => `#1.${deflateRawSync(JSON.stringify(state)).toString('base64url')}`;

const one = (text: string, more: Partial<State> = {}): string =>
  fragmentOf({ files: [{ name: 'main.gg', text }], ...more });

/** Opens the playground below a path, as on a site with other pages. */
async function open(fragment = '', options: BrowserContextOptions = {}): Promise<Page> {
  const address = await serveFolder(folder, '/docs/playground/');
  return openPage(`${address}${fragment}`, options);
}

const editorOf = (page: Page, name = 'main.gg') => page.getByRole('textbox', { name: `Text of ${name}` });

/** Replaces the text of the open file by typing. */
async function type(page: Page, text: string, name = 'main.gg'): Promise<void> {
  await editorOf(page, name).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** The text of the open file. */
const textOf = async (page: Page, name = 'main.gg') =>
  (await editorOf(page, name).locator('.cm-line').allTextContents()).join('\n');

const openTab = (page: Page, name: string | RegExp) => page.getByRole('tab', { name }).click();

/** The state in the address, as soon as it is as wanted. */
async function stateIn(page: Page, wanted: (state: State) => boolean): Promise<State> {
  let state: State | undefined;
  await expect
    .poll(async () => {
      const text = await page.evaluate(async () => {
        const packed = location.hash.slice(3).replaceAll('-', '+').replaceAll('_', '/');
        const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
        const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
        return new Response(stream).text();
      });
      state = JSON.parse(text) as State;
      return wanted(state);
    })
    .toBe(true);
  return state as State;
}

const typo = '(root)-[:PROCESS]->(user { name: Strng! })\n';

describe('the editor of the playground', () => {
  test('completes names, shows findings, fixes them, and formats', async () => {
    const page = await open(one(''), { permissions: ['clipboard-read', 'clipboard-write'] });
    await editorOf(page).click();
    await page.keyboard.type('(root)-[:');
    await page.getByRole('option', { name: /PROCESS/ }).click();
    expect(await textOf(page)).toContain('PROCESS');

    await type(page, typo);
    await openTab(page, 'Findings (1)');
    await page.getByRole('button', { name: 'main.gg:1:34' }).click();
    await page.keyboard.press('ControlOrMeta+c');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Strng');
    await page.getByRole('button', { name: 'Fix: Write String' }).click();
    expect(await textOf(page)).toBe(typo.replace('Strng', 'String'));
    await page.getByText('There are no findings.').waitFor();

    await type(page, '(root)-[:PROCESS]->(user{name:String!})\n');
    await page.getByRole('button', { name: 'Format' }).click();
    await expect.poll(() => textOf(page)).toBe('(root)-[:PROCESS]->(user { name: String! })\n');
  });

  test('fixes a finding from its mark', async () => {
    const page = await open(one(typo));
    await page.locator('.cm-lintRange-error').first().hover();
    await page.getByRole('button', { name: 'Write String' }).click();
    expect(await textOf(page)).toContain('String!');
  });

  test('highlights by meaning, and shows hovers as plain text', async () => {
    const page = await open(
      one(
        '/// <img src=x onerror=alert(1)> [a](javascript:alert(2)) **bold**\n(root)-[:PROCESS]->(user { name: String! })\n',
      ),
    );
    const word = page.locator('.gg-event', { hasText: 'PROCESS' });
    await word.hover();
    const hover = page.locator('.cm-lsp-hover-tooltip');
    await hover.waitFor();
    expect(await hover.locator('img, a, script').count()).toBe(0);
    await page.locator('.gg-class', { hasText: 'user' }).hover();
    await expect.poll(() => hover.allTextContents().then((texts) => texts.join())).toContain('type User');
    expect(await hover.locator('img, a, script').count()).toBe(0);
  });

  test('renames a node in every file, and jumps to its definition in another', async () => {
    const page = await open(
      fragmentOf({
        files: [
          { name: 'main.gg', text: "import './people.gg'\n(root)-[:PROCESS]->(user)\n" },
          { name: 'people.gg', text: '(user { name: String! })\n' },
        ],
      }),
    );
    await page.locator('.gg-class', { hasText: 'user' }).click();
    await page.keyboard.press('F2');
    await page.keyboard.type('person');
    await page.keyboard.press('Enter');
    const state = await stateIn(page, ({ files }) => files.every(({ text }) => text.includes('person')));
    expect(state.files.map(({ text }) => text)).toEqual([
      "import './people.gg'\n(root)-[:PROCESS]->(person)\n",
      '(person { name: String! })\n',
    ]);
    await page.locator('.gg-class', { hasText: 'person' }).click();
    await page.keyboard.press('F12');
    await editorOf(page, 'people.gg').waitFor();
    await openTab(page, 'SDL');
    await page.getByRole('region', { name: 'schema.graphql' }).getByText('type Person').waitFor();
  });
});

describe('the files of the playground', () => {
  test('can be added, imported, renamed and deleted', async () => {
    const page = await open(one('(root)-[:PROCESS]->(user { name: String! })\n'));
    await page.getByRole('button', { name: 'New file' }).click();
    await page.getByRole('textbox', { name: 'Name of the new file' }).fill('no name');
    await page.getByRole('button', { name: 'OK' }).click();
    await page.getByText('A name consists of').waitFor();
    await page.getByRole('textbox', { name: 'Name of the new file' }).fill('order.gg');
    await page.getByRole('button', { name: 'OK' }).click();
    await type(page, '(root)-[:PROCESS]->(order { id: ID! })\n', 'order.gg');
    await openTab(page, 'main.gg');
    await type(page, "import './order.gg'\n(root)-[:PROCESS]->(user { name: String! })\n");
    await openTab(page, 'TypeScript');
    const types = page.getByRole('region', { name: 'types.ts' });
    await types.getByText('interface Order').waitFor();

    await openTab(page, 'order.gg');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'New name of order.gg' }).fill('sub/orders.gg');
    await page.keyboard.press('Enter');
    await page.getByText('The topology has errors.').waitFor();
    await types.getByText('interface Order').waitFor();
    await openTab(page, 'Findings (1)');
    await page.getByText('GG2001').waitFor();
    await openTab(page, 'main.gg');
    await type(page, "import './sub/orders.gg'\n(root)-[:PROCESS]->(user { name: String! })\n");
    await page.getByText('There are no findings.').waitFor();

    await openTab(page, 'sub/orders.gg');
    await page.getByRole('button', { name: 'Delete' }).click();
    const state = await stateIn(page, ({ files }) => files.length === 1);
    expect(state.files.map(({ name }) => name)).toEqual(['main.gg']);
    expect(await page.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
  });
});

describe('the results of the playground', () => {
  test.each([
    ['Service', 'service.gg', '.'],
    ['Bookstore', 'shop.gg', 'bookstore'],
    ['Parcel', 'main.gg', 'parcel'],
  ])('equal those of the command line, byte for byte: %s', async (title, file, directory) => {
    const page = await open();
    await page.getByRole('combobox', { name: 'Load an example' }).selectOption(title);
    await editorOf(page, file).waitFor();
    const cwd = join(repository, 'docs/examples', directory);
    const out = mkdtempSync(join(tmpdir(), 'gg-svc-build-'));
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [join(repository, 'dist/tools/cli/gg-svc.js'), ...args], { cwd });
    try {
      run('build', file, '-o', out);
      run('types', file, '-o', join(out, 'types.ts'));
      for (const [tab, name] of [
        ['SDL', 'schema.graphql'],
        ['OpenAPI', 'openapi.json'],
        ['Collection', 'collection.json'],
        ['AsyncAPI', 'asyncapi.json'],
        ['TypeScript', 'types.ts'],
      ] as const) {
        await openTab(page, tab);
        const shown = page.getByRole('region', { name }).locator('pre');
        await expect.poll(() => shown.textContent()).toBe(readFileSync(join(out, name), 'utf8'));
      }
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  });

  test('of the last topology without errors stay while there are errors, and are marked as outdated', async () => {
    const page = await open(one('(root)-[:PROCESS]->(user { name: String! })\n'));
    await page.getByRole('button', { name: 'user', exact: true }).waitFor();
    await type(page, typo);
    await page.getByText('This is the result of the last one without errors.').waitFor();
    await page.getByRole('button', { name: 'user', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show the findings' }).click();
    await page.getByText('Unknown type “Strng”.').waitFor();
    await type(page, '(root)-[:PROCESS]->(order { name: String! })\n');
    await openTab(page, 'Graph');
    await page.getByRole('button', { name: 'order', exact: true }).waitFor();
    expect(await page.getByText('The topology has errors.').count()).toBe(0);
  });

  test('show the place of a node of the graph', async () => {
    const page = await open(one('(a)\n(root)-[:PROCESS]->(user { name: String! })\n'));
    await page.getByRole('button', { name: 'user', exact: true }).click();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.ariaLabel))
      .toBe('Text of main.gg');
  });
});

describe('a link of the playground', () => {
  const large = `${Array.from({ length: 2500 }, (_, index) => `(root)-[:PROCESS]->(node_${index} { a: String! })`).join(
    '\n',
  )}\n`;

  test('contains files, tab and resolvers, even more than 100 kB', async () => {
    expect(large.length).toBeGreaterThan(100_000);
    const state: State = {
      files: [
        { name: 'main.gg', text: large },
        { name: 'other/b.gg', text: '// “quotes” 🎈\n' },
      ],
      resolvers: 'export default {};\n',
      tab: 'types',
    };
    const page = await open(fragmentOf(state));
    await page.getByRole('tab', { name: 'TypeScript', selected: true }).waitFor();
    await openTab(page, 'SDL');
    const changed = await stateIn(page, ({ tab }) => tab === 'sdl');
    expect(changed).toEqual({ ...state, tab: 'sdl' });
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByText(/^The link is/).waitFor();
    const again = await openPage(page.url());
    await again.getByRole('tab', { name: 'SDL', selected: true }).waitFor();
    expect(await stateIn(again, ({ tab }) => tab === 'sdl')).toEqual({ ...state, tab: 'sdl' });
  });

  test.each([
    ['an unknown fragment', '#hello'],
    ['a newer form', '#9.AAAA'],
    ['bytes that are not deflated', '#1.AAAABBBBCCCC'],
    ['an impossible length of base64', '#1.A'],
    ['gzip', `#1.${gzipSync('{}').toString('base64url')}`],
    ['a text that is not JSON', `#1.${deflateRawSync('{').toString('base64url')}`],
    ['bytes that are not UTF-8', `#1.${deflateRawSync(Buffer.from([0xff, 0xfe])).toString('base64url')}`],
    ['null', fragmentOf(null)],
    ['no files', fragmentOf({ files: [] })],
    ['files that are not texts', fragmentOf({ files: [{ name: 'a.gg', text: { toString: 1 } }] })],
    ['a file above the folder', fragmentOf({ files: [{ name: '../a.gg', text: '' }] })],
    ['markup as a name', fragmentOf({ files: [{ name: '<img src=x onerror=alert(1)>.gg', text: '' }] })],
    ['two files of one name', fragmentOf({ files: [1, 2].map(() => ({ name: 'a.gg', text: '' })) })],
    ['too many files', fragmentOf({ files: Array.from({ length: 300 }, (_, i) => ({ name: `f${i}.gg`, text: '' })) })],
    ['64 MiB of blanks', fragmentOf({ files: [{ name: 'a.gg', text: ' '.repeat(64 * 1024 * 1024) }] })],
  ])('that is damaged shows an error and opens an example: %s', async (_what, fragment) => {
    const page = await open(fragment);
    await page
      .getByRole('alert')
      .getByText(/^(?:The link (?:is damaged|was made)|The texts of a link)/)
      .waitFor();
    await editorOf(page, 'service.gg').waitFor();
    expect(page.url()).toContain(fragment);
  });

  test('with names and texts full of markup shows them as text', async () => {
    const text =
      '/// <script>alert(1)</script><img src=x onerror=alert(2)>\n(root)-[:PROCESS]->(user { name: String! = "</pre><b>" })\n';
    const page = await open(one(text, { tab: 'sdl' }));
    await page.getByText('<script>alert(1)</script>').first().waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
  });

  test('keeps the editor responsive while the worker of its results is busy', async () => {
    const page = await open(one('(a)\n'));
    await editorOf(page).waitFor();
    // The page starts the worker of the results first. This one never ends.
    let workers = 0;
    await page.route('**/compiler.js', (route) => {
      workers += 1;
      if (workers > 1) return route.continue();
      return route.fulfill({ contentType: 'text/javascript', body: 'onmessage = () => { for (;;); };' });
    });
    await page.reload();
    await editorOf(page).click();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.type('(root)-[:');
    await page.getByRole('option', { name: /PROCESS/ }).waitFor();
    expect([workers, await page.locator('.graph').count()]).toEqual([2, 0]);
  });

  test('can be opened in a tab that shows another one', async () => {
    const page = await open(one('(a)\n'));
    await editorOf(page).waitFor();
    await page.evaluate(
      (next) => {
        location.hash = next;
      },
      fragmentOf({ files: [{ name: 'next.gg', text: '(b)\n' }] }),
    );
    await editorOf(page, 'next.gg').waitFor();
    expect(await page.getByRole('tab', { name: 'main.gg' }).count()).toBe(0);
  });
});

describe('the API of the playground', () => {
  const hello = "(root)-[:PROCESS]->(hello { text: 'Hello' })\n";
  const user = '(root)-[:PROCESS { id: ID! }]->(user { id: ID!, name: String! })\n';
  const resolvers = (body: string) => `export default { Query: { user: async (_, { id }) => { ${body} } } };\n`;

  /** Opens the form, agrees to the resolvers, and sends a call. */
  async function send(page: Page): Promise<void> {
    await openTab(page, 'Try it');
    await page.getByRole('button', { name: 'Run the resolvers of this link' }).click();
    const id = page.getByRole('textbox', { name: 'id' });
    await id.fill('7');
    await page.getByRole('button', { name: 'Send' }).click();
  }

  test('answers REST and GraphQL calls with constants', async () => {
    const page = await open(one(hello, { tab: 'try' }));
    for (const protocol of ['REST', 'GraphQL']) {
      await page.getByRole('radio', { name: protocol }).check();
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('200 OK').waitFor();
      await page.getByText('"Hello"').first().waitFor();
    }
    expect(await page.getByText('resolvers, which are JavaScript').count()).toBe(0);
  });

  test('runs the resolvers of a link only after consent', async () => {
    const page = await open(one(user, { resolvers: resolvers("return { id, name: 'Ada ' + id };"), tab: 'try' }));
    await page.getByRole('textbox', { name: 'id' }).fill('7');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.status', { hasText: /^[45]\d\d / }).waitFor();
    expect(await page.getByText('Ada 7').count()).toBe(0);
    await send(page);
    await page.getByText('Ada 7').waitFor();
  });

  test('blocks network access of resolvers, even through deleted functions', async () => {
    const body = `
      const tried = [];
      try { await fetch('https://example.com/'); tried.push('fetch'); } catch {}
      try { await import('https://example.com/a.js'); tried.push('import'); } catch {}
      for (const name of ['XMLHttpRequest', 'WebSocket', 'EventSource', 'indexedDB', 'caches'])
        if (name in globalThis) tried.push(name);
      return { id, name: 'reached: ' + tried.join() + '.' };`;
    const page = await open(one(user, { resolvers: resolvers(body) }));
    // The console says that the policy has refused the import.
    expectFault(page, /Refused|violates|example\.com/);
    await send(page);
    await page.getByText('reached: .').waitFor();
  });

  test('shows why resolvers cannot be loaded, and serves the corrected ones', async () => {
    const page = await open(one(user, { resolvers: 'export default {' }));
    await send(page);
    await page.getByText(/The server did not answer: .*Unexpected end of input/).waitFor();
    await openTab(page, 'resolvers.mjs');
    await type(page, resolvers("return { id, name: 'Grace' };"), 'resolvers.mjs');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Grace').nth(1).waitFor();
  });

  test('stops a resolver that never returns, and restarts the server', async () => {
    const loop = "if (id === '7') for (;;); return { id, name: 'Ada' };";
    const page = await open(one(user, { resolvers: resolvers(loop) }));
    await send(page);
    await page.getByText('did not answer within 10 s').waitFor();
    await page.getByRole('textbox', { name: 'id' }).fill('8');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('"Ada"').waitFor();
  });

  test('streams the events of a subscription', async () => {
    const topology = `(root)-[:FOLD { text: String! }]->(message { text: String! })
(message)-[:FORK]->(posted { text: String! })
`;
    const page = await open(
      one(topology, {
        resolvers: 'export default { Mutation: { message: (_, { text }) => ({ text }) } };\n',
        tab: 'try',
      }),
    );
    await page.getByRole('button', { name: 'Run the resolvers of this link' }).click();
    const operation = page.getByRole('combobox', { name: 'Operation' });
    await operation.selectOption('posted');
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByText('200 OK').waitFor();
    await operation.selectOption('message');
    await page.getByRole('textbox', { name: 'text', exact: true }).fill('Hello, world');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('200 OK').waitFor();
    await operation.selectOption('posted');
    await page.getByText('Hello, world').first().waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
  });

  test('accepts any bearer token as a caller', async () => {
    const topology = "(root)-[:PROCESS { scopes: ['read'] }]->(hello { text: 'Hello' })\n";
    const page = await open(one(topology, { tab: 'try' }));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('401 Unauthorized').waitFor();
    await page.getByText('Credentials and headers').click();
    await page.getByRole('textbox', { name: /token/i }).fill('ada');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('200 OK').waitFor();
  });
});

describe('the page of the playground', () => {
  test.each(['light', 'dark'] as const)('has no violations of axe in any tab: %s', async (colorScheme) => {
    const page = await open(one(typo, { resolvers: 'export default {};\n' }), { colorScheme });
    await page.getByRole('tab', { name: 'Findings (1)' }).waitFor();
    await checkAccessibility(page);
    await type(page, typo.replace('Strng', 'String'));
    for (const tab of ['Findings', 'Graph', 'SDL', 'OpenAPI', 'Collection', 'TypeScript', 'Try it']) {
      await openTab(page, tab);
      await checkAccessibility(page);
    }
    await page.getByRole('button', { name: 'New file' }).click();
    await checkAccessibility(page);
  });

  test('moves between tabs with the arrow keys', async () => {
    const page = await open(one('(a)\n'));
    await page.getByRole('tab', { name: 'Graph' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'SDL', selected: true }).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    await page.getByRole('tab', { name: 'Graph', selected: true }).waitFor();
  });

  test('works offline once it is open', async () => {
    const page = await open(one('(root)-[:PROCESS]->(user { name: String! })\n', { tab: 'sdl' }));
    await page.getByText('type User').waitFor();
    await page.waitForLoadState('networkidle');
    await page.context().setOffline(true);
    await type(page, "(root)-[:PROCESS]->(order { name: 'Order' })\n");
    await page.getByText('type Order').waitFor();
    await openTab(page, 'Try it');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('200 OK').waitFor();
  });

  test('has the sizes in its documentation', () => {
    const documented = readFileSync(join(repository, 'docs/playground.md'), 'utf8');
    for (const name of ['playground.js', 'compiler.js', 'api.js']) {
      const row = new RegExp(`^\\| \`${name}\` \\| \\d+ KiB \\| (\\d+) KiB`, 'm').exec(documented);
      const packed = gzipSync(readFileSync(join(folder, name))).length / 1024;
      expect(packed, name).toBeLessThan(Number(row?.[1]) * 1.15);
      expect(packed, name).toBeGreaterThan(Number(row?.[1]) / 1.15);
    }
  });
});
