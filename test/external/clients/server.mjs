// A live server for the tests of this folder: the program as it is built, with the example of the product.

import { execFile, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Starts a server; gives where it is and how to stop it. */
export async function startServer(engine = 'beta') {
  const args = ['dist/tools/cli/gg-svc.js', 'serve', 'docs/examples/service.gg', '--port', '0', '--engine', engine];
  const child = spawn(process.execPath, args, { cwd: root });
  return { origin: await firstMatch(child, /http:\/\/127[^/]+/), stop: () => child.kill() };
}

/** Waits for the first text of a process that fits. */
export function firstMatch(child, pattern) {
  return new Promise((resolve, reject) => {
    let said = '';
    const read = (chunk) => {
      said += chunk;
      const found = pattern.exec(said)?.[0];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', () => reject(new Error(said)));
  });
}

/** A folder of its own with the OpenAPI document of a server; inside node_modules, where packages are found. */
export async function workFolder(name, origin) {
  const folder = `${here}node_modules/.work/${name}/`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const document = await (await fetch(`${origin}/openapi.json`)).text();
  writeFileSync(`${folder}openapi.json`, document);
  return folder;
}

/** Runs a program of a package of this folder to its end. */
export function run(script, args, cwd) {
  return promisify(execFile)(process.execPath, [`${here}node_modules/${script}`, ...args], { cwd });
}

/** What TypeScript says of a program, which it checks strictly. */
export async function checkTypes(folder, source) {
  writeFileSync(`${folder}program.ts`, source);
  const flags = '--strict --noEmit --skipLibCheck --module esnext --moduleResolution bundler --target es2022';
  const lib = ['--lib', 'es2022,dom,dom.iterable'];
  try {
    await run('typescript/bin/tsc', [...flags.split(' '), ...lib, 'program.ts'], folder);
    return '';
  } catch (error) {
    return error.stdout;
  }
}

/** Checks a TypeScript program, and loads it. */
export async function checkAndLoad(folder, source) {
  const problems = await checkTypes(folder, source);
  if (problems !== '') throw new Error(problems);
  await build({
    entryPoints: [`${folder}program.ts`],
    outfile: `${folder}program.mjs`,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
  return import(`${pathToFileURL(folder).href}program.mjs`);
}
