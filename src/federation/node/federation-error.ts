import type { Diagnostic } from '../../base/diagnostics/diagnostic.js';

/** Thrown if a federation bundle or its trust policy cannot be read or does not verify. */
export class FederationError extends Error {
  override readonly name = 'FederationError';

  constructor(readonly diagnostics: readonly Diagnostic[]) {
    const findings = diagnostics.map(({ span, code, message }) => `\n  ${span.file} ${code} ${message}`);
    super(`The federation bundle cannot be used:${findings.join('')}`);
  }
}
