import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

interface Room {
  /** No files, no process, no clock, no randomness: its results depend on the arguments alone. */
  readonly pure: boolean;
  /** The packages that it may import; a trailing `/` allows a whole scope. */
  readonly packages: readonly string[];
}

const pure = (...packages: readonly string[]): Room => ({ pure: true, packages });
const impure = (...packages: readonly string[]): Room => ({ pure: false, packages });

/**
 * The wings of `src` in order, and in each its rooms in order. A file imports from its own room, from earlier rooms of
 * its wing, and from the wings that the project references (`tsconfig.json`) of its wing name. A folder that is not in
 * this table may not exist. The room `.` holds the files of the wing itself.
 */
const house: Readonly<Record<string, Readonly<Record<string, Room>>>> = {
  base: {
    source: pure(),
    values: impure(),
    tracing: impure('@opentelemetry/'),
    pattern: pure(),
    diagnostics: pure('picocolors'),
    'json-schema': pure('@hyperjump/json-schema-formats'),
    read: impure(),
  },
  compiler: {
    syntax: pure('chevrotain'),
    format: pure(),
    graph: pure(),
    schema: pure(),
    api: pure(),
    emit: pure('openapi-types'),
    '.': pure(),
  },
  federation: {
    '.': pure('@noble/', 'canonicalize'),
    node: impure(),
  },
  analysis: {
    diagram: pure(),
    provenance: pure(),
    import: pure('graphql'),
    store: pure(),
    diff: pure('picocolors'),
    site: pure(),
  },
  runtime: {
    client: impure(),
    load: impure('tinyglobby'),
    logs: impure('pino'),
    limits: impure('graphql'),
    uploads: impure('@fastify/busboy'),
    scalars: impure('graphql', 'graphql-scalars'),
    auth: impure('graphql', 'jose', 'kysely'),
    brokers: impure('@nats-io/', 'ioredis', 'pg'),
    config: impure(),
    repeats: impure(),
    hooks: impure('@apollo/', 'graphql'),
    execute: impure('dataloader', 'graphql'),
    store: impure('graphql', 'kysely', 'pg'),
    call: impure('graphql'),
    runs: impure('graphql', 'openworkflow'),
    traffic: impure(),
    http: impure('@graphql-yoga/', 'graphql', 'graphql-yoga'),
    mcp: impure('@modelcontextprotocol/', 'graphql'),
    server: impure('graphql', 'kysely'),
    hosts: impure('@apollo/', 'express', 'fastify', 'graphql', 'graphql-ws', 'ws'),
  },
  tools: {
    'language-server': impure('@viz-js/viz', 'vscode-languageserver', 'vscode-languageserver-textdocument'),
    studio: impure('@viz-js/viz'),
    workflows: impure('openapi-types'),
    drill: impure('@nats-io/', 'pg'),
    cli: impure('@resvg/resvg-js', '@viz-js/viz', 'chokidar', 'commander', 'picocolors', 'yaml'),
  },
};

/** Global names whose value is not the same in every run. */
const impureGlobals = new Set([
  'Date',
  'process',
  'performance',
  'globalThis',
  'console',
  'crypto',
  'fetch',
  'require',
  'setTimeout',
  'setInterval',
  'setImmediate',
]);

const drawers = /^(?:utils?|utilities|helpers?|common|misc|shared|lib)$/;
const longest = 400;

const src = fileURLToPath(new URL('../src', import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.split('\\').join('/'))
  .sort();

const texts = new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]));
const imports = new Map(files.map((file) => [file, importsOf(file)]));

function textOf(file: string): string {
  return texts.get(file) ?? '';
}

/** All module specifiers of a file: imports for types, re-exports and lazy imports among them. */
function importsOf(file: string): string[] {
  return ts.preProcessFile(textOf(file), true, true).importedFiles.map(({ fileName }) => fileName);
}

/** The files that a file imports by their paths, as seen from `src`. */
function filesImportedBy(file: string): string[] {
  return (imports.get(file) ?? [])
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts'));
}

