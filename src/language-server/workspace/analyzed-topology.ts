import { type Analysis, analyze } from '../../analyze.js';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import { resolveImportPath } from '../../graph/import-path.js';
import type { ImportDeclaration } from '../../syntax/ast.js';
import { isUri } from './locations.js';
import type { TopologyFile } from './topology-file.js';

/** A topology, compiled as `gg-svc check` would, and what it was compiled from. */
export interface AnalyzedTopology {
  readonly analysis: Analysis;
  /** The paths of its files. */
  readonly paths: readonly string[];
  /** The files that it was compiled from: the root, and those that it takes along. */
  readonly inputs: readonly string[];
  /** The files that were asked for, with the stamps they had; a file that was not there has none. */
  readonly stamps: ReadonlyMap<string, number | undefined>;
}

/** Where the files of a topology come from. */
export interface FileSource {
  file(path: string): TopologyFile | undefined;
  /** The files that a root takes along without importing them. */
  companionsOf(root: string): readonly string[];
  /** Why a file that is there cannot be read. */
  problem(path: string): { readonly problem: (place: Diagnostic['span']) => Diagnostic } | undefined;
}

/** Compiles the topology of a root. */
export function analyzeTopology(root: string, files: FileSource): AnalyzedTopology {
  const stamps = new Map<string, number | undefined>();
  const read = (path: string): string | undefined => {
    const file = files.file(path);
    stamps.set(path, file?.stamp);
    return file?.source;
  };
  const inputs = [root, ...files.companionsOf(root)];
  const sources = inputs.map((name) => ({ name, source: read(name) ?? '' }));
  const analysis = analyze(sources, { readImport: read });
  return {
    analysis: { ...analysis, diagnostics: explainImports(analysis, files) },
    paths: analysis.sources.map(({ name }) => name),
    inputs,
    stamps,
  };
}

/** Whether all files are still as they were. */
export function isCurrent(
  { inputs: [root = '', ...others], stamps }: AnalyzedTopology,
  files: FileSource,
): boolean {
  if (files.companionsOf(root).join('\n') !== others.join('\n')) return false;
  return [...stamps].every(([path, stamp]) => files.file(path)?.stamp === stamp);
}

/**
 * To the compiler an import is there or not. Where the file is there but has no text, that is said. What
 * is behind a URL is not fetched by an editor, so nothing is held against it, nor against the rest, which
 * may depend on it.
 */
function explainImports({ ast, diagnostics }: Analysis, files: FileSource): readonly Diagnostic[] {
  const imports = new Map<string, ImportDeclaration>();
  for (const { file, statements } of ast.documents) {
    for (const statement of statements) {
      if (statement.kind === 'Import') imports.set(`${file.name}\n${statement.specifierStart}`, statement);
    }
  }
  const pathOf = ({ code, span }: Diagnostic): string | undefined => {
    const statement = code === 'GG2001' ? imports.get(`${span.file}\n${span.start}`) : undefined;
    return statement && resolveImportPath(span.file, statement.specifier);
  };
  const explained = diagnostics.map((found) => {
    const path = pathOf(found);
    return (path === undefined ? undefined : files.problem(path)?.problem(found.span)) ?? found;
  });
  const remote = diagnostics.filter((found) => isUri(pathOf(found) ?? ''));
  if (remote.length === 0) return explained;
  return [
    ...explained.filter(({ code }) => code.startsWith('GG1')),
    ...remote.map((found) => ({ ...found, ...notFetched })),
  ];
}

const notFetched = {
  severity: 'information',
  message: 'The language server does not fetch what is behind a URL, so this topology is not checked here.',
  hint: 'gg-svc check fetches it and checks the whole.',
} as const;
