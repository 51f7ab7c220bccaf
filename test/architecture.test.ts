import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

interface Area {
  /** Imports go to a lower floor, or stay in the area. */
  readonly floor: number;
  /** No files, no process, no clock, no random: what comes out depends on the arguments alone. */
  readonly pure: boolean;
  /** The packages that it may import; a trailing `/` allows a whole scope. */
  readonly packages: readonly string[];
}

/**
 * The house: each folder of `src`, and each file at its top, belongs to one area. A folder that is not
 * in this table may not exist.
 */
const house: Readonly<Record<string, Area>> = {
  source: { floor: 0, pure: true, packages: [] },
  diagnostics: { floor: 0, pure: true, packages: ['@babel/code-frame', 'picocolors'] },
  tracing: { floor: 0, pure: false, packages: ['@opentelemetry/'] },
  values: { floor: 0, pure: false, packages: [] },
  pattern: { floor: 0, pure: true, packages: [] },
  read: { floor: 1, pure: false, packages: [] },
  syntax: { floor: 1, pure: true, packages: ['chevrotain'] },
  format: { floor: 2, pure: true, packages: [] },
  graph: { floor: 2, pure: true, packages: [] },
  schema: { floor: 3, pure: true, packages: [] },
  'schema/flow-rules': { floor: 4, pure: true, packages: [] },
  api: { floor: 4, pure: true, packages: [] },
  emit: { floor: 5, pure: true, packages: ['openapi-types'] },
  'emit/typescript': { floor: 6, pure: true, packages: [] },
  diagram: { floor: 5, pure: true, packages: [] },
  federation: { floor: 5, pure: true, packages: ['@noble/', 'canonicalize'] },
  'federation/node': { floor: 6, pure: false, packages: [] },
  compile: { floor: 6, pure: true, packages: [] },
  diff: { floor: 7, pure: true, packages: ['picocolors'] },
  'import/draft': { floor: 7, pure: true, packages: [] },
  import: { floor: 8, pure: true, packages: ['graphql'] },
  provenance: { floor: 7, pure: true, packages: [] },
  site: { floor: 8, pure: true, packages: [] },
  load: { floor: 8, pure: false, packages: ['tinyglobby'] },
  limits: { floor: 8, pure: false, packages: ['graphql'] },
  scalars: { floor: 8, pure: false, packages: ['graphql', 'graphql-scalars'] },
  auth: { floor: 8, pure: false, packages: ['graphql', 'jose'] },
  brokers: { floor: 8, pure: false, packages: ['@nats-io/', 'ioredis', 'pg'] },
  logs: { floor: 8, pure: false, packages: ['pino'] },
  config: { floor: 9, pure: false, packages: [] },
  'execute/errors': { floor: 9, pure: false, packages: ['graphql'] },
  'execute/graphql-js': { floor: 0, pure: false, packages: ['graphql'] },
  execute: { floor: 9, pure: false, packages: ['@hyperjump/json-schema-formats', 'dataloader', 'graphql'] },
  repeats: { floor: 9, pure: false, packages: [] },
  hooks: { floor: 9, pure: false, packages: ['@apollo/', 'graphql', 'graphql-yoga'] },
  call: { floor: 10, pure: false, packages: ['graphql'] },
  'call/named': { floor: 11, pure: false, packages: ['graphql'] },
  'language-server': {
    floor: 10,
    pure: false,
    packages: ['@viz-js/viz', 'vscode-languageserver', 'vscode-languageserver-textdocument'],
  },
  'http/page': { floor: 12, pure: false, packages: [] },
  http: {
    floor: 12,
    pure: false,
    packages: ['@graphql-yoga/', 'graphql', 'graphql-yoga'],
  },
  'http/watch': { floor: 13, pure: false, packages: ['graphql'] },
  traffic: { floor: 13, pure: false, packages: ['rate-limiter-flexible'] },
  mcp: { floor: 13, pure: false, packages: ['@modelcontextprotocol/', 'graphql'] },
  server: { floor: 14, pure: false, packages: ['graphql'] },
  workflows: { floor: 15, pure: false, packages: ['openapi-types'] },
  studio: { floor: 15, pure: false, packages: ['@viz-js/viz'] },
  hosts: {
    floor: 15,
    pure: false,
    packages: ['@apollo/', 'express', 'fastify', 'graphql', 'graphql-ws', 'ws'],
  },
  'cli/terminal': { floor: 16, pure: false, packages: ['commander', 'picocolors'] },
  'cli/files': { floor: 17, pure: false, packages: ['@resvg/resvg-js', 'commander'] },
  'cli/serving': { floor: 18, pure: false, packages: ['chokidar', 'commander'] },
  cli: { floor: 19, pure: false, packages: ['@viz-js/viz', 'commander', 'picocolors'] },
  root: { floor: 20, pure: true, packages: [] },
};

