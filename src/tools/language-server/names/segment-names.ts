import { remember } from '../../../compiler/graph/maps.js';
import { typeNameOf } from '../../../compiler/graph/names.js';
import type { Segment } from '../document/segment.js';
import { mentionsOf } from './mentions.js';

/** The facts about a node from the mentions in one segment. */
export interface NodeMentions {
  readonly typeName: string;
  readonly labels: readonly string[];
  /** The items of `values`, which are values only if the label is `Enum`. */
  readonly values: readonly string[];
  readonly fields: readonly string[];
}

/** The names in one segment, each once. */
export interface SegmentNames {
  /** By id, in the order of first mention. */
  readonly nodes: ReadonlyMap<string, NodeMentions>;
  readonly edgeTypes: ReadonlySet<string>;
}

const known = new WeakMap<Segment, SegmentNames>();

/** The names in a segment, cached with the segment. */
export function namesIn(segment: Segment): SegmentNames {
  return remember(known, segment, () => gather(segment));
}

interface Gathered extends NodeMentions {
  readonly labels: string[];
  readonly values: string[];
  readonly fields: string[];
}

function gather(segment: Segment): SegmentNames {
  const nodes = new Map<string, Gathered>();
  const edgeTypes = new Set<string>();
  const nodeAt = (id: string): Gathered => {
    return remember(nodes, id, () => ({ typeName: typeNameOf(id), labels: [], values: [], fields: [] }));
  };
  for (const { kind, name, declares, owner = '' } of mentionsOf(segment)) {
    if (kind === 'node') nodeAt(name);
    else if (kind === 'label') nodeAt(owner).labels.push(name);
    else if (kind === 'field') nodeAt(owner).fields.push(name);
    else if (kind === 'value' && declares) nodeAt(owner).values.push(name);
    else if (kind === 'edgeType') edgeTypes.add(name);
  }
  return { nodes, edgeTypes };
}
