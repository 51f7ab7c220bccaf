import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MissingImport } from './missing-import.js';

/**
 * Explains the error of an ES module that Node.js read as CommonJS because of its package, such as one of `npm init -y`;
 * undefined for any other error.
 */
export function explainCommonJs(error: unknown, path: string): MissingImport | undefined {
  const isOfModule = /^(?:Cannot use import statement outside a module|Unexpected token 'export')/;
  if (!(error instanceof SyntaxError) || !isOfModule.test(error.message)) return undefined;
  if (!/\.[jt]s$/.test(path) || isInModulePackage(path)) return undefined;
  return {
    reason: 'it uses import or export, but the nearest package.json makes it CommonJS',
    advice: 'Set "type": "module" in package.json, or give the file the extension .mjs.',
  };
}

function isInModulePackage(path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) return /"type"\s*:\s*"module"/.test(readFileSync(manifest, 'utf8'));
    if (folder === dirname(folder)) return false;
  }
}
