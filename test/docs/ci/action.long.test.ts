import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { buildProgram, program } from '../../tools/cli/build-program.js';
import { directoryWith, repository } from '../../tools/cli/stand-in-io.js';
import { codeBlocks } from '../markdown.js';
import { type ActionRun, action, type FakeGitHub, runAction, startGitHub, workflowCommands } from './runner.js';

const topology = '(root)-[:PROCESS]->(read_user { id: ID!, name: String })\n';
const breaking = '(root)-[:PROCESS]->(read_user { id: ID! })\n';

let gitHub: FakeGitHub;
let repo: string;
beforeAll(buildProgram);
beforeEach(async () => {
  gitHub = await startGitHub();
  repo = join(directoryWith(), 'repo');
});
afterEach(() => gitHub.close());

describe('the action on a pull request', () => {
  test('annotates a breaking change, fails, and comments once, however often it runs', async () => {
    commit({ 'main.gg': topology });
    commit({ 'main.gg': breaking }, 'feature');
    const first = await run({ files: 'main.gg' });
    expect(first.failed).toBe(true);
    expect(workflowCommands(first.log)).toContainEqual(
      expect.stringMatching(/^::error file=main\.gg,.*title=breaking%3A field-removed::.*name/),
    );
    expect(first.summary).toMatch(/^## API changes\n/);
    expect(gitHub.comments).toHaveLength(1);
    expect(gitHub.comments[0]?.body).toContain('**Breaking (1)**');

    commit({ 'main.gg': topology }, 'feature');
    const second = await run({ files: 'main.gg' });
    expect(second.failed).toBe(false);
    expect(gitHub.comments).toHaveLength(1);
    expect(gitHub.comments[0]?.body).not.toContain('Breaking');
  });

  test('reports mistakes and unformatted files, and runs every command', async () => {
    commit({ 'main.gg': topology });
    commit({ 'main.gg': `${topology}(a)-[:PROCESS]->(b  { x: Int }\n`, 'other.gg': '(a  { x: Int })\n' }, 'feature');
    const { failed, log } = await run({ files: 'main.gg\nother.gg' });
    expect(failed).toBe(true);
    const commands = workflowCommands(log);
    expect(commands).toContainEqual(expect.stringMatching(/^::error file=main\.gg,line=2,.*title=GG1/));
    expect(commands).toContainEqual(
      '::error file=other.gg,title=gg-svc fmt::The file is not formatted. Run gg-svc fmt.',
    );
    expect(commands).toContain('::group::gg-svc diff');
  });

  test('writes no comment on a pull request without changes', async () => {
    commit({ 'main.gg': topology });
    commit({ 'README.md': 'hello' }, 'feature');
    expect((await run({ files: 'main.gg' })).failed).toBe(false);
    expect(gitHub.comments).toEqual([]);
  });

  test('takes the sources of the project file, in the working directory', async () => {
    const files = { 'api, v1/gg-svc.config.json': '{ "sources": ["main.gg"] }', 'api, v1/main.gg': topology };
    commit(files);
    commit({ 'api, v1/main.gg': breaking }, 'feature');
    const { log } = await run({ 'working-directory': 'api, v1' });
    expect(workflowCommands(log)).toContainEqual(expect.stringMatching(/^::error file=api%2C v1\/main\.gg,line=1,/));
    expect(gitHub.comments[0]?.body).toContain('main.gg:1');
  });

  test('a topology that the base does not have is not a failure', async () => {
    commit({ 'README.md': 'hello' });
    commit({ 'main.gg': topology }, 'feature');
    const { failed, summary } = await run({ files: 'main.gg' });
    expect(summary).toContain('operation-added');
    expect(failed).toBe(false);
  });

  test('a renamed topology has no changes', async () => {
    commit({ 'old.gg': topology });
    git('switch', '-q', '-c', 'feature');
    renameSync(join(repo, 'old.gg'), join(repo, 'new.gg'));
    commit({}, 'feature');
    const { failed, summary } = await run({ commands: 'diff' });
    expect(summary).not.toContain('removed');
    expect(failed).toBe(false);
  });

  test('compares the merge commit of a shallow clone with its base', async () => {
    commit({ 'main.gg': topology });
    commit({ 'main.gg': breaking }, 'feature');
    git('switch', '-q', 'main');
    commit({ 'second.gg': '(root)-[:PROCESS]->(later { at: Int })\n' });
    git('merge', '-q', 'feature');
    const base = git('rev-parse', 'main^1').trim();
    const clone = join(dirname(repo), 'clone');
    execFileSync('git', ['clone', '-q', '--depth=1', '--branch=main', `file://${repo}`, clone]);
    linkProgram(clone);
    const { summary } = await runAction(clone, { commands: 'diff' }, eventOf(base), gitHub.url);
    expect(summary).toContain('The field ReadUser.name was removed.');
    expect(summary).not.toContain('later');
  });
});

test('the package has the action, where the workflow of the page finds it', () => {
  const [workflow] = codeBlocks(readFileSync(fileURLToPath(new URL('docs/ci.md', repository)), 'utf8'));
  const { jobs } = parse(workflow?.text ?? '') as { jobs: { api: { steps: { uses?: string }[] } } };
  expect(jobs.api.steps.map(({ uses }) => uses)).toContain('./node_modules/gg-svc');
  const cwd = fileURLToPath(repository);
  const printed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 16 << 20,
  });
  const [{ files }] = JSON.parse(printed) as [{ files: { path: string }[] }];
  const scripts = action.runs.steps.map((step) => /\$GITHUB_ACTION_PATH\/([^"]+)/.exec(step.run)?.[1]);
  expect(scripts).not.toContain(undefined);
  expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(['action.yml', ...scripts]));
});

describe('the comment', () => {
  beforeEach(() => {
    commit({ 'main.gg': topology });
    commit({ 'main.gg': breaking }, 'feature');
  });

  test.each([401, 403, 404])('is omitted if GitHub answers %i, as for forks', async (status) => {
    gitHub.status = status;
    const { log, summary } = await run({ files: 'main.gg' });
    expect(workflowCommands(log)).toContainEqual(
      expect.stringMatching(/^::notice title=gg-svc diff::The token may not comment/),
    );
    expect(summary).toContain('**Breaking (1)**');
  });

  test.each([429, 500, 502])('becomes a warning if GitHub answers %i', async (status) => {
    gitHub.status = status;
    const { failed, log } = await run({ files: 'main.gg', commands: 'check' });
    expect(failed).toBe(false);
    const withDiff = await run({ files: 'main.gg' });
    expect(log).not.toContain('::warning');
    expect(workflowCommands(withDiff.log)).toContainEqual(expect.stringContaining(`(status ${status})`));
  });

  test('becomes a warning if GitHub is unreachable', async () => {
    const { log } = await runAction(repo, { files: 'main.gg' }, eventOf(base()), 'http://127.0.0.1:1');
    expect(workflowCommands(log)).toContainEqual(expect.stringContaining('(status 000)'));
  });

  test('is found among a hundred others; a comment of another author with its marker is not changed', async () => {
    await run({ files: 'main.gg' });
    const [mine] = gitHub.comments.splice(0);
    if (mine === undefined) throw new Error('no comment');
    const forged = { id: 1, body: mine.body, user: { type: 'User' } };
    const others = Array.from({ length: 99 }, (_, id) => ({
      id: 2 + id,
      body: 'x'.repeat(60_000),
      user: { type: 'Bot' },
    }));
    gitHub.comments.push(forged, ...others, { ...mine, body: `${mine.body.split('\n')[0]}\nold` });
    await run({ files: 'main.gg' });
    expect(gitHub.comments).toHaveLength(101);
    expect(gitHub.comments.at(-1)?.body).toBe(mine.body);
    expect(forged.body).toBe(mine.body);
    expect(gitHub.requests.filter((request) => request.startsWith('PATCH'))).toHaveLength(1);
  });

  test('is shortened to the limit of GitHub; the summary has the whole report', async () => {
    const many = Array.from({ length: 900 }, (_, index) => `(root)-[:PROCESS]->(thing_${index} { x: Int })\n`).join('');
    commit({ 'main.gg': topology + many }, 'feature');
    const { summary } = await run({ files: 'main.gg', commands: 'diff' });
    expect(summary.length).toBeGreaterThan(65_536);
    expect(gitHub.comments[0]?.body).toMatch(/… The rest is in the summary of the job\.\n$/);
  });

  test('is not written if the input comment is false', async () => {
    await run({ files: 'main.gg', comment: 'false' });
    expect(gitHub.requests).toEqual([]);
  });

  test('is sent with the token, which does not appear in the output', async () => {
    const { log, summary } = await run({ files: 'main.gg' });
    expect(gitHub.requests[0]).toBe('GET /repos/owner/name/issues/7/comments?per_page=100&page=1 Bearer secret-token');
    expect(log + summary).not.toContain('secret-token');
  });
});

describe('hostile names', () => {
  const names = [
    '$(touch pwned).gg',
    '`touch pwned`.gg',
    '; touch pwned #.gg',
    "'; touch pwned; '.gg",
    '::error::forged.gg',
    '::add-mask::forged.gg',
    '--out=pwned.gg',
    'two words.gg',
    '%0A::error::forged.gg',
    '<img src=x onerror=alert(1)>@everyone.gg',
  ];

  test.each(names)('a file named %s is treated as a file', async (name) => {
    commit({ [name]: topology });
    commit({ [name]: `(root)-[:PROCESS]->(read_user  { id: ID! })\n` }, 'feature-$(touch\u0024IFS)');
    const { failed, log } = await run({ files: name });
    expect(failed).toBe(true);
    const commands = workflowCommands(log);
    const shown = name.replaceAll('%', '%25').replaceAll(':', '%3A').replaceAll(',', '%2C');
    const known = ['::group::', '::endgroup::', `::error file=${shown},`, `::notice file=${shown},`];
    expect(commands.filter((command) => !known.some((start) => command.startsWith(start)))).toEqual([]);
    expect(commands.filter((command) => command.startsWith('::error'))).toHaveLength(2);
    expect(gitHub.comments).toHaveLength(1);
    expect(gitHub.comments[0]?.body).not.toContain('\n<img');
    expect(readdirSync(repo, { recursive: true }).map(String)).not.toContain('pwned');
  });

  test.each(['$(touch pwned)', 'check; touch pwned', 'check\ntouch pwned'])(
    'commands %j are rejected',
    async (commands) => {
      commit({ 'main.gg': topology });
      const { failed, log } = await run({ files: 'main.gg', commands });
      expect(failed).toBe(true);
      expect(log).toContain('The input commands takes check, fmt and diff.');
      expect(existsSync(join(repo, 'pwned'))).toBe(false);
    },
  );
});

describe('the action on a push', () => {
  test('compares with the commit before', async () => {
    commit({ 'main.gg': topology });
    const before = git('rev-parse', 'HEAD').trim();
    commit({ 'main.gg': breaking });
    const result = await runAction(repo, { files: 'main.gg' }, { before }, gitHub.url);
    expect(result.failed).toBe(true);
    expect(result.summary).toContain('**Breaking (1)**');
    expect(gitHub.requests).toEqual([]);
  });

  test('has nothing to compare with on a new branch', async () => {
    commit({ 'main.gg': topology });
    const { failed, log } = await runAction(repo, { files: 'main.gg' }, { before: '0'.repeat(40) }, gitHub.url);
    expect(log).toContain('There is no older revision to compare with.');
    expect(failed).toBe(false);
  });

  test('reports a missing revision', async () => {
    commit({ 'main.gg': topology });
    const { failed, log } = await runAction(repo, { files: 'main.gg', base: 'nosuch' }, {}, gitHub.url);
    expect(log).toContain('git does not find the revision to compare with.');
    expect(failed).toBe(true);
  });
});

describe('action.yml', () => {
  test('does not put expressions into scripts', () => {
    for (const { run: script } of action.runs.steps) expect(script).not.toContain('${{');
  });

  test('has scripts without findings of shellcheck', () => {
    const folder = fileURLToPath(new URL('action/', repository));
    const scripts = readdirSync(folder).map((name) => join(folder, name));
    expect(scripts.length).toBeGreaterThan(0);
    expect(execFileSync('shellcheck', scripts, { encoding: 'utf8' })).toBe('');
    for (const script of scripts) expect(readFileSync(script, 'utf8')).toContain('\nset -euo pipefail\n');
  });
});

function git(...args: readonly string[]): string {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...identity, ...args], { cwd: repo, encoding: 'utf8' });
}

/** Commits files, and makes the repository and the branch if there are none. */
function commit(files: Readonly<Record<string, string>>, branch = 'main'): void {
  if (!existsSync(repo)) {
    mkdirSync(repo);
    git('init', '-q');
    writeFileSync(join(repo, '.gitignore'), 'node_modules\n');
    linkProgram(repo);
  } else if (git('branch', '--show-current').trim() !== branch) git('switch', '-q', '-C', branch);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repo, name)), { recursive: true });
    writeFileSync(join(repo, name), text);
  }
  git('add', '-A');
  git('commit', '-q', '-m', 'change');
}

/** The program as a project has it installed. */
function linkProgram(folder: string): void {
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(program, join(folder, 'node_modules/.bin/gg-svc'));
}

function base(): string {
  return git('rev-parse', 'main').trim();
}

function eventOf(sha: string): object {
  const title = '$(touch pwned)\n::error::forged';
  return { pull_request: { number: 7, title, base: { sha, ref: '$(touch pwned)' } } };
}

/** Runs the action for a pull request from the current branch to main. */
function run(inputs: Readonly<Record<string, string>>): Promise<ActionRun> {
  return runAction(repo, inputs, eventOf(base()), gitHub.url);
}
