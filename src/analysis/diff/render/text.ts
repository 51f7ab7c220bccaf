import pc from 'picocolors';
import { displayText } from '../../../base/diagnostics/render/display-text.js';
import { renderFrame } from '../../../base/diagnostics/render/frame.js';
import { lineMapOf, positionAt } from '../../../base/source/source-file.js';
import { ifGiven } from '../../../compiler/graph/maps.js';
import { capitalized } from '../../../compiler/graph/names.js';
import type { ChangePlace } from '../model/change.js';
import { changeKinds } from '../model/change-kinds.js';
import type { ChangeLevel } from '../model/change-level.js';
import type { ComparedTopology, TopologySide } from '../model/diff-report.js';
import { blocksOf, type ChangeBlock, type ChangeReporter, describeReach, summaryLine } from './blocks.js';

type Colors = ReturnType<typeof pc.createColors>;
type Paint = (text: string) => string;

/** How many short changes of a topology are listed; the rest is counted. */
const mostShort = 30;

/**
 * The report for terminals: each change with frames of both its places, its reach and its effect, then a summary
 * line. Safe and waived changes take one line each, unless the report is verbose.
 */
export const printText: ChangeReporter = (report, { color, verbose }) => {
  const colors = pc.createColors(color);
  const { topologies } = report;
  const changed = topologies.filter(({ changes }) => changes.length > 0);
  const parts = changed.map((topology) => {
    const heading = topologies.length > 1 ? `${colors.underline(displayText(topology.name))}\n\n` : '';
    return `${heading}${renderTopology(topology, colors, verbose)}`;
  });
  return `${[...parts, `${displayText(capitalized(summaryLine(report)))}.`].join('\n')}\n`;
};

function renderTopology(topology: ComparedTopology, colors: Colors, verbose: boolean): string {
  const blocks = blocksOf(topology);
  const isShort = ({ first }: ChangeBlock) => !verbose && (first.level === 'safe' || first.waiver !== undefined);
  const long = blocks.filter((block) => !isShort(block));
  const short = blocks.filter(isShort);
  return [
    ...long.map((block) => `${renderBlock(block, topology, colors)}\n`),
    ...(short.length === 0 ? [] : [`${listShort(short, topology, colors).join('\n')}\n`]),
  ].join('\n');
}

function renderBlock(block: ChangeBlock, { before, after }: ComparedTopology, colors: Colors): string {
  const { first } = block;
  const lines = headlines(block, colors);
  // The new topology comes first, because it is the one that the user can still change.
  const places = [[' -->', first.after, after] as const, [' <--', first.before, before] as const];
  for (const [arrow, place, side] of places) {
    if (place === undefined) continue;
    const marker = place.exact ? paintOf(first.level, colors) : colors.cyan;
    lines.push(...renderPlace(arrow, place, side, marker, colors));
  }
  const reached = describeReach(block.reach);
  for (const [at, row] of (reached.length === 0 ? ['no operation'] : reached).entries())
    lines.push(`${at === 0 ? colors.cyan('reaches:') : '        '} ${displayText(row)}`);
  const reasons = new Set(block.changes.map(({ kind }) => changeKinds[kind].why));
  for (const why of reasons) lines.push(`${colors.cyan('why:')} ${why}`);
  return lines.join('\n');
}

function headlines({ changes }: ChangeBlock, colors: Colors): string[] {
  return changes.map(({ level, kind, message, waiver }) => {
    const text = colors.bold(displayText(message));
    if (waiver === undefined) return `${colors.bold(paintOf(level, colors)(`${level}[${kind}]`))} ${text}`;
    const reason = colors.gray(`(until ${waiver.expires}: ${displayText(waiver.reason)})`);
    return `${colors.bold(colors.gray(`waived[${kind}]`))} ${text} ${reason}`;
  });
}

/** The first of the short changes; otherwise the content of a new topology would fill the screen. */
function listShort(blocks: readonly ChangeBlock[], topology: ComparedTopology, colors: Colors): string[] {
  const lines = blocks.flatMap((block) => renderShort(block, topology, colors));
  if (lines.length <= mostShort) return lines;
  const left = lines.length - mostShort;
  return [...lines.slice(0, mostShort), colors.gray(`and ${left} more like these; --verbose shows all`)];
}

function renderShort(block: ChangeBlock, topology: ComparedTopology, colors: Colors): string[] {
  const places = printPlaces(block, topology);
  const where = places.length === 0 ? '' : colors.gray(` — ${displayText(places.join(', '))}`);
  return headlines(block, colors).map((line) => `${line}${where}`);
}

function renderPlace(arrow: string, place: ChangePlace, side: TopologySide, marker: Paint, colors: Colors) {
  const where = `${colors.gray(arrow)} ${displayText(printPlace(side, place))}`;
  const source = side.sources.find(({ name }) => name === place.span.file);
  if (source === undefined) return [where];
  return [where, renderFrame(source, place.span, { gutter: colors.gray, marker }, displayText(place.note))];
}

/** The place in the new topology, then the one in the old topology, as far as there are any. */
export function printPlaces({ first }: ChangeBlock, { before, after }: ComparedTopology): string[] {
  return [
    ...ifGiven(first.after, (place) => printPlace(after, place)),
    ...ifGiven(first.before, (place) => printPlace(before, place)),
  ];
}

/** `HEAD:service.gg:12:3` */
export function printPlace({ sources, displayName }: TopologySide, { span }: ChangePlace): string {
  const source = sources.find(({ name }) => name === span.file);
  if (source === undefined) return displayName(span.file);
  const { line, column } = positionAt(lineMapOf(source), span.start);
  return `${displayName(span.file)}:${line}:${column}`;
}

function paintOf(level: ChangeLevel, colors: Colors): Paint {
  return { breaking: colors.red, dangerous: colors.yellow, safe: colors.green }[level];
}