/** The files at the top of `src` and the area each belongs to. */
const topFiles: Readonly<Record<string, string>> = {
  'analyze.ts': 'compile',
  'ast.ts': 'root',
  'channels.ts': 'root',
  'compile.ts': 'compile',
  'diff.ts': 'root',
  'federation.ts': 'root',
  'generate-schema.ts': 'compile',
  'index.ts': 'root',
  'join-layers.ts': 'compile',
  'schema.ts': 'root',
};

/** Two areas of one floor that may meet: the first may import the second. */
const neighbours: readonly (readonly [string, string])[] = [
  ['diagnostics', 'source'],
  // The loader of optional packages.
  ['auth', 'load'],
  ['brokers', 'load'],
  // The map of limited size.
  ['auth', 'limits'],
  // The errors that executions give.
  ['execute', 'execute/errors'],
  // The log of faults.
  ['brokers', 'logs'],
];

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

/** A room with more lines than this is to be split. */
const mostLinesOfRoom = 4500;

const drawers = /^(?:utils?|utilities|helpers?|common|misc|shared|lib|tools?)$/;
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

/** The files of `src` that a file imports. */
function localImportsOf(file: string): string[] {
  return (imports.get(file) ?? [])
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts'));
}

function areaOf(file: string): string {
  const [first = '', second = '', ...rest] = file.split('/');
  if (second === '') return topFiles[first] ?? first;
  return rest.length > 0 && Object.hasOwn(house, `${first}/${second}`) ? `${first}/${second}` : first;
}

