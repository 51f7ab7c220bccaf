import type { Analysis } from '../../analyze.js';
import { analyzeTopologies } from '../../load/analyze-topologies.js';
import { createTopologyLoader, diskFiles, type TopologyInput } from '../../load/load-topologies.js';
import { decodeTopology, type Reading } from '../../load/read-topology.js';
import type { CliIo } from '../terminal/io.js';

/** What diagnostics call standard input. */
const stdinName = '<stdin>';

/**
 * Reads the topology that a command was given: paths, patterns and URLs as a server takes them, and `-`
 * for standard input. It never throws on what a user wrote; what cannot be read is a diagnostic.
 */
export async function readTopology(files: readonly string[], io: CliIo): Promise<Analysis> {
  const stdin = files.includes('-') ? decodeTopology(stdinName, await io.readStdin()) : undefined;
  const inputs = [...new Set(files)].map((file): TopologyInput => {
    if (file !== '-' || stdin === undefined) return file;
    return { name: stdinName, source: stdin.ok ? stdin.text : '' };
  });
  const analysis = await analyzeTopologies(inputs, createTopologyLoader(diskFiles(io.directory)));
  return stdin === undefined ? analysis : withProblemOf(stdin, analysis);
}

/** Text that could not be decoded was read as empty, so nothing else that was found means anything. */
function withProblemOf(stdin: Reading, analysis: Analysis): Analysis {
  if (stdin.ok) return analysis;
  return { ...analysis, diagnostics: [stdin.problem] };
}
