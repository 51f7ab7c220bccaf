import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { compile } from '../../src/compile.js';
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
    ts.readConfigFile('tsconfig.json', ts.sys.readFile).config,
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

/** Type-checks the examples as modules that lie in the root folder, without writing them there. */
function createProgram(): ts.Program {
  const texts = new Map(examples.map(({ text }, at) => [pathOf(at), `${text}\nexport {};\n`]));
  // The examples stand beside the types of the shipped topology.
  texts.set(resolve('service.types.ts'), readFileSync('docs/examples/service.types.ts', 'utf8'));
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  host.fileExists = (path) => texts.has(path) || fileExists.call(host, path);
  host.readFile = (path) => texts.get(path) ?? readFile.call(host, path);
  host.getSourceFile = (path, version, ...rest) => {
    const text = texts.get(path);
    if (text === undefined) return getSourceFile.call(host, path, version, ...rest);
    return ts.createSourceFile(path, text, version);
  };
  return ts.createProgram([...texts.keys(), ...entryPoints], options, host);
}

function pathOf(at: number): string {
  return resolve(`example-${at}.mts`);
}

describe('the examples in the text and in the comments', () => {
  let program: ts.Program;
  beforeAll(() => {
    program = createProgram();
  });

  it('are there', () => {
    expect(examples.length).toBeGreaterThan(5);
  });

  it.each(examples.map(({ place }, at) => [place, at] as const))('%s has the right types', (_place, at) => {
    const file = program.getSourceFile(pathOf(at));
    const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  });

  it('are given for every function of the public API', () => {
    const checker = program.getTypeChecker();
    const without = entryPoints
      .flatMap((path) => {
        const entry = program.getSourceFile(path);
        const symbol = entry === undefined ? undefined : checker.getSymbolAtLocation(entry);
        if (symbol === undefined) throw new Error(`${path} exports nothing`);
        return checker.getExportsOfModule(symbol);
      })
      .map((exported) =>
        exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported,
      )
      .filter(({ flags }) => flags & ts.SymbolFlags.Function)
      .filter((fn) => !fn.getJsDocTags(checker).some(({ name }) => name === 'example'))
      .map(({ name }) => name);
    expect(without).toEqual([]);
  });
});

describe('the topologies in the text', () => {
  const topologies = pages.flatMap((file) => {
    const blocks = codeBlocks(readFileSync(file, 'utf8')).filter(({ language }) => language === 'gg');
    const files = new Map(
      blocks
        .filter(({ info }) => info.startsWith('file='))
        .map(({ info, text }) => [info.slice('file='.length), text]),
    );
    return blocks
      .filter(({ info }) => info === '')
      .map(({ text, line }) => ({ place: `${file}:${line}`, text, files }));
  });

  it('are there', () => {
    expect(topologies.length).toBeGreaterThan(10);
  });

  it.each(topologies)('$place compiles without a warning', ({ place, text, files }) => {
    const readImport = (path: string) => files.get(path);
    const { diagnostics } = compile({ name: 'main.gg', source: text }, { readImport });
    const found = diagnostics.filter(({ severity }) => severity !== 'information');
    expect(found.map(({ code, message }) => `${place}: ${code} ${message}`)).toEqual([]);
  });
});
