import pc from 'picocolors';
import { renderFrame } from '../../diagnostics/render/frame.js';
import type { ArtifactPart, Explanation } from '../../provenance/explain.js';
import { lineMapOf, type SourceFile } from '../../source/source-file.js';
import { describePlace } from '../../source/span.js';

const mostParts = 12;

/** Renders an explanation for a terminal: source frames, the mapping rule, and the generated parts. */
export function renderExplanation(
  { coordinate, signature, rule, places, parts }: Explanation,
  sources: readonly SourceFile[],
  color: boolean,
): string {
  const colors = pc.createColors(color);
  const paint = { gutter: colors.dim, marker: colors.cyan };
  const maps = sources.map(lineMapOf);
  const lines = [`${colors.bold(coordinate)}  ${colors.dim(signature)}`, ''];
  for (const { span, what } of places) {
    const source = sources.find(({ name }) => name === span.file);
    if (source === undefined) throw new Error(`invariant: ${span.file} is not among the sources`);
    lines.push(
      `from ${what}`,
      ` ${colors.dim('-->')} ${describePlace(maps, span)}`,
      renderFrame(source, span, paint),
      '',
    );
  }
  lines.push(`rule: ${rule.text}`, `      ${colors.dim(rule.page)}`);
  const rows = listParts(parts);
  if (rows.length > 0)
    lines.push(
      '',
      'Generated from it:',
      ...rows.map(([artifact, at]) => `  ${colors.dim(artifact.padEnd(width))}  ${at}`),
    );
  return `${lines.join('\n')}\n`;
}

const width = 'collection.json'.length;

function listParts(parts: readonly ArtifactPart[]): [string, string][] {
  const byArtifact = new Map<string, ArtifactPart[]>();
  for (const part of parts) byArtifact.set(part.artifact, [...(byArtifact.get(part.artifact) ?? []), part]);
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
