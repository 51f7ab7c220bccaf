import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commands } from '../../../src/tools/cli/commands/registry.js';
import { usesColor } from '../../../src/tools/cli/terminal/io.js';
import { repository, runCli } from './stand-in-io.js';

describe('help', () => {
  test('lists every command and every exit code, on standard output', async () => {
    const { code, stdout, stderr } = await runCli(['--help']);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    for (const { usage } of commands) expect(stdout).toContain(usage.split(' ')[0]);
    for (const line of ['0  success', '1  ', '2  ', '3  ']) expect(stdout).toContain(line);
    expect(stdout).not.toContain('\u001b');
  });

  test.each(commands.map(({ usage }) => usage.split(' ')[0] as string))('of %s has examples', async (name) => {
    const { code, stdout } = await runCli([name, '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`Examples:\\n {2}\\$ .*gg-svc ${name} `));
  });

  test('has colours on a terminal', async () => {
    expect((await runCli(['--help'], { stdoutIsTerminal: true })).stdout).toContain('\u001b[1m');
  });
});

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('package.json', repository), 'utf8'));
  expect(await runCli(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

describe('an invalid command line exits with 2 and describes the expected form', () => {
  test.each<[string[], RegExp]>([
    [[], /Usage: gg-svc/],
    [['chek', 'a.gg'], /unknown command 'chek'\n\(Did you mean check\?\)/],
    [['check', '--fromat', 'json', 'a.gg'], /unknown option '--fromat'\n\(Did you mean --format\?\)/],
    [['check'], /missing required argument 'files'\. Name the files of the topology, or write a gg-svc\.config\.json/],
    [
      ['check', 'a.gg', '--format', 'xml'],
      /argument 'xml' is invalid. Allowed choices are text, json, sarif, github\./,
    ],
    [['check', 'a.gg', '--max-warnings', 'few'], /--max-warnings must be an integer, not few/],
    [['build', 'a.gg'], /build needs an output directory: pass -o <directory>, or set “outputs\.directory”/],
    [['build', 'a.gg', '-o', 'out', '--base-url', 'example.com'], /--base-url must be a URL such as/],
    [['serve', 'a.gg', '--port', '65536'], /--port must be an integer from 0 to 65535, not 65536/],
    [['serve', 'a.gg', '--port', '-1'], /--port must be an integer from 0 to 65535, not -1/],
    [['explain'], /missing required argument 'what'/],
    [['explain', 'GG3001', 'GG3002'], /pass it without files/],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await runCli(args);
    expect(stderr).toMatch(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});

describe('an internal error exits with 3', () => {
  const broken = {
    packageRoot: new URL('file:///nowhere/'),
  };

  test('without a stack', async () => {
    const { code, stderr } = await runCli(['explain', 'GG3001'], broken);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^Internal error in gg-svc: .*\nhint: .*GG_SVC_DEBUG=1.*\n$/);
  });

  test('with the stack if GG_SVC_DEBUG=1', async () => {
    const { code, stderr } = await runCli(['explain', 'GG3001'], { ...broken, env: { GG_SVC_DEBUG: '1' } });
    expect(code).toBe(3);
    expect(stderr).toMatch(/\n {4}at /);
  });

  test('for a thrown value that is not an Error', async () => {
    const { code, stderr } = await runCli(['--version'], {
      stdout: () => {
        throw 'a text';
      },
    });
    expect(code).toBe(3);
    expect(stderr).toContain('a text');
  });
});

describe('colours', () => {
  test.each([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
    [{ FORCE_COLOR: '' }, false, true],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ FORCE_COLOR: 'false' }, true, false],
    [{ TERM: 'dumb' }, true, false],
  ])('with %j in a terminal: %s → %s', (env, isTerminal, expected) => {
    expect(usesColor(env, isTerminal)).toBe(expected);
  });
});
