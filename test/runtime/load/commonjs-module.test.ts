import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { explainCommonJs } from '../../../src/runtime/load/explain-import.js';
import { directoryWith } from '../../tools/cli/stand-in-io.js';

describe('an ES module', () => {
  const packageOf = (manifest: object) => directoryWith({ 'package.json': JSON.stringify(manifest) });
  const misread = new SyntaxError("Unexpected token 'export'");

  test.each([
    ['shop.resolvers.js', misread],
    ['gg-svc.config.ts', new SyntaxError('Cannot use import statement outside a module')],
    ['lib/inner/a.js', misread],
  ])('%s in a CommonJS package gets advice', (name, error) => {
    expect(explainCommonJs(error, join(packageOf({ type: 'commonjs' }), name))).toEqual({
      reason: 'it uses import or export, but the nearest package.json makes it CommonJS',
      advice: 'Set "type": "module" in package.json, or give the file the extension .mjs.',
    });
  });

  test.each([
    ['a.js', 'module', misread],
    ['a.mjs', 'commonjs', misread],
    ['a.js', 'commonjs', new SyntaxError("Unexpected token ';'")],
    ['a.js', 'commonjs', new Error("Unexpected token 'export'")],
  ])('%s in a package of type %s with %s has another reason', (name, type, error) => {
    expect(explainCommonJs(error, join(packageOf({ type }), name))).toBeUndefined();
  });
});
