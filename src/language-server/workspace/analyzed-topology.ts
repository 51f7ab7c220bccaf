import { type Analysis, analyze } from '../../analyze.js';
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';
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
  problem(path: string): Diagnostic | undefined;
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
  const analysis = analyze(sources, {
    readImport: (path) => read(path) ?? (isUri(path) ? notFetched : files.problem(path)),
  });
  // An editor fetches no URL, so what depends on one is not checked: only the syntax is.
  const isPartial = analysis.diagnostics.some(isNotFetched);
  const isCertain = (found: Diagnostic) => found.code.startsWith('GG1') || isNotFetched(found);
  return {
    analysis: isPartial ? { ...analysis, diagnostics: analysis.diagnostics.filter(isCertain) } : analysis,
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

const notFetched: Diagnostic = {
  ...diagnose('GG2001', { specifier: '' }, { file: '', start: 0, end: 0 }),
  severity: 'information',
  message: 'The language server does not fetch URLs, so it does not check this topology.',
  hint: 'Run gg-svc check: it fetches the file and checks everything.',
};

function isNotFetched({ message }: Diagnostic): boolean {
  return message === notFetched.message;
}
