import type { Diagnostic } from './diagnostic.js';

/** What every phase returns: its product, as good as it could be made, and what it has to say. */
export interface Outcome<T> {
  readonly value: T;
  readonly diagnostics: readonly Diagnostic[];
}
