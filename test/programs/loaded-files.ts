import { execFileSync, spawnSync } from 'node:child_process';

/** A hook of Node's loader that writes the address of each module. */
const watch = `
  import { writeSync } from 'node:fs';
  export async function load(url, context, next) { writeSync(1, url + '\\n'); return next(url, context); }`;

/**
 * Imports a module in a new process, and runs a program with it.
 *
 * @param url - The address of the module.
 * @param program - Statements in which `api` is the module.
 * @returns The files that the process loaded, CommonJS files included, each once.
 */
export function loadedFiles(url: string, program = ''): string[] {
  const script = `
    import { createRequire, register } from 'node:module';
    register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(watch)}));
    const api = await import(${JSON.stringify(url)});
    ${program}
    for (const path of Object.keys(createRequire('file:///').cache)) console.log('file://' + path);`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  return [...new Set(output.split('\n').filter((line) => line.startsWith('file:')))];
}

/**
 * Runs a program of Node to its end.
 *
 * @returns The files that the process loaded as ES modules, each once.
 */
export function filesOfRun(program: string, args: readonly string[], cwd: string): string[] {
  const script = `
    import { register } from 'node:module';
    register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(watch)}));`;
  const hook = `data:text/javascript,${encodeURIComponent(script)}`;
  const { stdout } = spawnSync(process.execPath, ['--import', hook, program, ...args], {
    cwd,
    encoding: 'utf8',
  });
  return [...new Set(stdout.split('\n').filter((line) => line.startsWith('file:')))];
}
