import { camelCaseOf, typeNameOf } from '../../graph/names.js';
import type { DraftEdge, DraftSetting } from './draft.js';

/** An operation over REST, whose edge leads to the node of its result. */
export interface OperationParts extends Omit<DraftEdge, 'type' | 'from'> {
  readonly kind: keyof typeof edgesOfKinds;
  readonly name: string;
  readonly source: string;
  /** The type of the result. */
  readonly result: string;
}

/** The type of the edge of an operation, by its kind. */
export const edgesOfKinds = { query: 'PROCESS', mutation: 'FOLD', subscription: 'FORK' } as const;

/** The edge of an operation, with the settings for what does not follow from its target. */
export function operationEdge({ kind, name, source, result, settings, ...edge }: OperationParts): DraftEdge {
  const targetType = typeNameOf(edge.to);
  const own: DraftSetting[] = [];
  if (camelCaseOf(targetType) !== name) own.push({ key: 'operation', text: `'${name}'`, place: edge.place });
  // A subscription returns the type of its target.
  if (kind !== 'subscription' && result !== targetType)
    own.push({ key: 'returns', text: result, place: edge.place });
  return {
    ...edge,
    type: edgesOfKinds[kind],
    from: [source],
    settings: [...own, ...settings],
  };
}

/** Whether an edge would read an argument as one of its settings. */
export function isTakenByEdges({ name, type }: { readonly name: string; readonly type: string }): boolean {
  return name === 'returns' || (name === 'throws' && /^\[\w+\]$/.test(type));
}
