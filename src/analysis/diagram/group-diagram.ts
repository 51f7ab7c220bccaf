import { appendTo, remember } from '../../compiler/graph/maps.js';
import type { Diagram, DiagramBox, DiagramLine } from './diagram.js';
import { hubOfBoxes } from './hubs.js';

/** Diagrams up to this number of nodes are drawn node by node. */
const mostNodes = 60;

/** The number of boxes up to which groups are opened from the start. */
const mostBoxes = 40;

/** With fewer boxes, lists are opened from the start too. */
const fewBoxes = 15;

/** A longer list of nodes is divided into ranges. */
const mostListed = 24;

/** A group of so few nodes would not be worth a click. */
const tooFew = 2;

/** A node, or several that are drawn as one box. */
interface Part {
  readonly id: string;
  readonly nodes: readonly DiagramBox[];
  /** The file or the hub that the nodes share; empty if the range of their names says more. */
  readonly place: string;
  readonly parts: readonly Part[];
  /** Whether the parts are a list of nodes or of its ranges, which say less than files, hubs and kinds. */
  readonly isList: boolean;
}

/** How a group is divided; a level whose nodes have all one key is passed over. */
interface Level {
  readonly keyOf: (node: DiagramBox) => string;
  /** The place of a part, in words; empty for that of the group around it. */
  readonly placeOf: (key: string) => string;
}

/**
 * Draws the nodes of a large diagram in groups: by file, by the hub that they surround, by kind, by ranges of names.
 * Groups are opened, those with the fewest parts first, while the picture stays legible.
 *
 * @param opened - The ids of groups to open too, and the names of parts that are drawn outside groups: `(user_saved)` for
 *   a node, `Query.readUser` for the ends of an edge.
 */
export function groupDiagram(diagram: Diagram, opened: readonly string[] = []): Diagram {
  const nodes = diagram.boxes.filter(({ node }) => node !== undefined);
  if (nodes.length <= mostNodes) return diagram;
  const shown = namedNodes(diagram, new Set(opened));
  const hubs = hubOfBoxes(diagram);
  const levels: readonly Level[] = [
    { keyOf: ({ span }) => span.file, placeOf: (file) => file.replace(/^.*[\\/]/, '') },
    { keyOf: ({ key }) => hubs.get(key) ?? '', placeOf: (hub) => hub && `around ${hub}` },
    { keyOf: kindOf, placeOf: () => '' },
  ];
  const hidden = nodes.filter(({ key }) => !shown.has(key));
  let cut = groupOf('', '', hidden, levels).parts;
  for (let next = nextToOpen(cut); next !== undefined; next = nextToOpen(cut)) cut = open(cut, next);
  for (const id of opened) {
    const group = cut.find((part) => part.id === id && part.parts.length > 0);
    if (group !== undefined) cut = open(cut, group);
  }
  return drawParts(diagram, [...nodes.filter(({ key }) => shown.has(key)).map(single), ...cut]);
}

/** The keys of the nodes that are named, or are ends of the edges that are named. */
function namedNodes({ boxes, lines }: Diagram, names: ReadonlySet<string>): ReadonlySet<string> {
  const named = boxes.flatMap(({ key, node }) => (names.has(`(${node})`) ? key : []));
  const ends = lines.flatMap(({ coordinate, from, to }) =>
    coordinate !== undefined && names.has(coordinate) ? [from, to] : [],
  );
  const meetings = new Set(boxes.flatMap(({ key, kind }) => (kind === 'meeting' && ends.includes(key) ? key : [])));
  const sources = lines.flatMap(({ from, to }) => (meetings.has(to) ? from : []));
  return new Set([...named, ...ends, ...sources]);
}

function open(cut: readonly Part[], group: Part): readonly Part[] {
  return cut.flatMap((part) => (part === group ? part.parts : [part]));
}

function nextToOpen(cut: readonly Part[]): Part | undefined {
  const fits = ({ parts, isList }: Part) =>
    parts.length > 0 && cut.length - 1 + parts.length <= mostBoxes && (!isList || cut.length < fewBoxes);
  return cut.filter(fits).sort((a, b) => a.parts.length - b.parts.length)[0];
}

function single(node: DiagramBox): Part {
  return { id: '', nodes: [node], place: '', parts: [], isList: false };
}

