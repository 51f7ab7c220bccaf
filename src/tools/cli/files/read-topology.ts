import { type Analysis, joinLayers } from '../../../compiler/analyze.js';
import { federationFragment } from '../../../compiler/federation-fragment.js';
import type { GqlSecurityScheme } from '../../../compiler/schema/gql-schema.js';
import type { AuthConfig } from '../../../runtime/auth/auth-config.js';
import { analyzeTopologies } from '../../../runtime/load/analyze-topologies.js';
import { createTopologyLoader, diskFiles } from '../../../runtime/load/load-topologies.js';
import { decodeTopology, topologyLimit } from '../../../runtime/load/read-topology.js';
import { stdinName } from '../../../runtime/load/user-module.js';
import type { CliOptions } from '../terminal/command.js';
import type { CliIo } from '../terminal/io.js';

/** Reads and analyzes a topology with the metadata of the project; `-` is standard input. Problems are diagnostics. */
export async function readTopology(
  files: readonly string[],
  io: CliIo,
  { strict, project }: CliOptions = {},
  loader = createTopologyLoader(diskFiles(io.directory), project?.imports),
): Promise<Analysis> {
  const stdin = files.includes('-') ? decodeTopology(stdinName, await io.readStdin(topologyLimit.bytes)) : undefined;
  const inputs = [...new Set(files)].map((file) => {
    if (file !== '-' || stdin === undefined) return file;
    return { name: stdinName, source: stdin.ok ? stdin.text : '' };
  });
  const analysis = await analyzeTopologies(inputs, loader, {
    strict: strict === true,
    ...(project?.info && { info: project.info }),
    ...(project?.server?.auth && { security: schemesOfConfig(project.server.auth) }),
  });
  if (stdin === undefined || stdin.ok) return analysis;
  // Undecodable input was analyzed as an empty file, so the other diagnostics are meaningless.
  return { ...analysis, diagnostics: [stdin.problem] };
}

/** Adds the federation queries, which every server has, unless `--no-federation` is given. */
export function joinFederation(analysis: Analysis, options: CliOptions) {
  return joinLayers(analysis, options.federation === false ? [] : [federationFragment]);
}

/** The schemes of the settings, for documents. Commands that serve nothing load no authenticator for them. */
function schemesOfConfig({ jwt, apiKeys: keys }: AuthConfig): readonly GqlSecurityScheme[] {
  return [
    ...(jwt === undefined ? [] : [{ type: 'bearer', format: 'JWT' } as const]),
    ...(keys === undefined ? [] : [{ type: 'apiKey', header: keys.header ?? 'X-API-Key' } as const]),
  ];
}
