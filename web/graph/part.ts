import type { Selection } from './structure.js';

/** The attributes of a part of the graph that can be selected. */
export interface PartProps {
  readonly class: string;
  readonly role?: 'button';
  /** Attributes of SVG elements are case-sensitive. */
  readonly tabindex?: number;
  readonly 'aria-pressed'?: boolean;
  readonly 'aria-expanded'?: boolean;
  readonly 'aria-hidden'?: boolean;
  readonly 'data-part'?: string;
  readonly onClick?: () => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}

/** Receives the part that was selected; undefined for none. */
export type OnSelect = (part: Selection | undefined) => void;
