import type { GraphNode } from './graph-ir.js';

/** The label beside `Input` that makes callers give exactly one of its fields. */
export const oneOfLabel = 'OneOf';

/** Whether callers give exactly one of the fields of a node. */
export function isOneOf({ kind, labels }: Pick<GraphNode, 'kind' | 'labels'>): boolean {
  return kind === 'input' && labels.includes(oneOfLabel);
}
