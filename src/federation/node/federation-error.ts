import type { Diagnostic } from '../../diagnostics/diagnostic.js';

/** Thrown when a federation bundle cannot be used: it, or its trust policy, cannot be read or does not verify. */
export class FederationError extends Error {
  override readonly name = 'FederationError';

  /** @param diagnostics - Why not. */
  constructor(readonly diagnostics: readonly Diagnostic[]) {
    super(['The federation bundle cannot be used:', ...diagnostics.map(describeFinding)].join('\n  '));
  }
}

/** A finding in one line: the place, the code, the message. */
export function describeFinding({ span, code, message }: Diagnostic): string {
  return `${span.file} ${code} ${message}`;
}
