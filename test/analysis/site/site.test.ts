import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { runInNewContext } from 'node:vm';
import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import { globSync } from 'tinyglobby';
import { describe, expect, test } from 'vitest';
import type { Page } from '../../../src/analysis/site/page.js';
import type { ListedArea } from '../../../src/analysis/site/pages-list.js';
import { printHtml } from '../../../src/analysis/site/print-html.js';
import { printMarkdown } from '../../../src/analysis/site/print-markdown.js';
import { createSite, type Site, type SiteOptions } from '../../../src/analysis/site/site.js';
import { siteFiles } from '../../../src/analysis/site/site-files.js';
import { joinLayers } from '../../../src/compiler/analyze.js';
import { countOperations } from '../../../src/compiler/api/own-operations.js';
import { compile } from '../../../src/compiler/compile.js';
import { federationFragment } from '../../../src/compiler/federation-fragment.js';
import { searchEntries } from '../../../web/studio/search-index.js';
import { some } from '../../arbitraries/runs.js';
import { ask, serve } from '../../runtime/server/topology-server.js';
import { directoryWith, runCli } from '../../tools/cli/stand-in-io.js';

const origin = 'http://localhost:4000';

function siteOf(source: string, options: Partial<SiteOptions> = {}, name = 'main.gg'): Site {
  const readImport = (path: string) => readFileSync(path, 'utf8');
  const result = compile({ name, source }, { readImport });
  expect(result.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const { schema } = joinLayers(result, [federationFragment]);
  return createSite({
    title: 'Shop',
    schema,
    sources: result.sources,
    addresses: { origin, endpoint: '/graphql' },
    ...options,
  });
}

function pageOf(source: string, path: string): string {
  const page = siteFiles(siteOf(source))[`${path}.html`];
  if (page === undefined) throw new Error(`there is no ${path}`);
  return page;
}

const examples = ['parcel/main.gg', 'bookstore/shop.gg', 'service.gg', 'orders/orders.gg'].map((file) => {
  const path = `docs/examples/${file}`;
  return [path, () => siteOf(readFileSync(path, 'utf8'), {}, path)] as const;
});

/** Reads its rules once: for each page that would take longer than the page. */
class SameRules extends StaticConfigLoader {
  #rules: ReturnType<StaticConfigLoader['getConfigFor']> | undefined;
  override getConfigFor(path: string) {
    this.#rules ??= super.getConfigFor(path);
    return this.#rules;
  }
}

const validator = new HtmlValidate(
  new SameRules({
    extends: ['html-validate:standard', 'html-validate:a11y'],
    rules: {
      // `<!doctype html>` and void elements are written as the standard writes them.
      'doctype-style': ['error', { style: 'lowercase' }],
      'long-title': 'off',
      // A page that is scrolled by keyboard needs a focusable region.
      'no-redundant-role': 'error',
      'require-sri': 'off',
    },
  }),
);

/** Relative links of an HTML page, resolved; with their fragments. */
function linksOf(path: string, text: string): string[] {
  return [...text.matchAll(/(?:href|src|action)="([^"]*)"/g)]
    .map(([, target]) => target as string)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) =>
      target.startsWith('#') ? path + target : posix.normalize(posix.join(posix.dirname(path), target)),
    );
}

describe('the federation layer', () => {
  const source = '(root)-[:PROCESS]->(hello { text: String })(hello)-[:FOLD]->(said { id: ID! })';

  test('is folded into one page with its whole schema, so that the folders list the parts of the topology alone', () => {
    const { areas, byPath } = siteOf(source);
    const plain = siteOf(source, { schema: compile(source).schema });
    const listed = (area: (typeof areas)[number]) => [area.path, area.pages.map((page) => page.path)];
    expect(areas.map(listed)).toEqual(plain.areas.map(listed));
    expect(plain.byPath.has('federation')).toBe(false);
    const page = printMarkdown(byPath.get('federation') as Page);
    for (const { name } of [...(federationFragment.queries ?? []), ...(federationFragment.objects ?? [])])
      expect(page).toContain(name);
  });

  test('is counted nowhere: pages, the start page, the command line and the search have the same operations', async () => {
    const { schema } = joinLayers(compile(source), [federationFragment]);
    const counts = countOperations(schema);
    expect(counts).toEqual({ query: 1, mutation: 1, subscription: 0 });
    const { areas } = siteOf(source);
    const listed = (folder: string) => areas.find(({ path }) => path === `${folder}/index`)?.pages.length ?? 0;
    expect(['queries', 'mutations', 'subscriptions'].map(listed)).toEqual(Object.values(counts));
    const found = searchEntries(schema, undefined).filter(({ kind }) => kind in counts);
    expect(found).toHaveLength(2);
    const page = await ask(serve(source), '/');
    expect(page.text).toContain('<h2>Queries<span>1</span></h2>');
    const directory = directoryWith({ 'a.gg': source });
    expect((await runCli(['check', 'a.gg'], { directory })).stdout).toContain('1 query, 1 mutation, 0 subscriptions');
  });
});

