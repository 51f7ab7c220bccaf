import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Repository } from '../../../../src/tools/cli/files/repository.js';
import { readRevisionTree } from '../../../../src/tools/cli/files/trees.js';
import { git, repositoryWith } from '../git-repository.js';

test.each(['gpg.program', 'core.fsmonitor'])(
  'never runs the program that %s of a repository names',
  async (setting) => {
    const directory = repositoryWith({ 'a.gg': '', 'evil.sh': '#!/bin/sh\ntouch "$(dirname "$0")/ran"\n' });
    const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n a\n -----END PGP SIGNATURE-----\n\n';
    const input = git(directory, 'cat-file', 'commit', 'HEAD').replace(/^\n/m, signature);
    const options = { cwd: directory, input, encoding: 'utf8' } as const;
    const signed = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], options).trim();
    git(directory, 'update-ref', 'HEAD', signed);
    execFileSync('chmod', ['+x', 'evil.sh'], { cwd: directory });
    git(directory, 'config', 'log.showSignature', 'true');
    git(directory, 'config', setting, join(directory, 'evil.sh'));
    const repository = await Repository.open({ directory, env: process.env });
    expect(await repository.log(['a.gg'], 5)).toMatchObject([{ commit: signed, title: 'a state' }]);
    expect(await repository.workingFiles('.')).toContain('a.gg');
    expect(existsSync(join(directory, 'ran'))).toBe(false);
  },
);

/** Commits the files of HEAD again, with this date of the committer as git keeps it. */
function commitAt(directory: string, date: string, title: string): string {
  git(directory, 'commit', '--quiet', '--allow-empty', '--message', title);
  const input = git(directory, 'cat-file', 'commit', 'HEAD').replace(/^(committer .*>) .*$/m, `$1 ${date}`);
  const options = { cwd: directory, input, encoding: 'utf8' } as const;
  const made = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], options).trim();
  git(directory, 'reset', '--soft', made);
  return made;
}

test.each(['99999999999999999999 +0000', '9999999999999 +0000', '-5 +0000', 'never', '0 +0000'])(
  'lists a commit with the date %s, as a time that a page can show',
  async (date) => {
    const directory = repositoryWith({ 'a.gg': '' });
    writeFileSync(join(directory, 'a.gg'), '// changed');
    git(directory, 'add', '--all');
    const made = commitAt(directory, date, 'grün');
    git(directory, 'config', 'i18n.logOutputEncoding', 'UTF-16');
    const repository = await Repository.open({ directory, env: process.env });
    const [last, ...others] = await repository.log(['a.gg'], 5);
    expect(last).toMatchObject({ commit: made, title: 'grün' });
    expect(() => new Date(last?.at ?? Number.NaN).toISOString()).not.toThrow();
    expect(others).toHaveLength(1);
  },
);

test.each([['.'], ['deep/er']])('lists the commits of the files of the repository alone, in %s', async (folder) => {
  const directory = repositoryWith({ 'a.gg': '', 'deep/er/b.gg': '' });
  const repository = await Repository.open({ directory: join(directory, folder), env: process.env });
  const up = folder === '.' ? '' : '../../';
  const outside = [`${up}../c.gg`, `${up}../../../a.gg`, '/c.gg'];
  expect(await repository.log([...outside, `${up}a.gg`], 5)).toMatchObject([{ title: 'a state' }]);
  expect(await repository.log(outside, 5)).toEqual([]);
});

test.each(['missing', 'damaged'])('a revision whose file is %s names its object', async (state) => {
  const directory = repositoryWith({ 'a.gg': 'some text', 'b.gg': '(root)' });
  const object = git(directory, 'rev-parse', 'HEAD:a.gg').trim();
  const file = join(directory, '.git/objects', object.slice(0, 2), object.slice(2));
  rmSync(file);
  if (state === 'damaged') writeFileSync(file, 'x');
  const repository = await Repository.open({ directory, env: process.env });
  const tree = await readRevisionTree(repository, { name: 'HEAD', commit: await headOf(repository) }, [], {});
  expect(tree.files.read('a.gg')).toMatchObject({ ok: false, absent: false, problem: { code: 'GG5021' } });
  expect(JSON.stringify(tree.files.read('a.gg'))).toContain(object);
  expect(tree.files.read('b.gg')).toMatchObject({ ok: true });
  expect(tree.files.read('c.gg')).toMatchObject({ absent: true, problem: { code: 'GG4001' } });
});

const headOf = async (repository: Repository): Promise<string> => (await repository.revision('HEAD')).commit;
