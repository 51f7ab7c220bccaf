import type { DiagnosticCode, DiagnosticParams } from '../base/diagnostics/codes.js';
import { type Diagnostic, diagnose } from '../base/diagnostics/diagnostic.js';
import { wholeFile } from '../base/source/span.js';

/** A result, or the first problem that prevents it. */
export type Checked<Result> = (Result & { readonly ok: true }) | { readonly ok: false; readonly problem: Diagnostic };

/** Thrown at the first problem of a document, so that nothing of it is used. {@link checked} catches it. */
class Refusal extends Error {
  constructor(readonly problem: Diagnostic) {
    super(problem.message);
  }
}

/** @param name - The name of the document in the finding. */
export function refusal<Code extends DiagnosticCode>(code: Code, params: DiagnosticParams<Code>, name: string): Error {
  return new Refusal(diagnose(code, params, wholeFile(name)));
}

export function checked<Result extends object>(read: () => Result): Checked<Result> {
  try {
    return { ok: true, ...read() };
  } catch (error) {
    return refusedBy(error);
  }
}

/** The outcome of a document that was refused. Rethrows every other error. */
export function refusedBy(error: unknown): { readonly ok: false; readonly problem: Diagnostic } {
  if (!(error instanceof Refusal)) throw error;
  return { ok: false, problem: error.problem };
}
