import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changeReporters } from '../../../../src/analysis/diff/render/change-reporters.js';
import { topologyLimit } from '../../../../src/runtime/load/read-topology.js';
import type { CliIo } from '../../../../src/tools/cli/terminal/io.js';
import { commit, git, initialize, repositoryWith } from '../git-repository.js';
import { directoryWith, runCli } from '../stand-in-io.js';

const user = `(user: Record { id: ID!, name: String })
(root)-[:PROCESS { like: User, id: ID! }]->(user)
`;
const withoutName = user.replace(', name: String', '');
const withEmail = user.replace('String }', 'String, email: String }');
const broken = '(root)-[:PROCESS]->(user\n';
const other = "(root)-[:PROCESS]->(hello { text: 'Hello' })\n";

type Files = Readonly<Record<string, string | Uint8Array>>;

/** A git repository of its own. */
class Repository {
  readonly directory: string;

  constructor(files: Files = {}) {
    const hasCommit = Object.keys(files).length > 0;
    this.directory = hasCommit ? repositoryWith(files) : directoryWith();
    if (!hasCommit) initialize(this.directory);
  }

  git(...args: readonly string[]): string {
    return git(this.directory, ...args);
  }

  write(files: Files): this {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.directory, name)), { recursive: true });
      writeFileSync(join(this.directory, name), content);
    }
    return this;
  }

  remove(name: string): this {
    rmSync(join(this.directory, name));
    return this;
  }

  commit(): this {
    commit(this.directory, 'a state');
    return this;
  }

  diff(...args: readonly string[]) {
    return this.diffIn('.', ...args);
  }

  diffIn(folder: string, ...args: readonly string[]) {
    return runCli(['diff', ...args], { directory: join(this.directory, folder) });
  }
}

function diffOf(files: Files, ...args: readonly string[]) {
  return runCli(['diff', ...args], { directory: directoryWith(files) });
}

/** The codes in a report of findings. */
function codesIn(report: string): string[] {
  return [...report.matchAll(/^\w+\[(GG\d{4})\]/gm)].map((match) => match[1] as string);
}

/** What a JSON report holds, briefly. */
function changesIn(json: string): Record<string, string[]> {
  const { topologies } = JSON.parse(json) as {
    topologies: { name: string; changes: { level: string; kind: string; coordinate: string }[] }[];
  };
  return Object.fromEntries(
    topologies.map(({ name, changes }) => [
      name,
      changes.map(({ level, kind, coordinate }) => `${level} ${kind} ${coordinate}`),
    ]),
  );
}

const nameRemoved = ['breaking field-removed User.name', 'breaking input-field-removed UserInput.name'];

