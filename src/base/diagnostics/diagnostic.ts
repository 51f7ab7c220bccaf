import type { Span } from '../source/span.js';
import type { DiagnosticDefinition, Severity } from './codes/define.js';
import { type DiagnosticCode, type DiagnosticParams, diagnosticCodes } from './codes.js';

/** One finding about the source: what is wrong, where, and what to do. Plain data. */
export interface Diagnostic {
  /** The stable code, `GGnnnn`, documented in `docs/diagnostics` and by `gg-svc explain <code>`. */
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** One sentence, no final line break. */
  readonly message: string;
  readonly span: Span;
  /** The remedy. */
  readonly hint?: string;
  /** Related positions with their own messages, such as the other declaration of a clash. */
  readonly labels: readonly DiagnosticLabel[];
  /** An edit that fixes the finding and can be applied without review. */
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

export interface DiagnosticExtras {
  readonly labels?: readonly DiagnosticLabel[];
  readonly fix?: DiagnosticFix;
}

/**
 * Creates a diagnostic from its code, the parameters of the code's message, and the position. Unknown codes and wrong
 * parameters do not compile.
 */
export function diagnose<Code extends DiagnosticCode>(
  code: Code,
  params: DiagnosticParams<Code>,
  span: Span,
  { labels = [], fix }: DiagnosticExtras = {},
): Diagnostic {
  const { severity, message, hint } = diagnosticCodes[code] as DiagnosticDefinition<DiagnosticParams<Code>>;
  const advice = hint(params);
  const made = { code, severity, message: message(params), span };
  const advised = advice === undefined ? { ...made, labels } : { ...made, hint: advice, labels };
  return fix === undefined ? advised : { ...advised, fix };
}

/** The fix that writes a text in place of others; none without a text. */
export function writeInstead(text: string | undefined, ...places: readonly Span[]): DiagnosticExtras {
  if (text === undefined) return {};
  return { fix: { description: `Write ${text}`, edits: places.map((span) => ({ span, text })) } };
}

/** Whether any of the findings stops the projection. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}

/** The result of a compiler step: its value, as complete as possible, and its diagnostics. */
export interface Outcome<T> {
  readonly value: T;
  readonly diagnostics: readonly Diagnostic[];
}
