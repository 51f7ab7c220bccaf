import { withSvcSpan } from '../../base/tracing/svc-tracing.js';
import { type Analysis, type AnalyzeOptions, analyzeDocuments, readDocuments } from '../../compiler/analyze.js';
import type { GqlApiInfo } from '../../compiler/schema/gql-schema.js';
import type { ImportOptions } from './import-reach.js';
import { createTopologyLoader, type TopologyInput, type TopologyLoader } from './load-topologies.js';
import { importOf } from './read-topology.js';

/** The maximum number of rounds of fetching: the depth of imports behind URLs. */
const maxRounds = 64;

/**
 * Reads a topology from its files and projects it: `analyze` with files, globs and URLs as inputs. The answer is a
 * promise only when the topology, or an import in it, is behind a URL. User mistakes never throw or reject.
 */
export function analyzeTopologies(
  inputs: readonly TopologyInput[],
  loader: TopologyLoader = createTopologyLoader(),
  options: Pick<AnalyzeOptions, 'strict' | 'info'> = {},
): Analysis | Promise<Analysis> {
  const read = () => {
    const { value, diagnostics } = loader.load(inputs);
    const readImport = (path: string, importer: string) => importOf(loader.read(path, importer));
    return { files: readDocuments(value, { readImport }, loader.parse), diagnostics };
  };
  const analyze = ({ files, diagnostics }: ReturnType<typeof read>): Analysis => {
    const analysis = analyzeDocuments(files, options);
    // Without one of its files, a topology lacks nodes everywhere, so only the missing file is reported.
    return diagnostics.length > 0 ? { ...analysis, diagnostics } : analysis;
  };
  // The compiler reads imports synchronously, so they are read again after each round of fetching.
  const fetchFirst = async (): Promise<Analysis> => {
    for (let round = 1; ; round++) {
      await loader.fetchMissing();
      const reading = read();
      if (loader.missing.size === 0 || round === maxRounds) return analyze(reading);
    }
  };
  return withSvcSpan('gg.analyze', () => {
    const reading = read();
    return loader.missing.size === 0 ? analyze(reading) : fetchFirst();
  });
}

/** The analysis of the topology of a server, which may be analyzed already. */
export function analysisOf(
  topologies: readonly TopologyInput[] | Analysis,
  imports: ImportOptions | undefined,
  info: GqlApiInfo | undefined,
): Analysis | Promise<Analysis> {
  if (!('ir' in topologies)) {
    return analyzeTopologies(topologies, createTopologyLoader(undefined, imports), info && { info });
  }
  return info === undefined ? topologies : { ...topologies, schema: { ...topologies.schema, info } };
}
