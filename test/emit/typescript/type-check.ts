import { resolve } from 'node:path';
import ts from 'typescript';

const { options: ownOptions } = ts.parseJsonConfigFileContent(
  ts.readConfigFile('tsconfig.json', ts.sys.readFile).config,
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

/** The files that were read before, by the options they were read for: declarations of packages are most of the work. */
const known = new Map<ts.CompilerOptions, Map<string, ts.SourceFile | undefined>>();

/**
 * Type-checks files of the repository, some of them with another text than they have or without being there.
 *
 * @returns What the compiler has to say of them: `file:line message`.
 */
export function typeCheck(
  paths: readonly string[],
  texts: Readonly<Record<string, string>> = {},
  options: ts.CompilerOptions = strictest,
): string[] {
  const given = new Map(Object.entries(texts).map(([path, text]) => [resolve(path), text]));
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  const sources = known.get(options) ?? new Map<string, ts.SourceFile | undefined>();
  known.set(options, sources);
  host.fileExists = (path) => given.has(path) || fileExists.call(host, path);
  host.readFile = (path) => given.get(path) ?? readFile.call(host, path);
  host.getSourceFile = (path, version, ...rest) => {
    const text = given.get(path);
    if (text !== undefined) return ts.createSourceFile(path, text, version);
    if (!sources.has(path)) sources.set(path, getSourceFile.call(host, path, version, ...rest));
    return sources.get(path);
  };
  const program = ts.createProgram(
    paths.map((path) => resolve(path)),
    options,
    host,
  );
  return paths.flatMap((path) => {
    const file = program.getSourceFile(resolve(path));
    const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return found.map(({ start, messageText }) => {
      const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1;
      return `${path}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
  });
}
