import { escapeData, escapeProperty, placeProperties } from '../../../base/diagnostics/render/github.js';
import { ifGiven } from '../../../compiler/graph/maps.js';
import type { ChangeLevel } from '../model/change-level.js';
import type { ComparedTopology } from '../model/diff-report.js';
import { blocksOf, type ChangeBlock, type ChangeReporter, describeReach, summaryLine } from './blocks.js';
import { printPlace } from './text.js';

const commands: Readonly<Record<ChangeLevel, string>> = { breaking: 'error', dangerous: 'warning', safe: 'notice' };

/**
 * The report as workflow commands, one for each block of changes, at its place in the new topology, or at the file
 * if the block has no place there. Waived and safe changes are notices. The summary line is not a command, so it
 * appears only in the log.
 */
export const printGithub: ChangeReporter = (report) => {
  const lines = report.topologies.flatMap((topology) => blocksOf(topology).map((block) => toCommand(block, topology)));
  return `${[...lines, escapeData(summaryLine(report))].join('\n')}\n`;
};

function toCommand(block: ChangeBlock, topology: ComparedTopology): string {
  const { level, kind, before, waiver } = block.first;
  const reached = describeReach(block.reach);
  const command = waiver === undefined ? commands[level] : 'notice';
  const lines = [
    ...block.changes.map(({ message }) => message),
    ...ifGiven(before, (place) => `${printPlace(topology.before, place)}: ${place.note}`),
    ...(reached.length === 0 ? [] : [`Reaches ${reached.join('; ')}.`]),
    ...ifGiven(waiver, ({ expires, reason }) => `Waived until ${expires}: ${reason}`),
  ];
  const title = `title=${escapeProperty(`${level}: ${kind}`)}`;
  return `::${command} ${[...locationProperties(block, topology), title].join(',')}::${lines.map(escapeData).join('%0A')}`;
}

/** Annotations refer to the current files. */
function locationProperties({ first: { after: place } }: ChangeBlock, { name, after }: ComparedTopology) {
  if (place === undefined) return [`file=${escapeProperty(after.sources[0]?.name ?? name)}`];
  return placeProperties(place.span, after.sources);
}
