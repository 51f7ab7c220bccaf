import { resolve } from 'node:path';
import ts from 'typescript';

const { options: ownOptions } = ts.parseJsonConfigFileContent(
  ts.readConfigFile('tsconfig.base.json', ts.sys.readFile).config,
  ts.sys,
  process.cwd(),
);

/** What people switch on who want to hear of everything. */
export const strictest: ts.CompilerOptions = {
  ...ownOptions,
  skipLibCheck: true,
  noPropertyAccessFromIndexSignature: true,
  allowUnreachableCode: false,
  allowUnusedLabels: false,
  isolatedDeclarations: false,
  erasableSyntaxOnly: true,
};

/** The files that were read before: declarations of packages are most of the work. Tests that share modules share them. */
const known = new Map<string, ts.SourceFile | undefined>();

/** The latest program of each options: the next one with the same files need not look for what they import. */
const latest = new WeakMap<ts.CompilerOptions, ts.Program>();

/**
 * Makes a program of files of the repository, some of them with another text than they have or without being there.
 */
export function createProgram(
  paths: readonly string[],
  texts: Readonly<Record<string, string>>,
  options: ts.CompilerOptions,
): ts.Program {
  const given = new Map(Object.entries(texts).map(([path, text]) => [resolve(path), text]));
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  host.jsDocParsingMode = ts.JSDocParsingMode.ParseForTypeErrors;
  host.fileExists = (path) => given.has(path) || fileExists.call(host, path);
  host.readFile = (path) => given.get(path) ?? readFile.call(host, path);
  host.getSourceFile = (path, form, ...rest) => {
    const text = given.get(path);
    if (text !== undefined) return ts.createSourceFile(path, text, form);
    const key = `${path} ${JSON.stringify(form)}`;
    if (!known.has(key)) known.set(key, getSourceFile.call(host, path, form, ...rest));
    return known.get(key);
  };
  const roots = paths.map((path) => resolve(path));
  const program = ts.createProgram(roots, options, host, latest.get(options));
  latest.set(options, program);
  return program;
}

/**
 * Type-checks such files.
 *
 * @returns What the compiler has to say of them: `file:line message`.
 */
export function typeCheck(
  paths: readonly string[],
  texts: Readonly<Record<string, string>> = {},
  options: ts.CompilerOptions = strictest,
): string[] {
  const program = createProgram(paths, texts, options);
  return paths.flatMap((path) => {
    const file = program.getSourceFile(resolve(path));
    const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return found.map(({ start, messageText }) => {
      const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1;
      return `${path}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
  });
}
