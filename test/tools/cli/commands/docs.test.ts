import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { commit, git, initialize } from '../git-repository.js';
import { directoryWith, repository, runCli } from '../stand-in-io.js';

const topology = '(root)-[:PROCESS { id: ID! }]->(user { id: ID!, name: String })\n';

/** The package with the script and the style of the pages, which other files may not find half written. */
let packageRoot: URL;
beforeAll(() => {
  const folder = directoryWith();
  packageRoot = pathToFileURL(`${folder}/`);
  for (const name of ['docs', 'package.json'])
    symlinkSync(fileURLToPath(new URL(name, repository)), join(folder, name));
  const script = fileURLToPath(new URL('scripts/web.mjs', repository));
  execFileSync(process.execPath, [script, join(folder, 'dist')]);
});

function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort();
}

function docs(directory: string, ...args: readonly string[]) {
  return runCli(['docs', 'a.gg', '-o', 'site', ...args], { packageRoot, directory });
}

let documented: string | undefined;

/** A directory with the topology and its pages. */
async function directoryWithPages(): Promise<string> {
  if (documented === undefined) {
    documented = directoryWith({ 'a.gg': topology });
    await docs(documented);
  }
  const directory = directoryWith();
  cpSync(documented, directory, { recursive: true });
  return directory;
}

describe('gg-svc docs', () => {
  test('writes a page for each part of the API, with script and style', async () => {
    const directory = directoryWith({ 'a.gg': topology });
    const { code, stdout, stderr } = await docs(directory, '--no-federation');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^site: 10 pages, no changelog \(.*\) — \d+ files written, 0 unchanged, 0 removed \(0 ms\)\n$/,
    );
    const files = filesIn(join(directory, 'site'));
    expect(files).toEqual(
      expect.arrayContaining(
        ['index', 'graph', 'all', 'queries/index', 'queries/user', 'types/User', 'inputs/unused-inputs'].flatMap(
          (path) => [`${path}.html`, `${path}.md`],
        ),
      ),
    );
    expect(files).toEqual(
      expect.arrayContaining([
        '404.html',
        'collection.json',
        'llms.txt',
        'openapi.json',
        'pages.js',
        'schema.graphql',
        'site.js',
        'style.css',
      ]),
    );
    expect(readFileSync(join(directory, 'site/graph.html'), 'utf8')).toContain('<a href="queries/user.html"');
  });

  test('needs at most 1.2 MB for the parcel example, and 20 kB for each node with its operation', async () => {
    const parcel = fileURLToPath(new URL('docs/examples/parcel/main.gg', repository));
    const nodes = Array.from(
      { length: 100 },
      (_, at) => `(n${at} { id: ID!, name: String })(root)-[:PROCESS { id: ID! }]->(n${at})`,
    );
    const directory = directoryWith({ 'large.gg': nodes.join('\n') });
    const bytesOf = async (file: string, out: string) => {
      expect((await runCli(['docs', file, '-o', out], { packageRoot, directory })).code).toBe(0);
      const folder = join(directory, out);
      return filesIn(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    };
    expect(await bytesOf(parcel, 'parcel')).toBeLessThan(1_200_000);
    expect(await bytesOf('large.gg', 'large')).toBeLessThan(100 * 20_000);
  });

  test('writes only changed files, and removes pages that no longer exist', async () => {
    const directory = directoryWith({ 'a.gg': `${topology}(root)-[:PROCESS]->(order { id: ID! })\n` });
    await docs(directory);
    expect((await docs(directory)).stdout).toContain('0 files written');
    writeFileSync(join(directory, 'a.gg'), topology);
    const { stdout } = await docs(directory);
    expect(stdout).toContain('4 removed');
    expect(existsSync(join(directory, 'site/queries/order.html'))).toBe(false);
  });

  test('keeps a stale file that was changed since', async () => {
    const directory = directoryWith({ 'a.gg': `${topology}(root)-[:PROCESS]->(order { id: ID! })\n` });
    await docs(directory);
    writeFileSync(join(directory, 'site/queries/order.html'), 'mine');
    writeFileSync(join(directory, 'a.gg'), topology);
    await docs(directory);
    expect(readFileSync(join(directory, 'site/queries/order.html'), 'utf8')).toBe('mine');
  });

  test('keeps files of other programs', async () => {
    const directory = directoryWith({
      'a.gg': topology,
      'site/index.html': 'mine',
      'site/notes.txt': 'notes',
    });
    const { code, stderr } = await docs(directory);
    expect(code).toBe(1);
    expect(stderr).toContain('error[GG5064] gg-svc docs would overwrite site/index.html');
    expect(filesIn(join(directory, 'site'))).toEqual(['index.html', 'notes.txt']);
  });

  test.each(['../a.gg', '/etc/passwd', 'queries/../../a.gg', '', '.', 'a\\b'])(
    'removes nothing outside of its directory, for any list of files: %s',
    async (name) => {
      const directory = await directoryWithPages();
      const list = join(directory, 'site/.gg-svc-files.json');
      const { files } = JSON.parse(readFileSync(list, 'utf8'));
      const hash = createHash('sha256').update(topology).digest('hex');
      writeFileSync(list, JSON.stringify({ files: { ...files, [name]: hash } }));
      const { code, stdout } = await docs(directory);
      expect(code).toBe(0);
      expect(stdout).toContain('0 removed');
      expect(existsSync(join(directory, 'a.gg'))).toBe(true);
    },
  );

  test.each(['{', '[]', 'null', '{"files":3}', '{"files":{"index.html":3}}'])(
    'treats %s in place of its list as a missing list',
    async (text) => {
      const directory = await directoryWithPages();
      writeFileSync(join(directory, 'site/.gg-svc-files.json'), text);
      const { code, stdout } = await docs(directory);
      expect(code).toBe(0);
      expect(stdout).toContain('0 files written');
    },
  );

  test('writes nothing for a topology with errors', async () => {
    const directory = directoryWith({ 'a.gg': '(root)-[:PROCESS]->(user { name: Strin! })\n' });
    const { code, stderr } = await docs(directory);
    expect([code, stderr]).toEqual([1, expect.stringContaining('error[GG2008]')]);
    expect(existsSync(join(directory, 'site'))).toBe(false);
  });

  test('requires -o', async () => {
    const directory = directoryWith({ 'a.gg': topology });
    const { code, stderr } = await runCli(['docs', 'a.gg'], { packageRoot, directory });
    expect([code, stderr]).toEqual([2, expect.stringContaining('pass -o <directory>')]);
  });

  test('uses the title and the URL from its options', async () => {
    const directory = directoryWith({ 'a.gg': topology });
    await docs(directory, '--title', 'Shop & <Co>', '--base-url', 'https://api.example.com/v1/graphql');
    const page = readFileSync(join(directory, 'site/queries/user.html'), 'utf8');
    expect(page).toContain('<title>user · Shop &amp; &lt;Co&gt;</title>');
    expect(page).toContain('https://api.example.com/v1/api/user?id=1');
  });
});

