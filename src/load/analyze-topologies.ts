import { type Analysis, analyze } from '../analyze.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { resolveImportPath } from '../graph/import-path.js';
import { createTopologyLoader, type TopologyInput, type TopologyLoader } from './load-topologies.js';

/** How many times imports of imports behind URLs are followed. */
const maxRounds = 64;

/**
 * Reads a topology from its files and projects it: `analyze` with the files, globs and URLs behind it, and
 * with what cannot be read among its diagnostics. The answer is there at once, or a promise when the
 * topology, or an import in it, is behind a URL. Never throws or rejects for what a user wrote.
 *
 * @param inputs - Paths, globs, URLs and texts.
 * @param directory - What relative paths are relative to; the working directory unless given.
 */
export function analyzeTopologies(
  inputs: readonly TopologyInput[],
  directory?: string,
): Analysis | Promise<Analysis> {
  return analyzeLoaded(inputs, createTopologyLoader(directory));
}

/** The same with files that come from elsewhere than the disk: from a revision, for instance. */
export function analyzeLoaded(
  inputs: readonly TopologyInput[],
  loader: TopologyLoader,
): Analysis | Promise<Analysis> {
  const analysis = attempt(inputs, loader);
  return loader.missing.size === 0 ? analysis : fetchAndAttempt(inputs, loader);
}

/** The compiler asks for imports and cannot wait; so what it lacked is fetched, and it is asked again. */
async function fetchAndAttempt(inputs: readonly TopologyInput[], loader: TopologyLoader): Promise<Analysis> {
  for (let round = 1; ; round++) {
    await loader.fetchMissing();
    const analysis = attempt(inputs, loader);
    if (loader.missing.size === 0 || round === maxRounds) return analysis;
  }
}

function attempt(inputs: readonly TopologyInput[], loader: TopologyLoader): Analysis {
  const { value, diagnostics } = loader.load(inputs);
  const analysis = analyze(value, { readImport: (path) => loader.readImport(path) });
  // Without one of its files a topology lacks nodes everywhere; only the file is worth a word then.
  if (diagnostics.length > 0) return { ...analysis, diagnostics };
  return {
    ...analysis,
    diagnostics: analysis.diagnostics.map((found) => explainImport(found, analysis, loader)),
  };
}

/** To the compiler an import is there or not. Where the file is there but has no text, the loader knows why. */
function explainImport(found: Diagnostic, { ast }: Analysis, loader: TopologyLoader): Diagnostic {
  if (found.code !== 'GG2001') return found;
  const { file, start } = found.span;
  const document = ast.documents.find((candidate) => candidate.file.name === file);
  const statement = document?.statements.find(
    (candidate) => candidate.kind === 'Import' && candidate.specifierStart === start,
  );
  if (statement?.kind !== 'Import') return found;
  return loader.importProblem(resolveImportPath(file, statement.specifier), found.span) ?? found;
}
