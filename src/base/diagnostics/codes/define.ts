/** The severity of a finding: an `error` stops the projection, the others do not. */
export type Severity = 'error' | 'warning' | 'information';

/** One row of the code tables. */
export interface DiagnosticDefinition<Params> {
  /** `error` stops the projection; `warning` and `information` do not. */
  readonly severity: Severity;
  /** A short kebab-case name, for rule lists (SARIF) and for the title of its page. */
  readonly name: string;
  /** One sentence that says what is wrong. */
  readonly message: (params: Params) => string;
  /** One sentence that says what to do. */
  readonly hint?: (params: Params) => string | undefined;
}

/** The parameters of a message without parameters. */
export type NoParams = Record<never, never>;

/** Types one row of a code table, so that a wrong or missing parameter does not compile. */
export function define<Params = NoParams>(
  definition: DiagnosticDefinition<Params>,
): DiagnosticDefinition<Params> {
  return definition;
}