describe('the changelog of gg-svc docs', () => {
  function repositoryWith(releases: Readonly<Record<string, string | undefined>>): string {
    const directory = directoryWith();
    initialize(directory);
    for (const [tag, text] of Object.entries(releases)) {
      if (text === undefined) rmSync(join(directory, 'a.gg'), { force: true });
      else writeFileSync(join(directory, 'a.gg'), text);
      commit(directory, tag);
      git(directory, 'tag', tag);
    }
    return directory;
  }

  function changelogOf(directory: string): string {
    return readFileSync(join(directory, 'site/changelog.md'), 'utf8').replaceAll(/, \d{4}-\d\d-\d\d/g, '');
  }

  test('compares each tag with the tag before, in the order of versions, and the files with the last tag', async () => {
    const directory = repositoryWith({
      'v1.9': topology,
      'v1.10': topology.replace(', name: String', ''),
      other: topology,
    });
    writeFileSync(join(directory, 'a.gg'), topology.replace('name', 'email'));
    const { stdout } = await docs(directory);
    expect(stdout).toContain('3 releases');
    const text = changelogOf(directory);
    expect([...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(['Unreleased', 'v1.10', 'v1.9']);
    expect(text).toMatch(/## Unreleased\n[^#]*\*\*Safe\*\*[^#]*User\.email/);
    expect(text).toMatch(/## v1\.10\n\n\*\*Breaking\*\*[^#]*User\.name/);
    expect(text).toMatch(/## v1\.9\n\nThe first release\./);
  });

  test('names releases without a topology, or with errors', async () => {
    const directory = repositoryWith({ v1: undefined, v2: '(user', v3: topology });
    await docs(directory);
    expect(changelogOf(directory)).toBe(
      '# Changelog\n\n## v3\n\nThe first release.\n\n## v2\n\nThe topology has errors.\n\n## v1\n\nThe topology did not exist.\n',
    );
  });

  test('uses other tags with --tags', async () => {
    const directory = repositoryWith({ v1: topology, 'api-1': topology });
    await docs(directory, '--tags', 'api-*');
    expect(changelogOf(directory)).toBe('# Changelog\n\n## api-1\n\nThe first release.\n');
  });

  test('is omitted with --no-tags', async () => {
    const directory = repositoryWith({ v1: topology });
    expect((await docs(directory, '--no-tags')).stdout).toContain('no changelog — ');
    expect(existsSync(join(directory, 'site/changelog.html'))).toBe(false);
  });

  test('is missing without a repository, and the output says so', async () => {
    const directory = directoryWith({ 'a.gg': topology });
    const { code, stdout } = await docs(directory);
    expect(code).toBe(0);
    expect(stdout).toMatch(/no changelog \(not a git repository\)/);
  });

  test.each([
    ['no tag matches', () => repositoryWith({ v1: topology }), 'no tag in the history of HEAD matches'],
    ['there is no repository', () => directoryWith({ 'a.gg': topology }), 'git repository'],
  ])('requested by --tags is an error if %s', async (_, make, reason) => {
    const { code, stderr } = await docs(make(), '--tags', 'x-*');
    expect(code).toBe(1);
    expect(stderr).toContain('error[GG5065] Cannot write a changelog of the tags x-*');
    expect(stderr).toContain(reason);
  });

  test('is an error for standard input', async () => {
    const directory = repositoryWith({ v1: topology });
    const { code, stderr } = await runCli(['docs', '-', '-o', 'site', '--tags', 'v*'], {
      directory,
      readStdin: () => Promise.resolve(new TextEncoder().encode(topology)),
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining('error[GG5065]')]);
  });

  test.each(['--upload-pack=touch x', '-n', ';touch x', '$(touch x)'])(
    'passes %s to git as a pattern only',
    async (pattern) => {
      const directory = repositoryWith({ v1: topology });
      const { code } = await docs(directory, `--tags=${pattern}`);
      expect(code).toBe(1);
      expect(existsSync(join(directory, 'x'))).toBe(false);
    },
  );
});