function groupOf(id: string, place: string, nodes: readonly DiagramBox[], levels: readonly Level[]): Part {
  const [level, ...finer] = levels;
  if (level === undefined) return { id, place, nodes, ...divide(id, nodes.map(single)) };
  const byKey = new Map<string, DiagramBox[]>();
  for (const node of nodes) appendTo(byKey, level.keyOf(node), node);
  if (byKey.size === 1) return groupOf(id, place, nodes, finer);
  const parts = [...byKey].flatMap(([key, members]) =>
    members.length <= tooFew
      ? members.map(single)
      : [groupOf(`${id}/${key}`, level.placeOf(key) || place, members, finer)],
  );
  return { id, place, nodes, ...divide(id, parts) };
}

/** The parts of a group, in ranges if they are many. */
function divide(id: string, parts: readonly Part[]): Pick<Part, 'parts' | 'isList'> {
  const isList = parts.every(({ nodes }) => nodes.length === 1);
  const most = isList ? mostListed : mostBoxes;
  if (parts.length <= most) return { parts, isList };
  const count = Math.min(Math.ceil(parts.length / most), mostListed);
  const length = Math.ceil(parts.length / count);
  const ranges = Array.from({ length: Math.ceil(parts.length / length) }, (_, at) => {
    const range = parts.slice(at * length, (at + 1) * length);
    const own = `${id}/${at + 1}`;
    return { id: own, place: '', nodes: range.flatMap(({ nodes }) => nodes), ...divide(own, range) };
  });
  return { parts: ranges, isList };
}

/** The first label of a node, in words; `node` without labels. */
function kindOf({ text: [, labels = 'node'] }: DiagramBox): string {
  const [first = ''] = labels.split(' · ');
  return first.replace(/(?<=[a-z])[A-Z]/g, ' $&').toLowerCase();
}

function drawParts(diagram: Diagram, parts: readonly Part[]): Diagram {
  const boxes: DiagramBox[] = [];
  const drawnAs = new Map<string, string>();
  for (const part of parts) {
    const [first] = part.nodes as [DiagramBox];
    const key = part.nodes.length === 1 ? first.key : `g${boxes.length}`;
    boxes.push(part.nodes.length === 1 ? first : { key, kind: 'group', span: first.span, ...describe(part) });
    for (const node of part.nodes) drawnAs.set(node.key, key);
  }
  const { lines, meetings } = mergeLines(diagram, drawnAs);
  return { ...diagram, boxes: [...boxes, ...meetings], lines };
}

/** `108 events`, and where: `around bus`, `events.gg` or the range of the names. */
function describe({ id, nodes, place }: Part) {
  const kinds = new Set(nodes.map(kindOf));
  const noun = kinds.size === 1 ? ([...kinds][0] as string) : 'node';
  const members = nodes.map(({ node = '' }) => node);
  const range = `${members[0]} – ${members.at(-1)}`;
  return { group: id, members, text: [`${nodes.length} ${plural(noun)}`, place || range] };
}

function plural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** Draws the lines between the same two boxes, of one edge type, as one line with their number. */
function mergeLines({ boxes, lines }: Diagram, drawnAs: ReadonlyMap<string, string>) {
  const sourcesOf = new Map<string, Set<string>>();
  for (const { from, to, hasHead } of lines)
    if (!hasHead) remember(sourcesOf, to, () => new Set()).add(drawnAs.get(from) as string);
  // The edges from the same boxes meet at one point; those from one box need none.
  const meetingOf = new Map<string, string>();
  const meetings: DiagramBox[] = [];
  const bySources = new Map<string, string>();
  for (const box of boxes) {
    const sources = sourcesOf.get(box.key);
    if (sources === undefined) continue;
    const [only = ''] = sources;
    const name = [...sources].sort().join(' ');
    const known = sources.size === 1 ? only : bySources.get(name);
    if (known === undefined) {
      bySources.set(name, box.key);
      meetings.push(box);
    }
    meetingOf.set(box.key, known ?? box.key);
  }
  const endOf = (key: string) => drawnAs.get(key) ?? (meetingOf.get(key) as string);
  const merged = new Map<string, { line: DiagramLine; count: number }>();
  for (const line of lines) {
    const [from, to] = [endOf(line.from), endOf(line.to)];
    if (from === to && (from.startsWith('g') || !line.hasHead)) continue;
    const type = line.becomes === 'field' ? '' : line.text[0];
    const name = [from, to, line.becomes, type].join(' ');
    const known = merged.get(name);
    if (known === undefined) merged.set(name, { line: { ...line, from, to }, count: 1 });
    else known.count += 1;
  }
  return {
    meetings,
    lines: [...merged.values()].map(({ line, count }) => {
      if (count === 1 || !line.hasHead) return line;
      const { coordinate: _, ...rest } = line;
      return { ...rest, text: line.becomes === 'field' ? [`${count} fields`] : [line.text[0] ?? '', `×${count}`] };
    }),
  };
}
