import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSchema, validateSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { diagnosticCodes } from '../src/base/diagnostics/codes.js';
import { textReporter } from '../src/base/diagnostics/render/text.js';
import type { SourceInput } from '../src/compiler/analyze.js';
import { type Compilation, type CompileOptions, compile } from '../src/compiler/compile.js';

// One folder is one case. What goes in:
// - `input.gg`, with the files that it imports beside it; or
// - several other `*.gg` files, which are merged in the order of their names; or
// - `input.path`, which names a file of this repository, for a case that is in use elsewhere.
// An `options.json` beside it holds the options of the compiler.
// What must come out lies beside it: the artifacts when there are no errors, and `diagnostics.txt` when
// there are findings. `npm run golden:update` writes these files anew; read the difference before you
// commit it.

/** Codes that cannot come alone, and what comes with them. */
const companions: Readonly<Record<string, readonly string[]>> = { GG1020: ['GG1003'] };

/** Codes about a topology that only a server finds, when a layer joins it. */
const ofLayers: ReadonlySet<string> = new Set(['GG3018']);

const root = fileURLToPath(new URL('..', import.meta.url));
const golden = join(root, 'golden');
const update = process.env.GOLDEN_UPDATE === '1';
const cases = readdirSync(golden).sort();

/** Compiles a case, and gives back the files that must lie in its folder. */
function project(name: string): { result: Compilation; expected: Map<string, string> } {
  const { directory, inputs } = readCase(name);
  const options: CompileOptions = JSON.parse(readIfThere(join(golden, name, 'options.json')) ?? '{}');
  const result = compile(inputs, {
    ...options,
    artifacts: 'all',
    readImport: (path) => readIfThere(join(directory, path)),
  });
  const expected = new Map<string, string>(Object.entries(result.artifacts ?? {}));
  const findings = textReporter.render(
    { diagnostics: result.diagnostics, sources: result.sources },
    { color: false, toolVersion: '', helpPage: () => undefined },
  );
  if (findings !== '') expected.set('diagnostics.txt', findings);
  return { result, expected };
}

function readCase(name: string): { directory: string; inputs: SourceInput[] } {
  const folder = join(golden, name);
  const pointer = readIfThere(join(folder, 'input.path'));
  if (pointer !== undefined) {
    const path = pointer.trim();
    return { directory: root, inputs: [{ name: path, source: readFileSync(join(root, path), 'utf8') }] };
  }
  const files = readdirSync(folder).filter((file) => file.endsWith('.gg'));
  const given = files.includes('input.gg') ? ['input.gg'] : files.sort();
  if (given.length === 0) throw new Error(`golden/${name} has no input`);
  const inputs = given.map((file) => ({ name: file, source: readFileSync(join(folder, file), 'utf8') }));
  return { directory: folder, inputs };
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** The files of a case, beside the topologies, that a person wrote. */
const given: ReadonlySet<string> = new Set(['input.path', 'options.json']);

/** The files of a case that were written by this test rather than by a person. */
function readOutputs(name: string): Map<string, string> {
  const folder = join(golden, name);
  const outputs = readdirSync(folder).filter((file) => !file.endsWith('.gg') && !given.has(file));
  return new Map(outputs.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

function rewrite(name: string, expected: ReadonlyMap<string, string>): void {
  const folder = join(golden, name);
  mkdirSync(folder, { recursive: true });
  for (const file of readOutputs(name).keys()) if (!expected.has(file)) rmSync(join(folder, file));
  for (const [file, text] of expected) writeFileSync(join(folder, file), text);
}

describe.each(cases)('golden/%s', (name) => {
  // Compiled by the first test that needs it, not when this file is loaded: mutation testing has to know which test
  // reaches which line.
  let projected: ReturnType<typeof project> | undefined;
  const compiled = (): ReturnType<typeof project> => {
    projected ??= project(name);
    return projected;
  };

  test('contains exactly the files of the compiler with their texts', () => {
    const { expected } = compiled();
    if (update) rewrite(name, expected);
    expect(Object.fromEntries(readOutputs(name))).toEqual(Object.fromEntries(expected));
  });

  test('is a schema that graphql-js accepts, unless it has errors', () => {
    const { result } = compiled();
    if (result.artifacts === undefined) expect(result.ok).toBe(false);
    else expect(validateSchema(buildSchema(result.artifacts['schema.graphql']))).toEqual([]);
  });

  const [code] = /^GG\d{4}/.exec(name) ?? [];
  if (code !== undefined) {
    test(`shows ${code} and nothing else`, () => {
      const found = new Set<string>(compiled().result.diagnostics.map((diagnostic) => diagnostic.code));
      for (const companion of companions[code] ?? []) found.delete(companion);
      expect([...found]).toEqual([code]);
    });
  }
});

describe('the diagnostics', () => {
  const codes = Object.entries(diagnosticCodes).map(([code, { name }]) => ({ code, name }));
  const outside = [
    'analysis/import',
    'federation',
    'runtime/auth',
    'runtime/brokers',
    'runtime/config',
    'runtime/execute',
    'runtime/hosts',
    'runtime/http',
    'runtime/load',
    'runtime/server',
    'tools/cli',
  ]
    .map(readTests)
    .join('\n');

  const isOfText = (code: string): boolean => /^GG[123]/.test(code) && !ofLayers.has(code);

  test.each(codes.filter(({ code }) => isOfText(code)))('$code has a golden case', ({ code, name }) => {
    expect(cases).toContain(`${code}-${name}`);
  });

  test.each(codes.filter(({ code }) => !isOfText(code)))(
    '$code, which does not depend on the text, has a test of the command line or the server',
    ({ code }) => {
      expect(outside.includes(code)).toBe(true);
    },
  );
});

function readTests(folder: string): string {
  const entries = readdirSync(join(root, 'test', folder), { recursive: true, encoding: 'utf8' });
  const files = entries.filter((file) => file.endsWith('.test.ts'));
  return files.map((file) => readFileSync(join(root, 'test', folder, file), 'utf8')).join('\n');
}
