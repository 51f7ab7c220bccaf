import { readFile } from 'node:fs/promises';
import { type CliCommand, UsageError } from '../terminal/command.js';
import { type CliIo, exitCodes, usesColor } from '../terminal/io.js';

const help = `
Without files it prints the page of a diagnostic, by code or by name. With the files of a
topology it says where a part of the API comes from, by which rule, and what else was made
of it. A part is named by its coordinate, its route, its operation or its node.

Examples:
  $ gg-svc explain GG3001
  $ gg-svc explain type-name-collision    the name of a diagnostic does as well
  $ gg-svc explain Query.readUser service.gg
  $ gg-svc explain GET /api/readUser service.gg
  $ gg-svc explain User.email 'topologies/*.gg'`;

/** `gg-svc explain`: prints the page of a diagnostic code, or says where a part of the API comes from. */
export const explainCommand: CliCommand = {
  usage: 'explain <what...>',
  summary: 'say what a diagnostic means, or where a part of the API comes from',
  define: (command) => {
    command.addHelpText('after', help);
  },
  async run(operands, _options, io) {
    const { subject, files } = splitOperands(operands);
    if (files.length === 0) return explainCode(subject, io);
    if (/^GG\d{4}$/i.test(subject)) throw new UsageError(`${subject} is a diagnostic; it takes no files.`);
    return explainPart(subject, files, io);
  },
};

/** `GET /api/a x.gg` and `'GET /api/a' x.gg` are the same. */
function splitOperands(operands: readonly string[]): { subject: string; files: readonly string[] } {
  const [first = '', second, ...rest] = operands;
  if (/^[A-Za-z]+$/.test(first) && second?.startsWith('/api/') === true) {
    return { subject: `${first} ${second}`, files: rest };
  }
  return { subject: first, files: operands.slice(1) };
}

async function explainCode(wanted: string, io: CliIo): Promise<number> {
  const { diagnosticCodes } = await import('../../diagnostics/codes.js');
  const known = Object.entries(diagnosticCodes);
  const found = known.find(
    ([code, { name }]) => code === wanted.toUpperCase() || name === wanted.toLowerCase(),
  );
  if (found === undefined) {
    if (/[./(]/.test(wanted)) {
      throw new UsageError(
        `to say where ${wanted} comes from, the files of the topology are needed: ` +
          `gg-svc explain ${quoted(wanted)} service.gg`,
      );
    }
    const { createSuggester } = await import('../../graph/suggest.js');
    const names = known.flatMap(([code, { name }]) => [code, name]);
    const suggestion = createSuggester(names).nearest(wanted);
    const advice = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
    io.stderr(`error: there is no diagnostic ${wanted}.${advice}\n`);
    return exitCodes.usage;
  }
  const { renderPage } = await import('../terminal/render-page.js');
  const page = await readFile(new URL(`docs/diagnostics/${found[0]}.md`, io.packageRoot), 'utf8');
  io.stdout(renderPage(page, usesColor(io.env, io.stdoutIsTerminal)));
  return exitCodes.fine;
}

async function explainPart(wanted: string, files: readonly string[], io: CliIo): Promise<number> {
  const { readTopology } = await import('../files/read-topology.js');
  const { hasErrors } = await import('../../diagnostics/diagnostic.js');
  const { joinLayers } = await import('../../join-layers.js');
  const { federationFragment } = await import('../../federation/fragment.js');
  const topology = await readTopology(files, io);
  const { sources } = topology;
  if (hasErrors(topology.diagnostics)) {
    const { reportFindings } = await import('../terminal/report-findings.js');
    reportFindings(topology.diagnostics, sources, io);
    return exitCodes.findings;
  }
  // Pointers are those of the files that `build` writes; a topology that clashes with the layer is built without it.
  const joined = joinLayers(topology, [federationFragment]);
  const { schema } = hasErrors(joined.diagnostics) ? topology : joined;
  const { findSubject } = await import('../../provenance/find-subject.js');
  const subject = findSubject(schema, wanted);
  if (!subject.found) {
    const advice = subject.suggestion === undefined ? '' : ` Did you mean ${subject.suggestion}?`;
    io.stderr(`error: ${subject.reason}${advice}\n`);
    return exitCodes.usage;
  }
  const { explain } = await import('../../provenance/explain.js');
  const { schemaToOpenAPI } = await import('../../emit/openapi.js');
  const { schemaToCollection } = await import('../../emit/collection.js');
  const { withDefaults } = await import('../../compile.js');
  const { renderExplanation } = await import('./render-explanation.js');
  const { title, collectionName, baseUrl } = withDefaults({});
  const documents = {
    openapi: schemaToOpenAPI(schema, title),
    collection: schemaToCollection(schema, collectionName, baseUrl),
  };
  const color = usesColor(io.env, io.stdoutIsTerminal);
  const explanations = explain(schema, documents, subject.coordinates);
  io.stdout(explanations.map((explanation) => renderExplanation(explanation, sources, color)).join('\n'));
  return exitCodes.fine;
}

function quoted(subject: string): string {
  return /[\s()]/.test(subject) ? `'${subject}'` : subject;
}
