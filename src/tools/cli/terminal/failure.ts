import type { DiagnosticCode, DiagnosticParams } from '../../../base/diagnostics/codes.js';
import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { wholeFile } from '../../../base/source/span.js';
import { CommandFailure } from './command.js';

/** A failure with one finding, about a whole file or another thing with a name, such as an option. */
export function failure<Code extends DiagnosticCode>(code: Code, params: DiagnosticParams<Code>, name: string) {
  return new CommandFailure([diagnose(code, params, wholeFile(name))]);
}

type Result = { readonly ok: true } | { readonly ok: false; readonly problem: Diagnostic };

/** A result without a problem; throws a CommandFailure for one with a problem. */
export function orFail<Given extends Result>(result: Given): Extract<Given, { readonly ok: true }> {
  if (!result.ok) throw new CommandFailure([result.problem]);
  return result as Extract<Given, { readonly ok: true }>;
}
