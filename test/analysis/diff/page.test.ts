import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CodeBlock, codeBlocks } from '../../docs/markdown.js';
import { directoryWith, runCli } from '../../tools/cli/stand-in-io.js';

const page = codeBlocks(readFileSync('docs/diff.md', 'utf8'));

function block(matches: (block: CodeBlock) => boolean): string {
  const found = page.find(matches);
  if (found === undefined) throw new Error('docs/diff.md lacks a block');
  return found.text;
}

/** The repository that the page speaks of. */
function example(): string {
  const directory = directoryWith({ 'service.gg': `${block(({ info }) => info === 'before')}\n` });
  const git = (...args: readonly string[]) => {
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: directory });
  };
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'one');
  writeFileSync(join(directory, 'service.gg'), `${block(({ info }) => info === 'after')}\n`);
  return directory;
}

describe('docs/diff.md', () => {
  it('shows the output of the command', async () => {
    const shown = block(({ text }) => text.startsWith('$ gg-svc diff\n'));
    const { code, stdout, stderr } = await runCli(['diff'], { directory: example() });
    expect(`$ gg-svc diff\n${stdout}`).toBe(`${shown}\n`);
    expect([code, stderr]).toEqual([1, '']);
  });

  it('shows waivers that have the described effect', async () => {
    const directory = example();
    writeFileSync(
      join(directory, 'gg-diff.waivers.json'),
      block(({ language }) => language === 'json'),
    );
    const shown = block(({ text }) => text.startsWith('$ gg-svc diff --today'));
    const [command = '', , ...lines] = shown.split('\n');
    const { stdout, stderr } = await runCli(command.split(' ').slice(2), { directory });
    expect(stderr).toBe('');
    for (const line of lines) expect(stdout.split('\n')).toContain(line);
    expect(lines.length).toBeGreaterThan(2);
  });
});
