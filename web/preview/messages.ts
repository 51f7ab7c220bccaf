import type { Drawing } from '../../src/analysis/diagram/drawing.js';
import type { Selection } from '../graph/structure.js';

/** A message of the editor to the preview. */
export type ToPreview =
  | {
      readonly kind: 'graph';
      readonly title: string;
      /** The last topology without errors; absent before the first one. */
      readonly drawing?: Drawing;
      /** Why the topology as it is now is not drawn; absent if it is. */
      readonly problem?: string;
    }
  | { readonly kind: 'select'; readonly selection: Selection };

/** A message of the preview to the editor. */
export type FromPreview =
  | { readonly kind: 'ready' }
  /** Shows the source of a part. */
  | { readonly kind: 'reveal'; readonly selection: Selection };