describe('gg-svc diff without operands', () => {
  test('compares the working tree with HEAD by default', async () => {
    const repository = new Repository({ 'service.gg': user }).write({ 'service.gg': withoutName });
    const { code, stdout, stderr } = await repository.diff();
    expect(stderr).toBe('');
    expect(stdout).toContain('breaking[field-removed] The field User.name was removed.');
    expect(stdout).toContain(' --> service.gg:1:2\n');
    expect(stdout).toContain(' <-- HEAD:service.gg:1:26\n');
    expect(stdout).toContain(
      'reaches: query user\n         route GET /api/user\n         requests REST / user, GraphQL / user\n',
    );
    expect(stdout).toMatch(/\n2 breaking changes between HEAD and the working tree\.\n$/);
    expect(code).toBe(1);
  });

  test('compares the authentication and the limits of project files', async () => {
    const guarded = user.replace('ID! }]', "ID!, auth: 'required', returns: [User!]!, page: 20 }]");
    const project = (auth: object, pageSize: number) =>
      JSON.stringify({ sources: ['service.gg'], server: { auth, limits: { pageSize } } });
    const jwks = 'https://id.example.com/keys';
    const jwt = { issuer: 'https://id.example.com', audience: 'api', jwks };
    const keys = [{ id: 'partner', sha256: 'a'.repeat(64) }];
    const repository = new Repository({
      'service.gg': guarded,
      'gg-svc.config.json': project({ jwt, apiKeys: { header: 'X-Key', keys } }, 200),
    });
    const report = async () => JSON.parse((await repository.diff('--format', 'json')).stdout);
    expect((await report()).summary).toMatchObject({ breaking: 0, dangerous: 0, safe: 0 });
    repository.write({
      'gg-svc.config.json': project({ jwt: { ...jwt, audience: 'other' }, apiKeys: { keys } }, 100),
    });
    const { topologies } = await report();
    const found = topologies[0].changes as { level: string; kind: string; coordinate: string }[];
    expect(found.map(({ level, kind, coordinate }) => `${level} ${kind} ${coordinate}`)).toEqual([
      'breaking security-scheme-removed X-Key',
      'breaking authentication-tightened server.auth.jwt.audience',
      'dangerous authentication-loosened server.auth.jwt.audience',
      'dangerous page-limit-changed server.limits.pageSize',
      'safe security-scheme-added X-API-Key',
    ]);
    expect((await repository.diff()).code).toBe(1);
    repository.remove('gg-svc.config.json');
    expect((await report()).summary).toMatchObject({ breaking: 0, dangerous: 0, safe: 0 });
  });

  test('reports that nothing changed', async () => {
    expect(await new Repository({ 'service.gg': user }).diff()).toEqual({
      code: 0,
      stdout: 'No changes between HEAD and the working tree.\n',
      stderr: '',
    });
  });

  test('ignores unchanged topologies, with the errors in them', async () => {
    const repository = new Repository({ 'bad.gg': broken, 'service.gg': user }).write({
      'service.gg': withEmail,
    });
    const { code, stderr } = await repository.diff();
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  test('compares every file that no other one imports, with its imports', async () => {
    const repository = new Repository({
      'main.gg': `import './parts/user.gg'\n${other}`,
      'parts/user.gg': user,
      'second.gg': other,
    }).write({ 'parts/user.gg': withoutName });
    const { stdout } = await repository.diff('--format', 'json');
    expect(changesIn(stdout)).toEqual({ 'main.gg': nameRemoved, 'second.gg': [] });
  });

  test('takes the first file of an import cycle as its root', async () => {
    const repository = new Repository({
      'b.gg': "import './a.gg'\n",
      'a.gg': `import './b.gg'\n${user}`,
    }).write({ 'a.gg': `import './b.gg'\n${withoutName}` });
    const { code, stderr } = await repository.diff();
    expect(codesIn(stderr)).toEqual(['GG2002', 'GG5025', 'GG2002', 'GG5025']);
    expect(code).toBe(1);
  });

  test('reports added, removed and renamed files', async () => {
    const repository = new Repository({ 'gone.gg': other, 'old.gg': user, 'kept.gg': user });
    expect(changesIn((await repository.write({ 'new.gg': user }).diff('-f', 'json')).stdout)).toMatchObject({
      'new.gg': expect.arrayContaining(['safe operation-added Query.user']),
    });
    repository.remove('new.gg').remove('gone.gg');
    expect(changesIn((await repository.diff('-f', 'json')).stdout)).toMatchObject({
      'gone.gg': expect.arrayContaining(['breaking operation-removed Query.hello']),
    });
    repository.write({ 'gone.gg': other });
    renameSync(join(repository.directory, 'old.gg'), join(repository.directory, 'renamed.gg'));
    expect(changesIn((await repository.write({ 'renamed.gg': withoutName }).diff('-f', 'json')).stdout)).toEqual({
      'gone.gg': [],
      'kept.gg': [],
      'renamed.gg': nameRemoved,
    });
  });

  test('pairs a topology with the file that now imports it', async () => {
    const repository = new Repository({ 'service.gg': user, 'third.gg': other }).write({
      'main.gg': "import './service.gg'\n",
      'service.gg': withoutName,
      'fourth.gg': other,
    });
    const { stdout } = await repository.diff('-f', 'json');
    expect(changesIn(stdout)).toMatchObject({ 'main.gg': nameRemoved, 'third.gg': [] });
  });

  test('skips files that git ignores', async () => {
    const repository = new Repository({ 'service.gg': user, '.gitignore': 'out\n' }).write({
      'out/x.gg': broken,
    });
    expect((await repository.diff()).code).toBe(0);
  });

  test('compares the current directory, and names old files as git does', async () => {
    const repository = new Repository({ 'api/service.gg': user, 'service.gg': user }).write({
      'api/service.gg': withoutName,
      'service.gg': withoutName,
    });
    const { stdout } = await repository.diffIn('api');
    expect(stdout).toContain(' --> service.gg:1:2\n');
    expect(stdout).toContain(' <-- HEAD:api/service.gg:1:26\n');
    expect(stdout).toContain('2 breaking changes');
  });

  test('reads imports from outside the current directory', async () => {
    const repository = new Repository({ 'api/main.gg': "import '../user.gg'\n", 'user.gg': user }).write({
      'user.gg': withoutName,
    });
    expect(changesIn((await repository.diffIn('api', '-f', 'json')).stdout)).toEqual({
      'main.gg': nameRemoved,
    });
  });
});

describe('revisions', () => {
  const history = () => {
    const repository = new Repository({ 'service.gg': user });
    repository.git('tag', 'v1');
    repository.git('branch', 'topic');
    repository.write({ 'service.gg': withEmail }).commit();
    repository.git('tag', 'v2');
    return repository.write({ 'service.gg': withoutName });
  };

  test('one is compared with the working tree', async () => {
    expect((await history().diff('v1')).stdout).toContain('between v1 and the working tree.');
    expect(changesIn((await history().diff('v1', '-f', 'json')).stdout)).toEqual({
      'service.gg': nameRemoved,
    });
  });

  test.each([
    [['v1', 'v2']],
    [['v1..v2']],
    [['v1..']],
    [['HEAD~1..HEAD']],
    [['v1...v2']],
    [['v1', 'v2', '--', 'service.gg']],
  ])('two are compared with each other: %j', async (args) => {
    const { code, stdout } = await history().diff('-f', 'json', ...args);
    expect(changesIn(stdout)['service.gg']).toContain('safe field-added User.email');
    expect(code).toBe(0);
  });

  test('an omitted side of a range is HEAD', async () => {
    expect((await history().diff('..v1')).stdout).toContain('between HEAD and v1.');
  });

  test('three dots compare with the merge base', async () => {
    const repository = history();
    repository.git('checkout', '--quiet', '--force', 'topic');
    repository.write({ 'service.gg': user.replace('name', 'nick') }).commit();
    const { stdout } = await repository.diff('main...topic', '-f', 'json');
    const report = JSON.parse(stdout);
    expect(report.before).toMatch(/^[0-9a-f]{10}$/);
    expect(changesIn(stdout)['service.gg']).not.toContain('breaking field-removed User.email');
    expect(changesIn(stdout)['service.gg']).toContain('breaking field-removed User.name');
  });

  test('three dots between unrelated histories are GG5021', async () => {
    const repository = history();
    repository.git('checkout', '--quiet', '--force', '--orphan', 'alone');
    repository.commit();
    const { code, stderr } = await repository.diff('main...alone');
    expect(codesIn(stderr)).toEqual(['GG5021']);
    expect(stderr).toContain('main and alone have no common ancestor');
    expect(code).toBe(1);
  });

  test('paths after them select what to compare', async () => {
    const repository = new Repository({ 'a.gg': user, 'b.gg': user, 'c/d.gg': user }).write({
      'a.gg': withoutName,
      'b.gg': withoutName,
      'c/d.gg': withoutName,
    });
    for (const args of [['HEAD', 'a.gg'], ['HEAD', '--', 'a.gg'], ['a.gg'], ['--', './a.gg']]) {
      expect(changesIn((await repository.diff('-f', 'json', ...args)).stdout)).toEqual({
        'a.gg': nameRemoved,
      });
    }
    expect(changesIn((await repository.diff('-f', 'json', 'HEAD', 'c')).stdout)).toEqual({
      'c/d.gg': nameRemoved,
    });
    expect(changesIn((await repository.diff('-f', 'json', 'HEAD', '--', 'a.gg', 'c')).stdout)).toEqual({
      'a.gg': nameRemoved,
      'c/d.gg': nameRemoved,
    });
  });

  test('several files, or a glob, are one topology', async () => {
    const repository = new Repository({
      'a.gg': '(user { id: ID!, name: String })\n',
      'b.gg': '(root)-[:PROCESS { u: User }]->(user)\n',
    });
    repository.write({ 'a.gg': '(user { id: ID! })\n' });
    expect(Object.keys(changesIn((await repository.diff('-f', 'json', '--', 'a.gg', 'b.gg')).stdout))).toEqual([
      'a.gg, b.gg',
    ]);
    expect(changesIn((await repository.diff('-f', 'json', '--', '*.gg')).stdout)).toEqual({
      'a.gg, b.gg': nameRemoved,
    });
    // The pattern finds on the old side what is gone on the new one.
    repository.remove('b.gg');
    expect(changesIn((await repository.diff('-f', 'json', '--', '*.gg')).stdout)['a.gg, b.gg']).toContain(
      'breaking operation-removed Query.user',
    );
  });

  test.each([
    ['not UTF-8', Uint8Array.of(0x28, 0xff)],
    ['too large', Buffer.alloc(topologyLimit.bytes + 1, ' ')],
  ])('a file that is %s is reported under any name, and not treated as removed', async (_reason, content) => {
    const repository = new Repository({ 'a/user.gg': user, 'a/other.gg': other }).write({
      'a/user.gg': content,
    });
    for (const named of [[], ['HEAD'], ['HEAD', '--', 'a'], ['HEAD', '--', 'a/user.gg'], ['HEAD', 'a/*.gg']]) {
      const { code, stdout, stderr } = await repository.diff(...named);
      expect(code, named.join(' ')).not.toBe(0);
      expect(stdout + stderr).toMatch(/GG40\d\d/);
      expect(stdout).not.toMatch(/removed/i);
    }
  });

  test('a deleted file can be named after --', async () => {
    const repository = new Repository({ 'a.gg': user, 'b.gg': other }).remove('a.gg');
    const { stdout } = await repository.diff('-f', 'json', 'HEAD', '--', 'a.gg');
    expect(changesIn(stdout)['a.gg']).toContain('breaking operation-removed Query.user');
  });

  test('a symbolic link of a revision is followed, and a broken one is not a file', async () => {
    const repository = new Repository({ 'real/user.gg': user });
    symlinkSync('real/user.gg', join(repository.directory, 'link.gg'));
    symlinkSync('link2.gg', join(repository.directory, 'link2.gg'));
    repository.commit().write({ 'real/user.gg': withoutName });
    expect(changesIn((await repository.diff('-f', 'json', 'HEAD', 'link.gg')).stdout)).toEqual({
      'link.gg': nameRemoved,
    });
    expect((await repository.diff('HEAD', 'HEAD', '-f', 'json')).code).toBe(0);
  });
});

describe('two places', () => {
  test('are compared without git', async () => {
    const { code, stdout } = await diffOf({ 'old.gg': user, 'new.gg': withoutName }, 'old.gg', 'new.gg');
    expect(stdout).toContain(' --> new.gg:1:2\n');
    expect(stdout).toContain(' <-- old.gg:1:26\n');
    expect(stdout).toMatch(/\n2 breaking changes between old\.gg and new\.gg\.\n$/);
    expect(code).toBe(1);
  });

  test('may be directories, whose files are paired by their paths', async () => {
    const files = {
      'old/a.gg': user,
      'old/b/c.gg': user,
      'new/a.gg': withoutName,
      'new/b/c.gg': user,
      'new/.x/y.gg': broken,
    };
    const { stdout } = await diffOf(files, 'old', 'new', '-f', 'json');
    expect(changesIn(stdout)).toEqual({ 'new/a.gg': nameRemoved, 'new/b/c.gg': [] });
  });

  test('may be a file of a revision and a file of the working tree', async () => {
    const repository = new Repository({ 'api/old.gg': user }).write({ 'api/new.gg': withoutName });
    const fromTop = await repository.diffIn('api', 'HEAD:api/old.gg', 'new.gg');
    expect(fromTop.stdout).toMatch(/between HEAD:api\/old\.gg and new\.gg\.\n$/);
    expect(fromTop.stdout).toContain(' <-- HEAD:api/old.gg:1:26\n');
    const fromHere = await repository.diffIn('api', 'HEAD:./old.gg', 'new.gg', '-f', 'json');
    expect(changesIn(fromHere.stdout)).toEqual({ 'new.gg': nameRemoved });
  });

  test('may be standard input and a file', async () => {
    const io: Partial<CliIo> = {
      directory: directoryWith({ 'new.gg': withoutName }),
      readStdin: () => Promise.resolve(Buffer.from(user)),
    };
    const { stdout } = await runCli(['diff', '-', 'new.gg'], io);
    expect(stdout).toContain(' <-- <stdin>:1:26\n');
    expect(stdout).toMatch(/between - and new\.gg\.\n$/);
  });

  test('must both be files or both be directories', async () => {
    const { code, stderr } = await diffOf({ 'a.gg': user, 'd/b.gg': user }, 'a.gg', 'd');
    expect(stderr).toMatch(/Cannot compare a file with a directory/);
    expect(code).toBe(2);
  });

  test('that do not exist are GG4001 or GG5023', async () => {
    expect(codesIn((await diffOf({ 'a.gg': user }, 'a.gg', 'b.gg')).stderr)).toEqual(['GG4001']);
    const repository = new Repository({ 'a.gg': user });
    expect(codesIn((await repository.diff('HEAD:b.gg', 'a.gg')).stderr)).toEqual(['GG4001']);
    expect(codesIn((await repository.diff('HAED:a.gg', 'a.gg')).stderr)).toEqual(['GG5023']);
  });

  test('that are directories without topologies are GG5024', async () => {
    expect(codesIn((await diffOf({ 'a/x.txt': '', 'b/y.txt': '' }, 'a', 'b')).stderr)).toEqual(['GG5024']);
  });
});

describe('a comparison that is impossible is one finding:', () => {
  test('GG5020 outside of a repository', async () => {
    const { code, stdout, stderr } = await diffOf({ 'service.gg': user });
    expect(codesIn(stderr)).toEqual(['GG5020']);
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });

  test('GG5021 if git cannot be found, or fails', async () => {
    const directory = directoryWith({ 'service.gg': user });
    const missing = await runCli(['diff'], { directory, env: { PATH: '/nowhere' } });
    expect(codesIn(missing.stderr)).toEqual(['GG5021']);
    expect(missing.stderr).toContain('git is not installed.');
    const refused = await runCli(['diff'], {
      directory,
      env: { GIT_DIR: '/nowhere', GIT_WORK_TREE: '/nowhere' },
    });
    expect(codesIn(refused.stderr)).toEqual(['GG5020']);
  });

  test('GG5022 in a repository without commits', async () => {
    const repository = new Repository().write({ 'service.gg': user });
    for (const args of [[], ['main'], ['main..']]) {
      expect(codesIn((await repository.diff(...args)).stderr)).toEqual(['GG5022']);
    }
    expect((await repository.diff('service.gg')).code).toBe(1);
  });

  test('GG5023 for an unknown revision, with a suggestion', async () => {
    const repository = new Repository({ 'service.gg': user });
    const { code, stderr } = await repository.diff('mian');
    expect(codesIn(stderr)).toEqual(['GG5023']);
    expect(stderr).toContain('hint: Did you mean main?');
    expect(code).toBe(1);
    expect((await repository.diff('zzzzzzzzzz')).stderr).toContain('gg-svc diff HEAD -- deleted.gg');
    expect((await repository.diff('HEAD~9')).stderr).toContain('hint: The history may not go back that far');
    expect(codesIn((await repository.diff('main..mian')).stderr)).toEqual(['GG5023']);
  });

  test('GG5023 mentions a shallow clone', async () => {
    const repository = new Repository({ 'service.gg': user }).write({ 'service.gg': withEmail }).commit();
    const clone = directoryWith();
    repository.git('clone', '--quiet', '--depth=1', `file://${repository.directory}`, join(clone, 'clone'));
    const { stderr } = await runCli(['diff', 'HEAD~1'], { directory: join(clone, 'clone') });
    expect(codesIn(stderr)).toEqual(['GG5023']);
    expect(stderr).toContain('This clone is shallow');
  });

  test('GG5024 without any topology', async () => {
    const repository = new Repository({ 'readme.txt': '', 'a/b.txt': '' });
    expect(codesIn((await repository.diff()).stderr)).toEqual(['GG5024']);
    expect(codesIn((await repository.diff('HEAD', 'a')).stderr)).toEqual(['GG5024']);
  });

  test('GG4001 and GG4005 for paths that neither side has', async () => {
    const repository = new Repository({ 'a.gg': user });
    expect(codesIn((await repository.diff('HEAD', '--', 'b.gg')).stderr)).toEqual(['GG4001']);
    expect(codesIn((await repository.diff('HEAD', '--', 'x/*.gg')).stderr)).toEqual(['GG4005']);
  });

  test('GG5025 for a side with errors, while other topologies are compared', async () => {
    const repository = new Repository({ 'bad.gg': broken, 'service.gg': user });
    repository.write({ 'bad.gg': user, 'service.gg': withoutName });
    const { code, stdout, stderr } = await repository.diff();
    expect(codesIn(stderr)).toEqual(['GG1001', 'GG5025']);
    expect(stderr).toContain(' --> HEAD:bad.gg:');
    expect(stderr).toContain('bad.gg has errors in HEAD');
    expect(stdout).toMatch(/2 breaking changes between HEAD and the working tree; not compared: bad\.gg\.\n$/);
    expect(code).toBe(1);
  });

  test('for a broken topology, but not for its imports', async () => {
    const repository = new Repository({ 'main.gg': `import './user.gg'\n${other}`, 'user.gg': user });
    const sound = await repository.write({ 'main.gg': broken }).diff('-f', 'json');
    expect(JSON.parse(sound.stdout)).toMatchObject({ topologies: [], failed: ['main.gg'] });
    repository.commit().write({ 'main.gg': `import './user.gg'\n${other}` });
    const mended = await repository.diff('-f', 'json');
    expect(JSON.parse(mended.stdout)).toMatchObject({ topologies: [], failed: ['main.gg'] });
    expect(codesIn(mended.stderr)).toEqual(['GG1001', 'GG5025']);
  });

  test('GG4003 for a binary file, on either side', async () => {
    const binary = new Uint8Array([0x28, 0x61, 0xff, 0x29]);
    const repository = new Repository({ 'service.gg': binary });
    expect((await repository.diff()).code).toBe(0);
    expect(codesIn((await repository.write({ 'service.gg': user }).diff()).stderr)).toEqual(['GG4003', 'GG5025']);
    repository.commit().write({ 'service.gg': binary });
    expect(codesIn((await repository.diff()).stderr)).toEqual(['GG4003', 'GG5025']);
  });

  test('GG4004 for an old file that was too large', async () => {
    const repository = new Repository({ 'service.gg': new Uint8Array(64 * 1024 * 1024 + 1) });
    repository.write({ 'service.gg': user });
    expect(codesIn((await repository.diff()).stderr)).toEqual(['GG4004', 'GG5025']);
  });

  test('GG2001 for an import that the old side lacks', async () => {
    const repository = new Repository({ 'main.gg': `import './part.gg'\n${other}` });
    repository.write({ 'part.gg': user });
    expect(codesIn((await repository.diff()).stderr)).toEqual(['GG2001', 'GG5025']);
    repository.write({ 'part.gg': new Uint8Array([0xff]) }).commit();
    repository.write({ 'part.gg': user });
    const { stderr } = await repository.diff();
    expect(codesIn(stderr)).toEqual(['GG4003', 'GG5025']);
    expect(stderr).toContain(' --> HEAD:main.gg:1:8\n');
  });
});

describe('the command line', () => {
  const repository = new Repository({ 'service.gg': user, main: '', 'x.gg': user });

  test.each<[string[], RegExp]>([
    [['main'], /main is both a revision and a file: pass \.\/main for the file, or main -- \. for the revision\.\n/],
    [['a.gg', 'b.gg', 'c.gg'].map(() => 'x.gg'), /Cannot compare more than two files with each other/],
    [['x.gg', 'HEAD'], /HEAD is not a file; pass revisions before files/],
    [['--today', 'tomorrow'], /--today must be a date such as 2030-12-31, not tomorrow/],
    [['--today', '2026-02-30'], /--today must be a date/],
    [['--format', 'yaml'], /Allowed choices are text, json, sarif, github, markdown/],
    [['--fail-on', 'worst'], /Allowed choices are breaking, dangerous, safe, never/],
    [['HEAD', 'HEAD', 'HEAD', '--', 'x.gg'], /HEAD is not a revision|files go behind the two dashes/],
  ])('%j is a usage error', async (args, message) => {
    const { code, stdout, stderr } = await repository.diff(...args);
    expect(stderr).toMatch(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  test('a name that is a revision and a file is interpreted by its position', async () => {
    expect((await repository.diff('main', '--', 'service.gg')).code).toBe(0);
    expect(codesIn((await repository.diff('HEAD', './main')).stderr)).toEqual([]);
  });

  test('operands are never passed to git as options', async () => {
    expect(codesIn((await repository.diff('--', '--output=x')).stderr)).toEqual(['GG4001']);
    expect(codesIn((await repository.diff('HEAD..--all')).stderr)).toEqual(['GG5023']);
  });

  test.each(Object.keys(changeReporters))('the format %s goes to standard output', async (format) => {
    const { code, stdout, stderr } = await new Repository({ 'service.gg': user })
      .write({ 'service.gg': withoutName })
      .diff('--format', format);
    expect(stdout).toContain('User.name');
    expect(stderr).toBe('');
    expect(code).toBe(1);
  });

  test('--fail-on sets the level that exits with 1', async () => {
    const added = new Repository({ 'service.gg': user }).write({ 'service.gg': withEmail });
    const codes = async (changed: Repository) => {
      const levels = ['breaking', 'dangerous', 'safe', 'never'];
      return await Promise.all(levels.map(async (level) => (await changed.diff('--fail-on', level)).code));
    };
    expect(await codes(added)).toEqual([0, 1, 1, 0]);
    const removed = new Repository({ 'service.gg': user }).write({ 'service.gg': withoutName });
    expect(await codes(removed)).toEqual([1, 1, 1, 0]);
  });

  test('lets an old name go after the month that was announced', async () => {
    const edge = "(root)-[:PROCESS { operation: 'user', id: ID! }]->(user { id: ID! })\n";
    const repository = new Repository({ 'service.gg': `/// @renamedFrom readUser until 2027-06\n${edge}` });
    repository.write({ 'service.gg': edge });
    expect((await repository.diff('--today', '2027-06-30')).code).toBe(1);
    const { code, stdout } = await repository.diff('--today', '2027-07-01');
    expect(code).toBe(0);
    const page = readFileSync('docs/diff.md', 'utf8');
    const shown = page.split('\n').find((line) => line.startsWith('waived[operation-removed]'));
    expect(stdout.split('\n')).toContain(shown);
  });

  test('does not fail on types that no operation uses', async () => {
    const lonely = '(lonely { a: Int, b: Int })\n';
    const repository = new Repository({ 'service.gg': user + lonely });
    repository.write({ 'service.gg': user + lonely.replace(', b: Int', '') });
    expect((await repository.diff()).code).toBe(0);
    expect((await repository.diff('--fail-on', 'safe')).code).toBe(1);
  });

  test('--reachable-only ignores directives, which no operation reaches', async () => {
    const guarded = user.replace('like: User', "auth: 'required', like: User");
    const repository = new Repository({ 'service.gg': guarded }).write({ 'service.gg': user });
    expect((await repository.diff()).code).toBe(1);
    expect((await repository.diff('--reachable-only')).code).toBe(0);
    repository.write({ 'service.gg': withoutName });
    expect((await repository.diff('--reachable-only')).code).toBe(1);
  });

  test('--verbose prints source frames of all changes', async () => {
    const changed = new Repository({ 'service.gg': user }).write({ 'service.gg': withEmail });
    expect((await changed.diff()).stdout).not.toContain('safe[field-added] The field User.email: String was added.\n');
    expect((await changed.diff('-v')).stdout).toContain(
      'safe[field-added] The field User.email: String was added.\n -->',
    );
  });

  test('changes are coloured on a terminal', async () => {
    const changed = new Repository({ 'service.gg': user }).write({ 'service.gg': withoutName });
    const io = { directory: changed.directory, stdoutIsTerminal: true };
    expect((await runCli(['diff'], io)).stdout).toContain('\u001b[31m');
  });
});

describe('waivers', () => {
  const waiver = (...coordinates: readonly string[]) => ({
    kind: 'field-removed',
    coordinate: coordinates,
    reason: 'Agreed with the clients.',
    expires: '2030-12-31',
  });
  const inputWaiver = { ...waiver('UserInput.name'), kind: 'input-field-removed' };
  const changed = (waivers: unknown, name = 'gg-diff.waivers.json') => {
    const repository = new Repository({ 'service.gg': user }).write({ 'service.gg': withoutName });
    return repository.write({
      [name]: typeof waivers === 'string' ? waivers : JSON.stringify({ version: 1, waivers }),
    });
  };

  test('beside the topology let breaking changes pass', async () => {
    const { code, stdout, stderr } = await changed([waiver('User.name'), inputWaiver]).diff('--today', '2030-01-01');
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^waived\[field-removed\] .* \(until 2030-12-31: Agreed with the clients\.\)/m);
    expect(stdout).toMatch(/\n2 waived changes between HEAD and the working tree\.\n$/);
    expect(code).toBe(0);
  });

  test('cover only the changes that they name', async () => {
    expect((await changed([waiver('User.name')]).diff('--today', '2030-01-01')).code).toBe(1);
  });

  test('that have expired are reported and have no effect', async () => {
    const { code, stderr } = await changed([waiver('User.name'), inputWaiver]).diff('--today', '2031-01-01');
    expect(codesIn(stderr)).toEqual(['GG5027', 'GG5027']);
    expect(stderr).toMatch(/ --> gg-diff\.waivers\.json:1:\d+\n/);
    expect(code).toBe(1);
  });

  test('without use are reported', async () => {
    const { stderr } = await changed([waiver('User.name', 'User.age'), inputWaiver]).diff('--today', '2030-01-01');
    expect(codesIn(stderr)).toEqual(['GG5028']);
    expect(stderr).toContain('field-removed of User.age');
  });

  test('expire by the current date', async () => {
    const soon = { ...waiver('User.name'), expires: '2020-01-01' };
    expect(codesIn((await changed([soon]).diff()).stderr)).toEqual(['GG5027']);
  });

  test('may be in another file, which must exist', async () => {
    const repository = changed([waiver('User.name'), inputWaiver], 'ci/waivers.json');
    expect((await repository.diff('--waivers', 'ci/waivers.json', '--today', '2030-01-01')).code).toBe(0);
    expect(codesIn((await repository.diff('--waivers', 'none.json')).stderr)).toEqual(['GG4001']);
  });

  test('that cannot be read have no effect', async () => {
    const { code, stdout, stderr } = await changed('{ "version": 1, "waivers": [ }').diff();
    expect(codesIn(stderr)).toEqual(['GG5026']);
    expect(stderr).toMatch(/ --> gg-diff\.waivers\.json:1:\d+\n/);
    expect(stdout).toContain('2 breaking changes');
    expect(code).toBe(1);
    const sound = new Repository({ 'service.gg': user }).write({ 'gg-diff.waivers.json': '[]' });
    expect((await sound.diff()).code).toBe(1);
  });
});

test('gg-svc diff compares a large topology in linear work', async () => {
  const many = Array.from(
    { length: 2000 },
    (_, at) => `(n${at} { a: Int, b: Int })(root)-[:PROCESS { like: N${at} }]->(n${at})`,
  ).join('\n');
  const files = { 'old.gg': many, 'new.gg': many.replaceAll(', b: Int', '') };
  const { stdout } = await diffOf(files, 'old.gg', 'new.gg', '-f', 'json');
  expect(JSON.parse(stdout).summary.breaking).toBe(4000);
});
