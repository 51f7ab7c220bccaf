import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isWebUrl } from '../../base/source/parse-url.js';
import { explainCommonJs, explainMissingImport } from './explain-import.js';
import type { FreshModule } from './fresh-modules.js';
import { isGlob } from './globs.js';

/** Whether an operand names one file on disk: not a glob, a URL or standard input. */
export function isFilePath(operand: string, directory: string): boolean {
  return isPath(operand) && !isGlob(operand, directory);
}

/** Whether an operand names files on disk, perhaps as a glob. */
export function isPath(operand: string): boolean {
  return operand !== '-' && operand !== stdinName && !isWebUrl(operand);
}

export const stdinName = '<stdin>';

export type LoadedModule = (
  | { readonly ok: true; readonly exports: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly reason: string; readonly advice?: string }
) & { readonly files: readonly string[] };

let generations = 0;

/** A number for modules that are loaded together. */
export function nextGeneration(): number {
  generations += 1;
  return generations;
}

/**
 * Loads a module of the user.
 *
 * @param generation - Modules of a new generation are loaded again with their imports, which they share.
 */
export async function loadModule(path: string, directory: string, generation?: number): Promise<LoadedModule> {
  const absolute = resolve(directory, path);
  // Versions before 22.18 have the feature only with an option.
  if (/\.[cm]?ts$/.test(path) && !process.features.typescript && existsSync(absolute)) {
    return { ok: false, reason: needsTypeScript, files: [absolute] };
  }
  const { exports, error, files } =
    generation === undefined
      ? await importOnce(absolute)
      : await (await import('./fresh-modules.js')).importFresh(absolute, generation);
  if (exports !== undefined) return { ok: true, exports, files };
  if (!existsSync(absolute)) return { ok: false, reason: 'the file does not exist', files };
  const explained = explainMissingImport(error, directory) ?? explainCommonJs(error, absolute);
  if (explained !== undefined) return { ok: false, ...explained, files };
  return { ok: false, reason: `${reasonOf(error)}${await errorLocation(error, files, directory)}`, files };
}

const needsTypeScript = `TypeScript modules need Node.js 22.18 or newer, and this is ${process.version}; compile it to a .mjs file`;

async function importOnce(path: string): Promise<FreshModule> {
  try {
    return { exports: await import(pathToFileURL(path).href), error: undefined, files: [path] };
  } catch (error) {
    return { exports: undefined, error, files: [path] };
  }
}

/** The first line of an error's message, without the final full stop. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [first = ''] = error.message.split('\n', 1);
  const message = first.replace(/\.$/, '');
  return error.name === 'Error' ? message : `${error.name}: ${message}`;
}

/** The position of an error in the user's files, if known: ` (lib/db.mjs, line 3)`. */
async function errorLocation(error: unknown, files: readonly string[], directory: string): Promise<string> {
  if (!(error instanceof Error)) return '';
  const place = error instanceof SyntaxError ? await findSyntaxError(files) : findThrow(error, files);
  return place === undefined ? '' : ` (${relative(directory, place.file)}, line ${place.line})`;
}

/** The innermost stack frame that is in one of these files. */
function findThrow({ stack = '' }: Error, files: readonly string[]) {
  for (const [, url = '', line] of stack.matchAll(/(file:[^\n()]+?):(\d+):\d+\)?$/gm)) {
    const file = fileURLToPath(url.replace(/\?.*$/, ''));
    if (files.includes(file)) return { file, line };
  }
  return undefined;
}

/** A SyntaxError of `import()` has no position; `node --check` prints one. */
async function findSyntaxError(files: readonly string[]) {
  const { execFile } = await import('node:child_process');
  for (const file of files) {
    const output = await new Promise<string>((done) => {
      execFile(process.execPath, ['--check', file], (_error, _stdout, stderr) => done(stderr));
    });
    const line = /^[^\n]*:(\d+)\r?\n/.exec(output)?.[1];
    if (line !== undefined) return { file, line };
  }
  return undefined;
}
