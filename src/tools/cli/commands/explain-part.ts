import pc from 'picocolors';
import { type ArtifactPart, type Explanation, explain } from '../../../analysis/provenance/explain.js';
import { findSubject } from '../../../analysis/provenance/find-subject.js';
import { hasErrors } from '../../../base/diagnostics/diagnostic.js';
import { renderFrame } from '../../../base/diagnostics/render/frame.js';
import { lineMapOf, type SourceFile } from '../../../base/source/source-file.js';
import { describePlace } from '../../../base/source/span.js';
import { operationCoordinate } from '../../../compiler/api/operation-coordinate.js';
import { withDefaults } from '../../../compiler/compile.js';
import { schemaToCollection } from '../../../compiler/emit/collection.js';
import { schemaToOpenAPI } from '../../../compiler/emit/openapi.js';
import { appendTo } from '../../../compiler/graph/maps.js';
import { allOperations, type GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { isStored } from '../../../compiler/schema/schema-index.js';
import type { Store } from '../../../runtime/store/store.js';
import { joinFederation, readTopology } from '../files/read-topology.js';
import { type CliOptions, CommandFailure, UsageError } from '../terminal/command.js';
import { type CliIo, exitCodes, usesColor } from '../terminal/io.js';
import { reflow } from '../terminal/reflow.js';

export async function explainPart(wanted: string, files: readonly string[], options: CliOptions, io: CliIo) {
  const topology = await readTopology(files, io, options);
  const { diagnostics, sources } = topology;
  if (hasErrors(diagnostics)) throw new CommandFailure(diagnostics, sources);
  // Positions in the documents are those of `build`. A topology that clashes with the federation layer is built without it.
  const joined = joinFederation(topology, options);
  const { schema } = hasErrors(joined.diagnostics) ? topology : joined;
  const subject = findSubject(schema, wanted);
  if (!subject.found) {
    const advice = subject.suggestion === undefined ? '' : ` Did you mean ${subject.suggestion}?`;
    throw new UsageError(`${subject.reason}${advice}`);
  }
  const { title, collectionName, baseUrl } = withDefaults({ ...(schema.info && { info: schema.info }) });
  const documents = {
    openapi: schemaToOpenAPI(schema, title),
    collection: schemaToCollection(schema, collectionName, baseUrl),
  };
  const color = usesColor(io.env, io.stdoutIsTerminal);
  const explanations = explain(schema, documents, subject.coordinates);
  const statements = await statementsOf(schema, subject.coordinates, options.engine as Store['engine']);
  const broken = (text: string) => reflow(text, io.stdoutColumns);
  const shown = explanations.map((explanation) => renderExplanation(explanation, sources, color, broken));
  io.stdout([...shown, ...statements].join('\n'));
  return exitCodes.fine;
}

/** The statements of the operations among coordinates that a store serves. */
async function statementsOf(schema: GqlSchema, coordinates: readonly string[], engine: Store['engine']) {
  const operations = allOperations(schema).filter(
    (operation) => operation.kind !== 'subscription' && coordinates.includes(operationCoordinate(operation)),
  );
  if (!schema.objects.some(isStored) || operations.length === 0) return [];
  const { storeStatements } = await import('../../../runtime/server/store-statements.js');
  const texts: string[] = [];
  for (const operation of operations) {
    const statements = await storeStatements(schema, operation, engine);
    if (statements.length === 0) continue;
    const title = `${operationCoordinate(operation)} in ${engineTitles[engine]}, with all arguments and the default fields:`;
    texts.push(`${[title, ...statements.map((statement) => `  ${statement};`)].join('\n')}\n`);
  }
  return texts;
}

const engineTitles: Readonly<Record<Store['engine'], string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

const mostParts = 12;

/** Renders an explanation for a terminal: source frames, the mapping rule, and the generated parts. */
function renderExplanation(
  { coordinate, signature, access, rule, places, parts }: Explanation,
  sources: readonly SourceFile[],
  color: boolean,
  broken: (text: string) => string,
): string {
  const colors = pc.createColors(color);
  const paint = { gutter: colors.dim, marker: colors.cyan };
  const maps = sources.map(lineMapOf);
  const lines = [
    broken(`${colors.bold(coordinate)}  ${colors.dim(signature)}`),
    ...(access ? [broken(access)] : []),
    '',
  ];
  for (const { span, what } of places) {
    const source = sources.find(({ name }) => name === span.file);
    if (source === undefined) throw new Error(`invariant: ${span.file} is not among the sources`);
    const place = `${colors.dim('-->')} ${describePlace(maps, span)}`;
    lines.push(`from ${what}`, ` ${place}`, renderFrame(source, span, paint), '');
  }
  lines.push(broken(`rule: ${rule.text}`), `      ${colors.dim(rule.page)}`);
  const rows = listParts(parts).map(([artifact, at]) => broken(`  ${colors.dim(artifact.padEnd(width))}  ${at}`));
  if (rows.length > 0) lines.push('', 'Generated from it:', ...rows);
  return `${lines.join('\n')}\n`;
}

const width = 'collection.json'.length;

function listParts(parts: readonly ArtifactPart[]): [string, string][] {
  const byArtifact = new Map<string, ArtifactPart[]>();
  for (const part of parts) appendTo(byArtifact, part.artifact, part);
  return [...byArtifact].flatMap(([artifact, list]) => {
    const rows = list.slice(0, mostParts).map((part): [string, string] => [artifact, describePart(part)]);
    if (list.length > mostParts) rows.push([artifact, `… and ${list.length - mostParts} more`]);
    return rows;
  });
}

function describePart({ artifact, at, name }: ArtifactPart): string {
  const place = artifact === 'openapi.json' || artifact === 'collection.json' ? `#${at}` : at;
  return name === undefined ? place : `${place}  (${name})`;
}
