import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../free-port.js';
import { packProgram, program } from '../tools/cli/build-program.js';
import { directoryWith } from '../tools/cli/stand-in-io.js';
import { buildImage, type Image, parseDockerfile } from './dockerfile.js';

// The container image of `init --docker`, built and run instruction by instruction, without a Docker daemon: a stage is
// an empty folder, and only the programs of the base image that the Dockerfile needs are on the PATH.

let scratch = '';
let project = '';
let packed = '';
let image: Image;

beforeAll(() => {
  scratch = directoryWith();
  // The user of the image reads what root has written.
  chmodSync(scratch, 0o755);
  packed = packProgram(scratch);
  project = join(scratch, 'my-api');
  execFileSync(process.execPath, [program, 'init', '--docker', 'my-api'], { cwd: scratch });
  const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  manifest.dependencies['gg-svc'] = `file:../${packed}`;
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  // What has no place in an image.
  mkdirSync(join(project, 'keys'));
  for (const name of ['.env', '.env.local', 'npm.log', 'keys/private.pem', 'keys/issuer.key', 'compose.yaml'])
    writeFileSync(join(project, name), 'secret');
  const lock = ['install', '--package-lock-only', '--ignore-scripts', '--prefer-offline', '--no-audit'];
  execFileSync('npm', lock, { cwd: project, stdio: 'ignore' });
  image = build(project);
});

/** The programs of `node:22-slim` that are asked for. */
function programsOf(folder: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
  for (const [name, path] of [
    ['node', process.execPath],
    ['npm', npm],
    ['sh', '/bin/sh'],
  ] as const)
    symlinkSync(path, join(bin, name));
  return bin;
}

function build(context: string): Image {
  const folder = directoryWith();
  chmodSync(folder, 0o755);
  const stages = parseDockerfile(readFileSync(join(context, 'Dockerfile'), 'utf8'));
  return buildImage(stages, context, folder, programsOf(folder), (stage) =>
    // Stands for the registry.
    copyFileSync(join(scratch, packed), join(stage, packed)),
  );
}

/** Whom the image runs as; only root can choose. */
const identity = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : {};

const health = (image: Image, env: Readonly<Record<string, string>>): Promise<number | null> => {
  const [command = '', ...args] = image.health;
  return new Promise((resolve) => {
    spawn(command, args, { cwd: image.directory, env: { ...image.env, ...env }, ...identity }).on('exit', resolve);
  });
};

describe('the image of init --docker', () => {
  test('has the production packages and the project, but no secrets', () => {
    const has = (path: string) => existsSync(join(image.directory, path));
    const present = ['service.gg', 'service.resolvers.mjs', 'gg-svc.config.mjs', 'node_modules/graphql-yoga'];
    const absent = ['node_modules/typescript', '.env', '.env.local', 'npm.log', 'compose.yaml', 'Dockerfile'];
    expect(present.filter((path) => !has(path))).toEqual([]);
    expect([...absent, 'keys/private.pem', 'keys/issuer.key'].filter(has)).toEqual([]);
  });

  test('is not built from a topology with errors', () => {
    const broken = directoryWith();
    execFileSync('cp', ['-R', `${project}/.`, broken]);
    writeFileSync(join(broken, 'service.gg'), '(a');
    expect(() => build(broken)).toThrow(/RUN .*gg-svc check failed:\n[^\0]*GG1001/);
  });

  test('runs as an unprivileged user, is healthy, and shuts down gracefully on SIGTERM', async () => {
    const PORT = String(await freePort());
    const [command = '', ...args] = image.command;
    expect(image.user).toBe('node');
    const child = spawn(command, args, {
      cwd: image.directory,
      // What `docker run --env PORT=…` adds. The user has no folder that it may write to.
      env: { ...image.env, PORT, HOME: '/nonexistent' },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...identity,
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
    const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)));
    await expect.poll(() => said).toContain('Ctrl+C');
    expect(said).toContain('Serving service.gg');

    const answer = await fetch(`http://127.0.0.1:${PORT}/api/readTask?id=1`);
    expect(await answer.json()).toEqual({ id: '1', title: 'Try the API', done: false });
    // NODE_ENV=production.
    expect((await fetch(`http://127.0.0.1:${PORT}/openapi.json`)).status).toBe(404);
    expect(await health(image, { PORT })).toBe(0);

    child.kill('SIGTERM');
    await expect.poll(() => health(image, { PORT })).toBe(1);
    expect(await ended).toBe(0);
    expect(said).toContain('Stopped.');
    expect(await health(image, { PORT })).toBe(1);
  });
});
