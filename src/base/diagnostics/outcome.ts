import type { Diagnostic } from './diagnostic.js';

/** The result of a compiler step: its value, as complete as possible, and its diagnostics. */
export interface Outcome<T> {
  readonly value: T;
  readonly diagnostics: readonly Diagnostic[];
}
