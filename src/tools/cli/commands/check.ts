import type { Diagnostic } from '../../../base/diagnostics/diagnostic.js';
import { expiredNames } from '../../../compiler/api/old-names.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { createTools } from '../../../runtime/mcp/toolset/create-tools.js';
import { estimateTokens } from '../../../runtime/mcp/toolset/estimate-tokens.js';
import { joinFederation, readTopology } from '../files/read-topology.js';
import { type CliCommand, choice, type Invocation } from '../terminal/command.js';
import { count, countProjection } from '../terminal/count.js';
import { exitCodes } from '../terminal/io.js';
import { readNumber } from '../terminal/option-values.js';

export const command: CliCommand = {
  doing: 'Checking',
  project: 'files',
  options: {
    // The names are repeated here so that the reporters are loaded only when needed.
    '-f, --format <format>': choice('output format', ['text', 'json', 'sarif', 'github']),
    '--all': 'show every finding as text, and not only the first of each code',
    '--strict': 'make everything without effect an error',
    '--max-warnings <count>': 'fail if there are more warnings',
    '--no-federation': 'allow the names of the federation queries',
  },
  async run(operands, options, io) {
    const maxWarnings =
      options.maxWarnings === undefined ? Number.POSITIVE_INFINITY : readNumber(options.maxWarnings, '--max-warnings');

    const topology = await readTopology(operands, io, options);
    const { sources, schema } = topology;
    // A server has the federation layer, so a name clash with it is an error here too.
    const joined = joinFederation(topology, options);
    const expired = expiredNames(schema, new Date().toISOString().slice(0, 10));
    const stored = await storeFindings(schema, { operands, options, io });
    const diagnostics = [...joined.diagnostics, ...expired, ...stored];
    const isText = options.format === 'text';
    if (!isText || diagnostics.length > 0) {
      const { reportFindings } = await import('../terminal/report-findings.js');
      reportFindings(diagnostics, sources, io, String(options.format), options.all === true);
    }

    if (diagnostics.some(({ severity }) => severity === 'error')) return exitCodes.findings;
    const warnings = diagnostics.filter(({ severity }) => severity === 'warning').length;
    if (warnings > maxWarnings) {
      io.stderr(`error: ${count(warnings, 'warning')}; --max-warnings allows ${maxWarnings}.\n`);
      return exitCodes.findings;
    }
    if (isText) {
      const findings = diagnostics.length === 0 ? ', no findings' : '';
      io.stdout(`${count(sources.length, 'file')} checked${findings} — ${countProjection(schema)}\n`);
      io.stdout(`MCP: ${toolCosts(schema)}\n`);
    }
    return exitCodes.fine;
  },
};

/** The findings about the tables of a project with a store, and about operations that nothing serves. */
async function storeFindings(schema: GqlSchema, started: Invocation): Promise<readonly Diagnostic[]> {
  if (started.options.project?.server?.store === undefined) return [];
  const [{ findStoreProblems }, { chooseModule }] = await Promise.all([
    import('../../../analysis/store/findings.js'),
    import('../serving/modules.js'),
  ]);
  // Resolvers may serve what the store does not. They are loaded by a server alone.
  const hasResolvers = chooseModule('resolvers', started).path !== undefined;
  return findStoreProblems(schema).filter(({ code }) => code !== 'GG7002' || !hasResolvers);
}

/** The cost of the tools for agents: `6 tools, about 2,300 tokens (chains); 27 tools, about 19,100 (operations)`. */
function toolCosts(schema: GqlSchema): string {
  const [chains, operations] = (['chains', 'operations'] as const).map((mode) => {
    const tools = createTools(schema, mode);
    const tokens = Math.max(10, Math.round(estimateTokens(tools) / 10) * 10);
    // `toLocaleString` loads the tables of all languages, which takes as long as compiling a small topology.
    return `${count(tools.length, 'tool')}, about ${String(tokens).replace(/\B(?=(?:\d{3})+$)/g, ',')}`;
  });
  return `${chains} tokens (chains); ${operations} (operations)`;
}
