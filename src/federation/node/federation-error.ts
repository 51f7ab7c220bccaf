import type { Diagnostic } from '../../diagnostics/diagnostic.js';

/** Thrown if a federation bundle or its trust policy cannot be read or does not verify. */
export class FederationError extends Error {
  override readonly name = 'FederationError';

  /** @param diagnostics - The findings. */
  constructor(readonly diagnostics: readonly Diagnostic[]) {
    super(['The federation bundle cannot be used:', ...diagnostics.map(describeFinding)].join('\n  '));
  }
}

function describeFinding({ span, code, message }: Diagnostic): string {
  return `${span.file} ${code} ${message}`;
}