function areaRules(file: string): Area | undefined {
  return Object.hasOwn(house, areaOf(file)) ? house[areaOf(file)] : undefined;
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

describe('the floors of src', () => {
  test('hold every file', () => {
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((file) => areaRules(file) === undefined)).toEqual([]);
  });

  test('are connected downwards only, and neighbours on one floor do not meet', () => {
    const wrong: string[] = [];
    for (const file of files) {
      for (const target of localImportsOf(file)) {
        const [from, to] = [areaOf(file), areaOf(target)];
        const allowed =
          from === to ||
          (areaRules(file)?.floor ?? -1) > (areaRules(target)?.floor ?? Number.POSITIVE_INFINITY) ||
          neighbours.some(([one, other]) => one === from && other === to);
        if (!allowed) wrong.push(`${file} imports ${target}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('import only the packages that their work needs', () => {
    const wrong: string[] = [];
    for (const file of files) {
      for (const specifier of imports.get(file) ?? []) {
        if (specifier.startsWith('.') || isBuiltin(specifier)) continue;
        const allowed = areaRules(file)?.packages.some((name) =>
          name.endsWith('/')
            ? specifier.startsWith(name)
            : specifier === name || specifier.startsWith(`${name}/`),
        );
        if (allowed !== true) wrong.push(`${file} imports ${specifier}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('import files that exist, by their whole name', () => {
    const wrong = files.flatMap((file) =>
      localImportsOf(file)
        .filter((target) => !texts.has(target))
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('have no circle of imports', () => {
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

  test('have no two folders that import each other, sub-folders included', () => {
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

  test(`have at most ${mostLinesOfRoom} lines each`, () => {
    const sizes = new Map<string, number>();
    for (const file of files) {
      const lines = textOf(file).split('\n').length - 1;
      sizes.set(areaOf(file), (sizes.get(areaOf(file)) ?? 0) + lines);
    }
    const sorted = [...sizes].sort(([, one], [, other]) => other - one);
    const total = sorted.reduce((sum, [, lines]) => sum + lines, 0);
    console.log([...sorted, ['all', total]].map(([room, lines]) => `${lines} ${room}`).join('\n'));
    expect(sorted.filter(([, lines]) => lines > mostLinesOfRoom)).toEqual([]);
  });
});

/**
 * The two folders that an import connects: those in which the paths of both files part. A file directly in the
 * folder where they part stands for that folder's own files; a file at the top of `src` for its area.
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
  return folders.length === 0 ? [areaOf(file)] : folders;
}

function isBuiltin(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(specifier);
}

describe('the pure floors', () => {
  const pure = files.filter((file) => areaRules(file)?.pure === true);

  test('import nothing of Node', () => {
    const wrong = pure.flatMap((file) =>
      (imports.get(file) ?? []).filter(isBuiltin).map((specifier) => `${file} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  test('use no clock, no random, no process and no network', () => {
    const wrong: string[] = [];
    for (const file of pure) {
      const tree = syntaxOf(file);
      walk(tree, (node) => {
        const named = ts.isIdentifier(node) && impureGlobals.has(node.text) && isReference(node);
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
  test('have names that say what is in them', () => {
    const wrong = files.filter((file) => file.split('/').some((part) => drawers.test(basename(part, '.ts'))));
    expect(wrong).toEqual([]);
  });

  test('keep the state of requests, answers and servers in fields, not in registries by object identity', () => {
    const allowed = new Set(['DocumentNode', 'ExecutionResult', 'WebSocket']);
    const rooms = files.filter((file) => /^(?:http|server|hosts)\//.test(file));
    const wrong = rooms.flatMap((file) =>
      [...textOf(file).matchAll(/new (?:WeakMap|WeakSet|Map)<\s*(\w+)/g)]
        .map(([, key]) => key as string)
        .filter((key) => /^[A-Z]|^object$/.test(key) && !allowed.has(key))
        .map((key) => `${file} has a registry by ${key}`),
    );
    expect(wrong).toEqual([]);
  });

  test('compile no regular expression that comes from outside, but for src/pattern', () => {
    /** Files that make an expression of words of their own. */
    const own = [
      'emit/collection/test-script.ts',
      'http/rest/route-table.ts',
      'import/openapi/race-types.ts',
      'load/fresh-modules.ts',
      'logs/redact.ts',
      'studio/redact-call.ts',
    ];
    const found = files.filter(
      (file) => areaOf(file) !== 'pattern' && /\bRegExp\(/.test(textOf(file)) && !own.includes(file),
    );
    expect(found).toEqual([]);
  });

  test('export by name: no default, and nothing wholesale', () => {
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
    const wrong = files.filter(
      (file) => textOf(file).split('\n').length > longest && !/\bLength: /.test(header(file)),
    );
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
  const others = /^(?:attack|bench|browser|conformance|docs|editors|external|grammar|web)\//;

  test('stand in folders that src has, sub-folders included', () => {
    const folders = new Set(files.map((file) => posix.dirname(file)));
    const ways = [...folders].flatMap((folder) => [folder, posix.dirname(folder)]);
    const wrong = testFiles.filter(
      (file) => file.includes('/') && !others.test(file) && !ways.includes(posix.dirname(file)),
    );
    expect(wrong).toEqual([]);
  });

  test('that are named after a file of src stand in the folder of that file', () => {
    const wrong = testFiles.filter((file) => {
      const name = posix.basename(file).replace(/(?:\.(?:long|property))?\.test\.ts$/, '.ts');
      const [area] = file.split('/');
      const namesakes = files.filter((one) => one.startsWith(`${area}/`) && posix.basename(one) === name);
      return namesakes.length > 0 && !namesakes.includes(posix.join(posix.dirname(file), name));
    });
    expect(wrong).toEqual([]);
  });
});
