import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Repository } from '../../../../src/tools/cli/files/repository.js';
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
