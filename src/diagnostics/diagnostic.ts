import type { Span } from '../source/span.js';
import { type DiagnosticCode, type DiagnosticParams, diagnosticCodes } from './codes.js';
import type { DiagnosticDefinition, Severity } from './define.js';

/** One finding about the user's source: what, where, and what to do. Plain data. */
export interface Diagnostic {
  /** The stable code, `GGnnnn`; `gg-svc explain <code>` and `docs/diagnostics` say more about it. */
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** One sentence, no final line break. */
  readonly message: string;
  /** The place that the message speaks of. */
  readonly span: Span;
  /** What to do about it. */
  readonly hint?: string;
  /** Related places, each with a few words of its own: the other half of a clash, for instance. */
  readonly labels: readonly DiagnosticLabel[];
  /** An edit that settles the matter and is safe to make without looking. */
  readonly fix?: DiagnosticFix;
}

/** A related place of a diagnostic. */
export interface DiagnosticLabel {
  readonly span: Span;
  readonly message: string;
}

/** A safe edit: every span is replaced by its text, all at once. */
export interface DiagnosticFix {
  readonly description: string;
  readonly edits: readonly { readonly span: Span; readonly text: string }[];
}

/** What a finding may carry beside its sentence. */
export interface DiagnosticExtras {
  readonly labels?: readonly DiagnosticLabel[];
  readonly fix?: DiagnosticFix;
}

/**
 * Makes a diagnostic from its code, the parameters that the code's sentence needs, and the place.
 * An unknown code or a wrong parameter does not compile.
 */
export function diagnose<Code extends DiagnosticCode>(
  code: Code,
  params: DiagnosticParams<Code>,
  span: Span,
  extras: DiagnosticExtras = {},
): Diagnostic {
  const definition = diagnosticCodes[code] as DiagnosticDefinition<DiagnosticParams<Code>>;
  const hint = definition.hint?.(params);
  return {
    code,
    severity: definition.severity,
    message: definition.message(params),
    span,
    ...(hint === undefined ? {} : { hint }),
    labels: extras.labels ?? [],
    ...(extras.fix === undefined ? {} : { fix: extras.fix }),
  };
}

/** Whether any of the findings stops the projection. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}
