import { type Analysis, type AnalyzeOptions, analyze } from '../analyze.js';
import { createTopologyLoader, type TopologyInput, type TopologyLoader } from './load-topologies.js';
import { importOf } from './read-topology.js';

/** The maximum number of rounds of fetching: the depth of imports behind URLs. */
const maxRounds = 64;

/**
 * Reads a topology from its files and projects it: `analyze` with files, globs and URLs as inputs. The answer is a
 * promise only when the topology, or an import in it, is behind a URL. User mistakes never throw or reject.
 *
 * @param inputs - Paths, globs, URLs and texts.
 * @param loader - Reads the files; default: from the disk, relative to the working directory.
 * @param options - How strictly to judge the topology, and the metadata of its API.
 */
export function analyzeTopologies(
  inputs: readonly TopologyInput[],
  loader: TopologyLoader = createTopologyLoader(),
  options: Pick<AnalyzeOptions, 'strict' | 'info'> = {},
): Analysis | Promise<Analysis> {
  const attempt = (): Analysis => {
    const { value, diagnostics } = loader.load(inputs);
    const analysis = analyze(value, {
      ...options,
      readImport: (path, importer) => importOf(loader.read(path, importer)),
    });
    // Without one of its files, a topology lacks nodes everywhere, so only the missing file is reported.
    return diagnostics.length > 0 ? { ...analysis, diagnostics } : analysis;
  };
  // The compiler reads imports synchronously, so it runs again after each round of fetching.
  const retry = async (): Promise<Analysis> => {
    for (let round = 1; ; round++) {
      await loader.fetchMissing();
      const analysis = attempt();
      if (loader.missing.size === 0 || round === maxRounds) return analysis;
    }
  };
  const analysis = attempt();
  return loader.missing.size === 0 ? analysis : retry();
}
