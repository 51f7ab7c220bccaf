import { displayText } from '../../../base/diagnostics/render/display-text.js';
import { ifGiven } from '../../../compiler/graph/maps.js';
import { capitalized } from '../../../compiler/graph/names.js';
import { changeLevels } from '../model/change-level.js';
import type { ComparedTopology, DiffReport } from '../model/diff-report.js';
import { blocksOf, type ChangeBlock, type ChangeReporter, describeReach, summaryLine } from './blocks.js';
import { printPlaces } from './text.js';

/** The report as Markdown, for a comment on a pull request: breaking changes first, the rest folded. */
export const printMarkdown: ChangeReporter = (report) => {
  const parts = [
    `## API changes`,
    `${escapeMarkdown(capitalized(summaryLine(report)))}.`,
    ...report.topologies.flatMap((topology) => renderTopology(topology, report)),
  ];
  return `${parts.join('\n\n')}\n`;
};

function renderTopology(topology: ComparedTopology, { topologies }: DiffReport): string[] {
  if (topology.changes.length === 0) return [];
  const blocks = blocksOf(topology);
  const waived = blocks.filter(({ first }) => first.waiver !== undefined);
  const sections = changeLevels.flatMap((level) => {
    const found = blocks.filter(({ first }) => first.level === level && first.waiver === undefined);
    return found.length === 0 ? [] : section(level, found, topology);
  });
  return [
    ...(topologies.length > 1 ? [`### ${code(topology.name)}`] : []),
    ...sections,
    ...(waived.length === 0 ? [] : section('waived', waived, topology)),
  ];
}

function section(title: string, blocks: readonly ChangeBlock[], topology: ComparedTopology): string[] {
  const list = blocks.map((block) => renderBlock(block, topology)).join('\n');
  const heading = `${capitalized(title)} (${blocks.reduce((sum, { changes }) => sum + changes.length, 0)})`;
  if (title === 'breaking' || title === 'dangerous') return [`**${heading}**`, list];
  return [`<details><summary>${heading}</summary>`, list, '</details>'];
}

function renderBlock(block: ChangeBlock, topology: ComparedTopology): string {
  const places = printPlaces(block, topology).map(code);
  const reached = describeReach(block.reach).map(escapeMarkdown);
  const { waiver } = block.first;
  return [
    `- ${block.changes.map(({ kind, message }) => `${code(kind)} ${escapeMarkdown(message)}`).join('<br>')}`,
    ...(places.length === 0 ? [] : [`  at ${places.join(', ')}`]),
    ...(reached.length === 0 ? [] : [`  reaches ${reached.join('; ')}`]),
    ...ifGiven(waiver, ({ expires, reason }) => `  until ${expires}: ${escapeMarkdown(reason)}`),
  ].join('<br>\n');
}

function escapeMarkdown(text: string): string {
  return displayText(text).replace(/[\\`*_{}[\]<>#|&~@]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

function code(text: string): string {
  const shown = displayText(text);
  return shown.includes('`') ? `\`\` ${shown} \`\`` : `\`${shown}\``;
}
