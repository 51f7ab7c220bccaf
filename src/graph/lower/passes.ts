import { checkImports } from './check-imports.js';
import { classifyNodes } from './classify-nodes.js';
import { collectEdges } from './collect-edges.js';
import { collectNodes } from './collect-nodes.js';
import type { GraphDraft } from './graph-draft.js';
import { nameTypes } from './name-types.js';
import { resolveEnums } from './resolve-enums.js';
import { resolveFields } from './resolve-fields.js';
import { resolveScalars } from './resolve-scalars.js';

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
