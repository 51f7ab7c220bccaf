import type { GraphNode } from './graph-ir.js';
import { inputNameOf } from './names.js';

const inputSuffix = inputNameOf('');

/** The object node whose input type has that name (`UserInput` → the node of `User`); undefined if none has. */
export function mirroredNode<Node extends GraphNode>(
  nodesByType: ReadonlyMap<string, Node>,
  name: string,
): Node | undefined {
  const node = name.endsWith(inputSuffix) ? nodesByType.get(name.slice(0, -inputSuffix.length)) : undefined;
  return node?.kind === 'object' ? node : undefined;
}