/** The files of `src` that a file imports, and those that it should not import. */
function localImportsOf(file: string): string[] {
  return filesImportedBy(file).filter((target) => !(target in shippedData));
}

/** The data beside `src` that a source imports, because the package ships it as it is. */
const shippedData = { '../gg-svc.config.schema.json': 'runtime/config/read-config.ts' };

/** The wing and the room of a file; the entries at the top of `src` have neither. */
function placeOf(file: string): { readonly wing: string; readonly room: string } {
  const [wing = '', room = '', ...rest] = file.split('/');
  if (room === '') return { wing: '', room: '' };
  return { wing, room: rest.length === 0 ? '.' : room };
}

function roomOf(file: string): Room | undefined {
  const { wing, room } = placeOf(file);
  return wing === '' ? pure() : house[wing]?.[room];
}

/** The wings that the project references of a wing name. */
function referencesOf(wing: string): readonly string[] {
  const { references = [] } = JSON.parse(readFileSync(join(src, wing, 'tsconfig.json'), 'utf8')) as {
    references?: readonly { readonly path: string }[];
  };
  return references.map(({ path }) => basename(path));
}

function syntaxOf(file: string): ts.SourceFile {
  return ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/** Whether an identifier stands for a variable, rather than for a member, a key or a part of a type. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  return !(
    ts.isPropertySignature(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isTypeReferenceNode(parent) ||
    ts.isImportSpecifier(parent)
  );
}

describe('the wings of src', () => {
  test('contain every file of src, except the entries of the package', () => {
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((file) => roomOf(file) === undefined)).toEqual([]);
    expect(files.filter((file) => placeOf(file).wing === '')).toEqual(entryFiles());
  });

  test('reference earlier wings only', () => {
    const names = Object.keys(house);
    const wrong = names.flatMap((wing, at) =>
      referencesOf(wing)
        .filter((other) => !names.slice(0, at).includes(other))
        .map((other) => `${wing} references ${other}`),
    );
    expect(wrong).toEqual([]);
  });

  test('import from the wings that they reference, and from earlier rooms of their own', () => {
    const allowed = new Map(Object.keys(house).map((wing) => [wing, referencesOf(wing)]));
    const wrong = files.flatMap((file) => {
      const from = placeOf(file);
      const rooms = Object.keys(house[from.wing] ?? {});
      return localImportsOf(file)
        .filter((target) => {
          const to = placeOf(target);
          if (from.wing === '') return false;
          if (from.wing !== to.wing) return allowed.get(from.wing)?.includes(to.wing) !== true;
          return rooms.indexOf(to.room) > rooms.indexOf(from.room);
        })
        .map((target) => `${file} imports ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  test('import only the packages that their work needs', () => {
    const wrong: string[] = [];
    for (const file of files) {
      for (const specifier of imports.get(file) ?? []) {
        if (specifier.startsWith('.') || isBuiltin(specifier)) continue;
        const allowed = roomOf(file)?.packages.some((name) =>
          name.endsWith('/') ? specifier.startsWith(name) : specifier === name || specifier.startsWith(`${name}/`),
        );
        if (allowed !== true) wrong.push(`${file} imports ${specifier}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('import existing files by their full name', () => {
    const wrong = files.flatMap((file) =>
      localImportsOf(file)
        .filter((target) => !texts.has(target))
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('import only data that the package ships from outside of src, each in one place', () => {
    const found = files.flatMap((file) =>
      filesImportedBy(file)
        .filter((target) => target.startsWith('../'))
        .map((target) => [target, file]),
    );
    expect(found).toEqual(Object.entries(shippedData));
    const manifest = JSON.parse(readFileSync(join(src, '../package.json'), 'utf8')) as {
      readonly files: readonly string[];
    };
    expect(manifest.files).toEqual(expect.arrayContaining(found.map(([data = '']) => basename(data))));
  });

  test('contain no import cycle between files', () => {
    const done = new Set<string>();
    const circles: string[] = [];
    const follow = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      if (done.has(file) || path.includes(file)) return;
      for (const target of localImportsOf(file)) follow(target, [...path, file]);
      done.add(file);
    };
    for (const file of files) follow(file, []);
    expect(circles).toEqual([]);
  });

  test('contain no two folders that import each other, including sub-folders', () => {
    const ways = new Set(
      files.flatMap((file) => localImportsOf(file).flatMap((target) => wayBetween(file, target) ?? [])),
    );
    const pairs = [...ways].filter((way) => {
      const [from = '', to = ''] = way.split(' → ');
      return from < to && ways.has(`${to} → ${from}`);
    });
    const found = pairs.map((way) => way.replace('→', '↔'));
    expect(found).toEqual([]);
  });

  test('print their sizes', () => {
    const sizes = new Map<string, number>();
    for (const file of files) {
      const { wing } = placeOf(file);
      sizes.set(wing, (sizes.get(wing) ?? 0) + textOf(file).split('\n').length - 1);
    }
    const total = [...sizes.values()].reduce((sum, lines) => sum + lines, 0);
    console.log([...sizes, ['all', total]].map(([wing, lines]) => `${lines} ${wing || 'entries'}`).join('\n'));
    expect([...sizes.keys()].sort()).toEqual(['', ...Object.keys(house)].sort());
  });
});

/** The sources of the entries that `exports` in package.json names. */
function entryFiles(): readonly string[] {
  const { exports } = JSON.parse(readFileSync(join(src, '../package.json'), 'utf8')) as {
    exports: Readonly<Record<string, string | { readonly default: string }>>;
  };
  return Object.values(exports)
    .flatMap((entry) => (typeof entry === 'string' ? [] : [basename(entry.default, '.js')]))
    .map((name) => `${name}.ts`)
    .sort();
}

/**
 * The two folders that an import connects: those in which the paths of both files part. A file directly in the
 * folder where they part stands for that folder's own files; a file at the top of `src` for the entries.
 */
function wayBetween(file: string, target: string): string | undefined {
  const [from, to] = [foldersOf(file), foldersOf(target)];
  let shared = 0;
  while (shared < Math.min(from.length, to.length) && from[shared] === to[shared]) shared++;
  const [one, other] = [from, to].map((folders) => folders.slice(0, shared + 1).join('/'));
  return one === other ? undefined : `${one} → ${other}`;
}

function foldersOf(file: string): readonly string[] {
  const folders = file.split('/').slice(0, -1);
  return folders.length === 0 ? ['entries'] : folders;
}

/** Whether `Date` converts a given time, and does not read the clock: `Date.parse(text)`, `Date.UTC(…)`, `new Date(time)`. */
function isCalendar({ text, parent }: ts.Identifier): boolean {
  if (text !== 'Date') return false;
  if (ts.isPropertyAccessExpression(parent)) return ['parse', 'UTC'].includes(parent.name.text);
  return ts.isNewExpression(parent) && parent.arguments?.length === 1;
}

function isBuiltin(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(specifier);
}

describe('the pure rooms', () => {
  const pureFiles = files.filter((file) => roomOf(file)?.pure === true);

  test('do not import modules of Node.js', () => {
    const wrong = pureFiles.flatMap((file) =>
      (imports.get(file) ?? []).filter(isBuiltin).map((specifier) => `${file} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  test('do not use the clock, randomness, the process or the network', () => {
    const wrong: string[] = [];
    for (const file of pureFiles) {
      const tree = syntaxOf(file);
      walk(tree, (node) => {
        const named = ts.isIdentifier(node) && impureGlobals.has(node.text) && isReference(node) && !isCalendar(node);
        const random = ts.isPropertyAccessExpression(node) && node.getText(tree) === 'Math.random';
        if (!named && !random) return;
        const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
        wrong.push(`${file}:${line + 1} uses ${node.getText(tree)}`);
      });
    }
    expect(wrong).toEqual([]);
  });
});

describe('the files of src', () => {
  test('do not have catch-all names such as utils', () => {
    const wrong = files.filter((file) => file.split('/').some((part) => drawers.test(basename(part, '.ts'))));
    expect(wrong).toEqual([]);
  });

  test('keep the state of requests, answers and servers in fields, not in registries by object identity', () => {
    const allowed = new Set(['DocumentNode', 'ExecutionResult']);
    const rooms = files.filter((file) => /^runtime\/(?:http|server|hosts)\//.test(file));
    const wrong = rooms.flatMap((file) =>
      [...textOf(file).matchAll(/new (?:WeakMap|WeakSet|Map)<\s*(\w+)/g)]
        .map(([, key]) => key as string)
        .filter((key) => /^[A-Z]|^object$/.test(key) && !allowed.has(key))
        .map((key) => `${file} has a registry by ${key}`),
    );
    expect(wrong).toEqual([]);
  });

  test('do not compile regular expressions from outside, except in src/base/pattern', () => {
    /** Files that make an expression of words of their own. */
    const own = [
      'compiler/emit/collection/test-script.ts',
      'analysis/import/openapi/race-types.ts',
      'runtime/load/fresh-modules.ts',
      'runtime/logs/redact.ts',
      'tools/studio/redact-call.ts',
    ];
    const found = files.filter(
      (file) => !file.startsWith('base/pattern/') && /\bRegExp\(/.test(textOf(file)) && !own.includes(file),
    );
    expect(found).toEqual([]);
  });

  test('export by name, never by default or with `export *`', () => {
    const wrong: string[] = [];
    for (const file of files) {
      for (const statement of syntaxOf(file).statements) {
        const wholesale = ts.isExportDeclaration(statement) && statement.exportClause === undefined;
        const standard =
          ts.isExportAssignment(statement) ||
          (ts.canHaveModifiers(statement) &&
            ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) === true);
        if (wholesale || standard) wrong.push(`${file}: ${statement.getText().split('\n', 1)[0]}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test(`are at most ${longest} lines long, unless their first comment gives a reason (“Length: …”)`, () => {
    const wrong = files.filter((file) => textOf(file).split('\n').length > longest && !/\bLength: /.test(header(file)));
    expect(wrong).toEqual([]);
  });
});

/** The comment with which a file begins. */
function header(file: string): string {
  const text = textOf(file);
  const ranges = ts.getLeadingCommentRanges(text, 0) ?? [];
  return ranges.map(({ pos, end }) => text.slice(pos, end)).join('\n');
}

describe('the tests', () => {
  const testFolder = dirname(fileURLToPath(import.meta.url));
  const testFiles = readdirSync(testFolder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => file.split('\\').join('/'));
  /** Folders of tests that are about more than one folder of src. */
  const others = /^(?:attack|bench|browser|conformance|docs|editors|external|fuzz|grammar|web)\//;

  test('are in folders that exist in src, including sub-folders', () => {
    const folders = new Set(files.map((file) => posix.dirname(file)));
    const ways = [...folders].flatMap((folder) => [folder, posix.dirname(folder)]);
    const wrong = testFiles.filter(
      (file) => file.includes('/') && !others.test(file) && !ways.includes(posix.dirname(file)),
    );
    expect(wrong).toEqual([]);
  });

  test('are in the folder of the source file whose name they have', () => {
    const wrong = testFiles.filter((file) => {
      const name = posix.basename(file).replace(/(?:\.(?:long|property))?\.test\.ts$/, '.ts');
      const room = posix.dirname(file).split('/').slice(0, 2).join('/');
      const namesakes = files.filter((one) => one.startsWith(`${room}/`) && posix.basename(one) === name);
      return namesakes.length > 0 && !namesakes.includes(posix.join(posix.dirname(file), name));
    });
    expect(wrong).toEqual([]);
  });
});
