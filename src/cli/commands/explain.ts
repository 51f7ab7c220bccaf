import { readFile } from 'node:fs/promises';
import { restPrefix } from '../../api/rest-routes.js';
import { type CliCommand, CommandFailure, UsageError } from '../terminal/command.js';
import { type CliIo, exitCodes, usesColor } from '../terminal/io.js';
import { didYouMean } from '../terminal/option-values.js';

const help = `
Without files: prints the page of a diagnostic, by code or by name. With files: prints where
in the topology a part of the API is defined, the mapping rule, and everything else that is
generated from it. Name the part by its coordinate, its route, its operation or its node.

Examples:
  $ gg-svc explain GG3001
  $ gg-svc explain type-name-collision
  $ gg-svc explain Query.readUser service.gg
  $ gg-svc explain GET /api/readUser service.gg
  $ gg-svc explain User.email 'topologies/*.gg'`;

/** `gg-svc explain`: prints the page of a diagnostic, or the origin of a part of the API. */
export const explainCommand: CliCommand = {
  usage: 'explain <what...>',
  summary: 'explain a diagnostic, or where a part of the API comes from',
  define: (command) => {
    command.addHelpText('after', help);
  },
  async run(operands, _options, io) {
    const { subject, files } = splitOperands(operands);
    if (files.length === 0) return explainCode(subject, io);
    if (/^GG\d{4}$/i.test(subject))
      throw new UsageError(`${subject} is a diagnostic; pass it without files.`);
    return explainPart(subject, files, io);
  },
};

/** `GET /api/a x.gg` and `'GET /api/a' x.gg` are the same. */
function splitOperands(operands: readonly string[]): { subject: string; files: readonly string[] } {
  const [first = '', second, ...rest] = operands;
  if (/^[A-Za-z]+$/.test(first) && second?.startsWith(restPrefix) === true) {
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
      const quoted = /[\s()]/.test(wanted) ? `'${wanted}'` : wanted;
      throw new UsageError(
        `Missing the files of the topology: pass them too, as in gg-svc explain ${quoted} service.gg`,
      );
    }
    const names = known.flatMap(([code, { name }]) => [code, name]);
    throw new UsageError(`Unknown diagnostic ${wanted}.${await didYouMean(wanted, names)}`);
  }
  const { renderPage } = await import('../terminal/render-page.js');
  const page = await readFile(new URL(`docs/diagnostics/${found[0]}.md`, io.packageRoot), 'utf8');
  io.stdout(renderPage(page, usesColor(io.env, io.stdoutIsTerminal)));
  return exitCodes.fine;
}

async function explainPart(wanted: string, files: readonly string[], io: CliIo): Promise<number> {
  const { hasErrors } = await import('../../diagnostics/diagnostic.js');
  const { joinFederation, readTopology } = await import('../files/read-topology.js');
  const topology = await readTopology(files, io);
  const { diagnostics, sources } = topology;
  if (hasErrors(diagnostics)) throw new CommandFailure(diagnostics, sources);
  // Positions in the documents are those of `build`. A topology that clashes with the federation layer is built without it.
  const joined = joinFederation(topology, {});
  const { schema } = hasErrors(joined.diagnostics) ? topology : joined;
  const { findSubject } = await import('../../provenance/find-subject.js');
  const subject = findSubject(schema, wanted);
  if (!subject.found) {
    const advice = subject.suggestion === undefined ? '' : ` Did you mean ${subject.suggestion}?`;
    throw new UsageError(`${subject.reason}${advice}`);
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