describe('the site of every example', () => {
  const beside = ['style.css', 'site.js', 'schema.graphql', 'openapi.json', 'collection.json', 'asyncapi.json'];

  test.each(examples)('%s: every link leads to a file, and every fragment to an element', (_, make) => {
    const files = siteFiles(make());
    const known = new Set([...Object.keys(files), ...beside]);
    const wrong: string[] = [];
    for (const [path, text] of Object.entries(files)) {
      if (!path.endsWith('.html')) continue;
      for (const link of linksOf(path, text)) {
        const [target = '', id] = link.split('#');
        if (!known.has(target) || (id !== undefined && !files[target]?.includes(` id="${id}"`)))
          wrong.push(`${path} → ${link}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test.each(examples)('%s: links of Markdown lead to files', (_, make) => {
    const files = siteFiles(make());
    const known = new Set([...Object.keys(files), ...beside]);
    const wrong = Object.entries(files)
      .filter(([path]) => path.endsWith('.md') || path === 'llms.txt')
      .flatMap(([path, text]) =>
        [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/\]\(([^)]+)\)/g)]
          .map(([, target]) => target as string)
          .filter((target) => !/^https?:/.test(target))
          .map((target) => posix.join(posix.dirname(path), target))
          .filter((target) => !known.has(target))
          .map((target) => `${path} → ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  test.each(examples)('%s: every page is valid HTML', async (_, make) => {
    const faults: string[] = [];
    const pages = Object.entries(siteFiles(make())).filter(([path]) => path.endsWith('.html'));
    for (const [path, text] of some(pages)) {
      const { results } = await validator.validateString(text, path);
      for (const { messages } of results)
        for (const { line, ruleId, message } of messages) faults.push(`${path}:${line} ${ruleId} ${message}`);
    }
    expect(faults).toEqual([]);
  });

  test.each(examples)('%s: two runs give the same bytes', (_, make) => {
    expect(siteFiles(make())).toEqual(siteFiles(make()));
  });

  test.each(examples)('%s: each page has a Markdown twin with the same headings', (_, make) => {
    const files = siteFiles(make());
    for (const [path, text] of Object.entries(files)) {
      if (!path.endsWith('.html')) continue;
      const headings = [...text.matchAll(/<h2[^>]*><a[^>]*>([^<]*)/g)].map(([, title]) => title);
      const twin = files[path.replace(/html$/, 'md')] ?? '';
      expect([...twin.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(headings);
    }
  });
});

describe('a page', () => {
  test('shows the route, the access, the command and the line of its operation', () => {
    const page = pageOf(
      `(user { id: ID! })
/// Finds a user.
(root)-[:PROCESS { id: ID!, route: 'GET /users/{id}', scopes: ['users:read'], auth: 'required' }]->(user)`,
      'queries/user',
    );
    expect(page).toContain('<p>Finds a user.</p>');
    expect(page).toContain('<code>GET /users/{id}</code>');
    expect(page).toContain('Requires authentication with the scope <code>users:read</code>.');
    expect(page).toContain(`curl '${origin}/users/1'`);
    expect(page).toContain('<code>main.gg:3:1</code>');
    expect(page).toContain('<td>required</td><td>path</td>');
    expect(page).toMatch(/<code>403<\/code>/);
  });

  test('lists the declared errors of its operation with status and code', () => {
    const page = pageOf(
      `(out_of_stock: Problem { status: 409, left: Int! })
(form: Input { id: ID! })-[:FOLD { throws: [OutOfStock] }]->(order { id: ID! })`,
      'mutations/order',
    );
    expect(page).toContain('<code>409</code>');
    expect(page).toContain('<a href="../errors/OutOfStock.html"><code>OutOfStock</code></a>');
    expect(page).toContain('<code>OUT_OF_STOCK</code>');
  });

  test('shows the constraints, the default and the deprecation of a field', () => {
    const page = pageOf(
      `(item {
  /// How many.
  /// @minimum 1
  /// @deprecated Use amount.
  count: Int = 3,
})
(root)-[:PROCESS]->(item)`,
      'types/Item',
    );
    expect(page).toContain(
      'How many. · <strong>Deprecated:</strong> Use amount. · Default: <code>3</code> · <code>minimum: 1</code>',
    );
  });

  test('shows the policy of a race', () => {
    const source = `(near { text: 'n' } | far { text: 'f' })-[:RACE { quorum: 2, timeoutMs: 50 }]->(page)
(root)-[:PROCESS { operation: 'page' }]->(page)`;
    const page = pageOf(source, 'types/PageRace');
    expect(page).toContain('the first result of 2 branches wins');
    expect(page).toContain('<code>timeoutMs</code>: 50');
    expect(page).toContain('<code>quorum</code>: 2');
    expect(pageOf(source.replace(/{ quorum.*50 }/, ''), 'types/PageRace')).not.toContain('id="policy"');
  });

  test('links subscriptions and the mutations that publish their events', () => {
    const source = `(form: Input { id: ID! })-[:FOLD]->(saved { id: ID! })
(saved)-[:FORK]->(changed: Event { id: ID! })`;
    expect(pageOf(source, 'subscriptions/changed')).toContain(
      'Published by <a href="../mutations/saved.html"><code>saved</code></a>.',
    );
    expect(pageOf(source, 'mutations/saved')).toContain('<a href="../subscriptions/changed.html">');
  });

  test('shows the request of a chain with its steps', () => {
    const source = `(customer { id: ID! })(order { id: ID! })
(sign_up: Input { name: String! })-[:FOLD { operation: 'signUp', returns: Customer! }]->(customer)
(customer)-[:FOLD { operation: 'place', customerId: ID!, returns: Order!, chain: true }]->(order)`;
    const page = pageOf(source, 'mutations/place');
    expect(page).toContain('<code>POST /api/chains/place</code> runs these steps');
    expect(page).toContain('<a href="../mutations/signUp.html">');
    expect(page).toMatch(/<figcaption>Inputs<\/figcaption>.*\n *"signUp": \{/);
    expect(pageOf(source, 'mutations/signUp')).not.toContain('id="chain"');
  });

  test('has a unique path for names that differ only in case', () => {
    const { pages } = siteOf(
      "(a)-[:PROCESS { operation: 'readURL' }]->(b)\n(a)-[:PROCESS { operation: 'readUrl' }]->(c)\n(a)-[:PROCESS { operation: 'index' }]->(d)",
    );
    const paths = pages.map(({ path }) => path.toLowerCase());
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths).toContain('queries/readurl-2');
    expect(paths).toContain('queries/index-');
  });
});

describe('descriptions', () => {
  const shown = (description: string): Page => {
    const lines = description.split('\n').map((line) => `/// ${line}`);
    const { pages } = siteOf(`${lines.join('\n')}\n(item { id: ID! })\n(root)-[:PROCESS]->(item)`);
    return pages.find(({ path }) => path === 'types/Item') as Page;
  };

  test.each([
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['[x](javascript:alert(1))', '[x](javascript:alert(1))'],
    ['</p><script>alert(1)</script>', '&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['[a "b](https://example.com/"onclick="x)', '&quot;onclick=&quot;x'],
    ['`<b>`', '<code>&lt;b&gt;</code>'],
    ['**bold** and *thin*', '<strong>bold</strong> and <em>thin</em>'],
    ['[here](https://example.com)', '<a href="https://example.com" rel="noopener noreferrer">here</a>'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['snake_case_name', 'snake_case_name'],
  ])('are shown literally, and cannot run scripts: %s', (description, expected) => {
    const page = shown(description);
    const text = printHtml({ title: 'Shop' }, page);
    expect(text).toContain(expected);
    expect(text).not.toMatch(/<script(?! src="\.\.\/site\.js">)|<img|javascript:[^a-z(]*"|<[^>]* on\w+=/);
  });

  test('are printed with paragraphs, lists and code', () => {
    const kinds = shown('One.\n\n- two\n- three\n\n```json\n{}\n```').blocks.map(({ kind }) => kind);
    expect(kinds.slice(0, 3)).toEqual(['paragraph', 'list', 'code']);
  });

  test('do not become markup in Markdown', () => {
    expect(printMarkdown(shown('<b>x</b> | # [y](z)'))).toContain('\\<b\\>x\\</b\\> \\| # \\[y\\](z)');
  });
});

describe('the changelog', () => {
  test('has a section for each release, the worst changes first', () => {
    const site = siteOf('(root)-[:PROCESS]->(item { id: ID! })', {
      releases: [
        {
          name: 'v2',
          date: '2026-02-01',
          changes: [
            { level: 'safe', kind: 'field-added', message: 'The field <b> was added.' },
            { level: 'breaking', kind: 'field-removed', message: 'The field Item.name was removed.' },
          ],
        },
        { name: 'v1', date: '2026-01-01' },
        { name: 'v0', date: '2025-12-01', problem: 'The topology has errors.' },
      ],
    });
    const text = siteFiles(site)['changelog.md'] ?? '';
    expect(text).toBe(`# Changelog

## v2, 2026-02-01

**Breaking** (1)

- \`field-removed\` The field Item.name was removed.

**Safe** (1)

- \`field-added\` The field \\<b\\> was added.

## v1, 2026-01-01

The first release.

## v0, 2025-12-01

The topology has errors.
`);
  });

  test('is missing in a site without releases', () => {
    expect(siteOf('(root)-[:PROCESS]->(item)').pages.map(({ path }) => path)).not.toContain('changelog');
  });
});

test('prints llms.txt with a title, a summary, and a section of links for each area', () => {
  const text = siteFiles(siteOf('/// An item.\n(item { id: ID! })\n(root)-[:PROCESS]->(item)'))['llms.txt'] ?? '';
  expect(text).toMatch(
    /^# Shop\n\n> Queries: 1, Types: 2, Inputs: 1\n\n## Queries\n\n- \[item\]\(queries\/item\.md\): Query from topology/,
  );
  expect(text).toContain('- [Item](types/Item.md): An item.');
});

test('shows how REST spells the values of an enum, and how a race ends', () => {
  const files = siteFiles(
    siteOf(`(state: Enum { values: [
        OPEN,
        /// Being done.
        /// @value in-progress
        IN_PROGRESS,
      ] })
      (plain: Enum { values: [ON] })
      (near { state: State, plain: Plain } | far { at: Int })-[:RACE { timeoutMs: 200, failure: 'cancel' }]->(page)
      (root)-[:PROCESS]->(page)`),
  );
  expect(files['types/State.md']).toMatch(
    /\| Value \| Over REST \| Description \|\n.*\n\| `OPEN` \| `OPEN` \| *\|\n\| `IN_PROGRESS` \| `in-progress` \| Being done\. \|/,
  );
  expect(files['types/Plain.md']).toContain('| Value | Description |');
  expect(files['types/PageRace.md']).toMatch(
    /`timeoutMs`: 200\n.*`failure`: cancel|`failure`: cancel\n.*`timeoutMs`: 200/,
  );
});

test('has one list of all pages with their members, which no name ends', () => {
  const source = `(shelf { place: String })
    /// An item. </script>
    (item { id: ID!, shelf: Shelf })\n(root)-[:PROCESS { key: ID }]->(item)`;
  const script = siteFiles(siteOf(source))['pages.js'] ?? '';
  const listed: { areas?: readonly ListedArea[] } = {};
  runInNewContext(script, { ggPages: (areas: readonly ListedArea[]) => Object.assign(listed, { areas }) });
  const pages = Object.fromEntries(
    (listed.areas ?? []).flatMap(([, , own = []]) => own.map((page) => [page[1], page])),
  );
  expect(pages['queries/item']?.[4]).toEqual([['key', 'ID', '', '']]);
  expect(pages['types/Item']).toEqual([
    'Item',
    'types/Item',
    'object type',
    'An item. </script>',
    [
      ['id', 'ID!', '', ''],
      ['shelf', 'Shelf', 'types/Shelf', ''],
    ],
  ]);
});

test('has one page for the inputs that no operation takes, and none of them elsewhere', () => {
  const source = `(unused { id: ID! })(deep: Input { n: Int })(form: Input { deep: Deep })
    (form)-[:FOLD]->(saved { id: ID! })`;
  const { byPath } = siteOf(source);
  const paths = [...byPath.keys()].filter((path) => path.startsWith('inputs/'));
  expect(paths).toEqual(['inputs/index', 'inputs/Deep', 'inputs/Form', 'inputs/unused-inputs']);
  const page = printMarkdown(byPath.get('inputs/unused-inputs') as Page);
  expect(page).toContain('| `UnusedInput` | [`Unused`](../types/Unused.md) | `id` |');
  expect(printMarkdown(byPath.get('types/Unused') as Page)).not.toContain('As an argument');
});

test('stays small: pages grow with the API, and not with its square', () => {
  const bytes = (count: number) => {
    const nodes = Array.from(
      { length: count },
      (_, at) => `(n${at} { id: ID!, name: String })\n(root)-[:PROCESS { id: ID! }]->(n${at})`,
    );
    const schema = { schema: compile(nodes.join('\n')).schema };
    return Object.values(siteFiles(siteOf(nodes.join('\n'), schema))).reduce((sum, text) => sum + text.length, 0);
  };
  expect(bytes(160) / bytes(40)).toBeLessThan(4.2);
});

test('checks every example of the package', () => {
  const topologies = globSync('docs/examples/*/*.gg').filter((file) => /\/(?:main|shop|orders)\.gg$/.test(file));
  expect(examples.map(([path]) => path)).toEqual(expect.arrayContaining(topologies));
});
