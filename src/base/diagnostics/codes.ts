import { accessCodes } from './codes/access.js';
import type { DiagnosticDefinition } from './codes/define.js';
import { diffCodes } from './codes/diff.js';
import { federationCodes } from './codes/federation.js';
import { graphCodes } from './codes/graph.js';
import { inputCodes } from './codes/input.js';
import { runtimeCodes } from './codes/runtime.js';
import { schemaCodes } from './codes/schema.js';
import { storeCodes } from './codes/store.js';
import { syntaxCodes } from './codes/syntax.js';

/**
 * The registry of every diagnostic code. `GG1xxx` syntax, `GG2xxx` graph, `GG3xxx` schema,
 * `GG4xxx` files read and written, `GG5xxx` runtime, `GG6xxx` federation, `GG7xxx` store. Published codes never change their meaning.
 */
export const diagnosticCodes = {
  ...syntaxCodes,
  ...graphCodes,
  ...schemaCodes,
  ...accessCodes,
  ...inputCodes,
  ...runtimeCodes,
  ...diffCodes,
  ...federationCodes,
  ...storeCodes,
};

/** A published code, such as `GG1001`. */
export type DiagnosticCode = keyof typeof diagnosticCodes;

export type DiagnosticParams<Code extends DiagnosticCode> =
  (typeof diagnosticCodes)[Code] extends DiagnosticDefinition<infer Params> ? Params : never;

export function isDiagnosticCode(text: string): text is DiagnosticCode {
  return Object.hasOwn(diagnosticCodes, text);
}
