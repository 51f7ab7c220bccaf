import { type Analysis, analyze } from '../../analyze.js';
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';
import { isUri } from './locations.js';
import type { TopologyFile } from './topology-file.js';

/** A topology, analysed as `gg-svc check` does, and its inputs. */
export interface AnalyzedTopology {
  readonly analysis: Analysis;
  readonly paths: readonly string[];
  /** The root, and the files that belong to it without being imported. */
  readonly inputs: readonly string[];
  /** The stamps of the files that were read; undefined for a missing file. */
  readonly stamps: ReadonlyMap<string, number | undefined>;
}

/** The source of the files of a topology. */
export interface FileSource {
  file(path: string): TopologyFile | undefined;
  /** The files that belong to a root without being imported. */
  companionsOf(root: string): readonly string[];
  /** Why a file of the topology of a root may not import another one. */
  refusal(path: string, importer: string, root: string): Diagnostic | undefined;
  /** The reason why an existing file cannot be read. */
  problem(path: string): Diagnostic | undefined;
}

/** Analyses the topology of a root. */
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
    readImport: (path, importer) =>
      files.refusal(path, importer, root) ?? read(path) ?? (isUri(path) ? notFetched : files.problem(path)),
  });
  // The server fetches no URL, so a topology that imports one is only checked for syntax.
  const isPartial = analysis.diagnostics.some(isNotFetched);
  const isCertain = (found: Diagnostic) => found.code.startsWith('GG1') || isNotFetched(found);
  return {
    analysis: isPartial ? { ...analysis, diagnostics: analysis.diagnostics.filter(isCertain) } : analysis,
    paths: analysis.sources.map(({ name }) => name),
    inputs,
    stamps,
  };
}

/** Whether all files are unchanged. */
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
