import type { GraphDraft } from './graph-draft.js';
import { checkImports } from './passes/check-imports.js';
import { classifyNodes } from './passes/classify-nodes.js';
import { collectEdges } from './passes/collect-edges.js';
import { collectNodes } from './passes/collect-nodes.js';
import { nameTypes } from './passes/name-types.js';
import { resolveEnums } from './passes/resolve-enums.js';
import { resolveFields } from './passes/resolve-fields.js';
import { resolveScalars } from './passes/resolve-scalars.js';

/** One step from the tree to the topology: it reads what earlier passes found and adds its own. */
export type Pass = (draft: GraphDraft) => void;

/**
 * THE passes, in the order in which they run.
 *
 * Architecture invariant: a pass depends on the ones above it only, and never on one below.
 */
export const passes: readonly Pass[] = [
  // The files, and what they take from each other.
  checkImports,
  // The nodes: which there are, then their type names, then what their labels make of them.
  collectNodes,
  nameTypes,
  classifyNodes,
  // Their properties. Enums go first, because the default of a field may be one of their values.
  resolveEnums,
  resolveScalars,
  resolveFields,
  // The edges, whose properties may name any type.
  collectEdges,
];
