import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nearestWith } from './project-root.js';

/** Explains the error of a module that imports a file or a package which is not there; undefined for any other error. */
export function explainMissingImport(error: unknown, directory: string) {
  const missing = missingImport(error);
  if (missing === undefined) return undefined;
  const { name, importer } = missing;
  const place = importLocation(name, importer, directory);
  if (!/^[./\\]|^[A-Za-z]:[/\\]/.test(name)) {
    const packageName = /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name;
    return {
      reason: `it imports the package ${packageName}, which is not installed${place}`,
      advice: `Install it: npm install ${packageName}`,
    };
  }
  const path = resolve(importer, '..', name);
  const extension = ['.mjs', '.js', '.ts', '.mts', '.cjs', '/index.mjs', '/index.js'].find((candidate) =>
    existsSync(path + candidate),
  );
  const shown = relative(directory, path);
  return {
    reason: `it imports ${shown}, which does not exist${place}`,
    advice:
      extension === undefined
        ? 'Create the file, or correct the import. The path is relative to the importing file.'
        : `Write the import with the whole name of the file: ${shown}${extension}.`,
  };
}

/** The file or package that a module lacks, and the importing file; undefined for any other error. */
export function missingImport(error: unknown) {
  if (!(error instanceof Error)) return undefined;
  const { message, requireStack } = error as Error & { readonly requireStack?: readonly string[] };
  const [, name, importer = requireStack?.[0]] =
    /^Cannot find (?:module|package) '([^']+)'(?: imported from '?([^'\n]+))?/.exec(message) ?? [];
  return name === undefined || importer === undefined ? undefined : { name: pathOf(name), importer: pathOf(importer) };
}

/** A path without the query parameter of a reload. */
function pathOf(location: string): string {
  const plain = location.replace(/\?.*$/, '');
  return plain.startsWith('file:') ? fileURLToPath(plain) : plain;
}

/** The line that imports it, ` (lib/db.mjs, line 3)`, as far as it can be found. */
function importLocation(name: string, importer: string, directory: string): string {
  if (!existsSync(importer)) return '';
  const lines = readFileSync(importer, 'utf8').split('\n');
  const end = basename(name);
  const at = lines.findIndex((line) => line.includes(`${end}'`) || line.includes(`${end}"`));
  return ` (${relative(directory, importer)}${at === -1 ? '' : `, line ${at + 1}`})`;
}

/**
 * Explains the error of an ES module that Node.js read as CommonJS because of its package, such as one of `npm init -y`;
 * undefined for any other error.
 */
export function explainCommonJs(error: unknown, path: string) {
  const isOfModule = /^(?:Cannot use import statement outside a module|Unexpected token 'export')/;
  if (!(error instanceof SyntaxError) || !isOfModule.test(error.message)) return undefined;
  if (!/\.[jt]s$/.test(path) || isInModulePackage(path)) return undefined;
  return {
    reason: 'it uses import or export, but the nearest package.json makes it CommonJS',
    advice: 'Set "type": "module" in package.json, or give the file the extension .mjs.',
  };
}

function isInModulePackage(path: string): boolean {
  const folder = nearestWith(dirname(path), 'package.json');
  const manifest = folder && readFileSync(join(folder, 'package.json'), 'utf8');
  return manifest !== undefined && /"type"\s*:\s*"module"/.test(manifest);
}
