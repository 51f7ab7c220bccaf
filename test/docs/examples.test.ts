import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { compile } from '../../src/compiler/compile.js';
import { createProgram } from '../compiler/emit/typescript/type-check.js';
import { codeBlocks } from './markdown.js';

interface Example {
  /** The file and the line of the block. */
  readonly place: string;
  readonly text: string;
}

const pages = ['README.md', ...globSync('docs/**/*.md').filter((file) => !/diagnostics\/GG/.test(file))];

/** The `ts` blocks of the pages, and of the comments in the sources. */
const examples: readonly Example[] = [
  ...pages.flatMap((file) => blocksOf(file, readFileSync(file, 'utf8'))),
  ...globSync('src/**/*.ts').flatMap((file) => blocksOf(file, commentsOf(readFileSync(file, 'utf8')))),
];

function blocksOf(file: string, markdown: string): Example[] {
  return codeBlocks(markdown)
    .filter(({ language }) => language === 'ts')
    .map(({ text, line }) => ({ place: `${file}:${line}`, text }));
}

/** A source with everything blanked but the text of its doc comments, line by line. */
function commentsOf(source: string): string {
  const lines = source.split('\n').map(() => '');
  for (const match of source.matchAll(/^[ ]*\/\*\*\n([\s\S]*?)\*\//gm)) {
    const first = source.slice(0, match.index).split('\n').length;
    for (const [at, line] of (match[1] as string).split('\n').entries()) {
      lines[first + at] = line.replace(/^ *\* ?/, '');
    }
  }
  return lines.join('\n');
}

const options: ts.CompilerOptions = {
  ...ts.parseJsonConfigFileContent(
    ts.readConfigFile('tsconfig.base.json', ts.sys.readFile).config,
    ts.sys,
    process.cwd(),
  ).options,
  // An example shows what a name is for; it need not use all that it makes.
  noUnusedLocals: false,
  noUnusedParameters: false,
  paths: { 'gg-svc': [resolve('src/index.ts')], 'gg-svc/*': [resolve('src/*.ts')] },
};

/** The sources of the entry points that package.json exports. */
const entryPoints = Object.values(packageJson.exports)
  .flatMap((entry) => (typeof entry === 'string' ? [] : [entry.default]))
  .map((file) => resolve(file.replace('./dist/', 'src/').replace(/\.js$/, '.ts')));

/** The examples as modules of the root folder, beside the types of the shipped topology. */
const modules = {
  ...Object.fromEntries(examples.map(({ text }, at) => [pathOf(at), `${text}\nexport {};\n`])),
  'service.types.ts': readFileSync('docs/examples/service.types.ts', 'utf8'),
};

function pathOf(at: number): string {
  return resolve(`example-${at}.mts`);
}

describe('the examples in the text and in the comments', () => {
  let program: ts.Program;
  beforeAll(() => {
    program = createProgram([...Object.keys(modules), ...entryPoints], modules, options);
  });

  it('the pages and comments have examples', () => {
    expect(examples.length).toBeGreaterThan(5);
  });

  it.each(examples.map(({ place }, at) => [place, at] as const))('%s has the right types', (_place, at) => {
    const file = program.getSourceFile(pathOf(at));
    const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  });

  it('each function of the public API has an example', () => {
    const checker = program.getTypeChecker();
    const without = entryPoints
      .flatMap((path) => {
        const entry = program.getSourceFile(path);
        const symbol = entry === undefined ? undefined : checker.getSymbolAtLocation(entry);
        if (symbol === undefined) throw new Error(`${path} exports nothing`);
        return checker.getExportsOfModule(symbol);
      })
      .map((exported) => (exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported))
      .filter(({ flags }) => flags & ts.SymbolFlags.Function)
      .filter((fn) => !fn.declarations?.some((one) => /^ \* @example$/m.test(one.getFullText())))
      .map(({ name }) => name);
    expect(without).toEqual([]);
  });
});

describe('the topologies in the text', () => {
  const topologies = pages.flatMap((file) => {
    const blocks = codeBlocks(readFileSync(file, 'utf8')).filter(({ language }) => language === 'gg');
    const files = new Map(
      blocks.filter(({ info }) => info.startsWith('file=')).map(({ info, text }) => [info.slice('file='.length), text]),
    );
    return blocks
      .filter(({ info }) => info === '')
      .map(({ text, line }) => ({ place: `${file}:${line}`, text, files }));
  });

  it('the pages have topologies', () => {
    expect(topologies.length).toBeGreaterThan(10);
  });

  it.each(topologies)('$place compiles without a warning', ({ place, text, files }) => {
    const readImport = (path: string) => files.get(path);
    const { diagnostics } = compile({ name: 'main.gg', source: text }, { readImport });
    const found = diagnostics.filter(({ severity }) => severity !== 'information');
    expect(found.map(({ code, message }) => `${place}: ${code} ${message}`)).toEqual([]);
  });
});
