import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildProgram, program } from '../build-program.js';
import { directoryWith, runCli } from '../stand-in-io.js';

/** Asks a real shell for the candidates at the end of a command line. */
interface Shell {
  readonly name: string;
  readonly ask: (words: readonly string[], directory: string) => string;
}

/** The scripts ask the program, which is on the path. */
let programs = '';
const environment = () => ({ ...process.env, PATH: `${programs}:${process.env.PATH}` });

const bash: Shell = {
  name: 'bash',
  ask: (words, cwd) =>
    execFileSync(
      'bash',
      [
        '-c',
        bashAsk,
        'ask',
        // Bash takes `--format=json` for three words.
        ...words.flatMap((word) => word.split(/(?<==)|(?==)/)),
      ],
      { cwd, encoding: 'utf8', env: environment() },
    ),
};

const bashAsk = `source ./script
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_gg_svc
printf '%s\\n' "\${COMPREPLY[@]}"`;

const fish: Shell = {
  name: 'fish',
  ask: (words, cwd) =>
    execFileSync('fish', ['--no-config', '-c', 'source ./script; complete -C $argv[1]', words.join(' ')], {
      cwd,
      encoding: 'utf8',
      env: { ...environment(), HOME: cwd },
    }),
};

/** Completion of zsh needs its line editor, so the shell runs in a terminal of the module zpty. */
const zsh: Shell = {
  name: 'zsh',
  ask: (words, cwd) => {
    writeFileSync(join(cwd, '.setup'), zshSetup);
    return execFileSync('zsh', ['-f', '-c', zshAsk, 'ask', words.join(' ')], {
      cwd,
      encoding: 'utf8',
      env: environment(),
      timeout: 300_000,
    });
  },
};

const zshSetup = `PROMPT=
autoload -Uz compinit
compinit -u -D
source ./script
bindkey '^I' complete-word
compprefuncs=(_ask_begin)
comppostfuncs=(_ask_end)
_ask_begin() { print '<<<' }
_ask_end() { print '>>>'; exit }
compadd() {
  [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]] && { builtin compadd "$@"; return }
  local -a hits
  builtin compadd -A hits "$@"
  (( $#hits )) && print -rl -- $hits
  builtin compadd "$@"
}
print ready
`;

const zshAsk = `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'source ./.setup'
while zpty -r shell line; do [[ $line == *ready* ]] && break; done
zpty -w -n shell "$1"$'\\t'
integer inside=0
while zpty -r shell line; do
  line=\${line%$'\\r\\n'}
  case $line in
  *'<<<'*) inside=1 ;;
  *'>>>'*) break ;;
  *) (( inside )) && print -r -- $line ;;
  esac
done
zpty -d shell`;

beforeAll(() => {
  buildProgram();
  programs = directoryWith();
  symlinkSync(program, join(programs, 'gg-svc'));
});

describe.each([bash, zsh, fish])('$name completes', ({ name, ask }) => {
  let directory = '';
  beforeAll(async () => {
    directory = directoryWith({ 'a.gg': '', 'two words.gg': '', 'notes.txt': '', 'api/b.gg': '' });
    writeFileSync(join(directory, 'script'), (await runCli(['completion', name])).stdout);
  });
  const candidates = (...words: readonly string[]): readonly string[] =>
    ask(words, directory)
      .split('\n')
      // Fish adds a description, and shells write a directory and a space in their own ways.
      .map((line) => (line.split('\t')[0] ?? '').replaceAll('\\ ', ' ').replace(/\/$/, ''))
      .filter((line) => line !== '')
      .toSorted();

  test('commands', () => {
    expect(candidates('gg-svc', '')).toEqual(expect.arrayContaining(['check', 'federation', 'init']));
    expect(candidates('gg-svc', 'ch')).toEqual(['check']);
    expect(candidates('gg-svc', 'federation', '')).toEqual(['keygen', 'show', 'sign', 'verify']);
  });

  test('options, of the named command only', () => {
    const options = candidates('gg-svc', 'check', '--');
    expect(options).toEqual(expect.arrayContaining(['--format', '--max-warnings', '--help']));
    expect(options).not.toContain('--out');
    expect(candidates('gg-svc', 'federation', 'sign', '--k')).toEqual(['--key']);
  });

  test.each([
    [
      ['check', '--format', ''],
      ['github', 'json', 'sarif', 'text'],
    ],
    [['check', '-f', 'js'], ['json']],
    [['check', 'a.gg', '--format', 's'], ['sarif']],
    [
      ['serve', '--engine', ''],
      ['alpha', 'beta'],
    ],
    [
      ['completion', ''],
      ['bash', 'fish', 'zsh'],
    ],
  ])('values of %j', (words, expected) => {
    expect(candidates('gg-svc', ...words)).toEqual(expected);
  });

  test('a value after an equals sign', () => {
    const found = candidates('gg-svc', 'check', '--format=j').map((word) => word.replace('--format=', ''));
    expect(found).toEqual(['json']);
  });

  test('topologies and directories, and no other files', () => {
    expect(candidates('gg-svc', 'check', '')).toEqual(['a.gg', 'api', 'two words.gg']);
    expect(candidates('gg-svc', 'check', 'api/')).toEqual([name === 'zsh' ? 'b.gg' : 'api/b.gg']);
  });

  test('any file where an option takes one, and directories where it takes those', () => {
    expect(candidates('gg-svc', 'check', '--config', 'n')).toEqual(['notes.txt']);
    expect(new Set(candidates('gg-svc', 'build', '--out', ''))).toEqual(new Set(['api']));
  });
});
