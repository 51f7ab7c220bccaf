/** How bad a finding is: an `error` stops the projection, the others do not. */
export type Severity = 'error' | 'warning' | 'information';

/** One kind of finding: everything about it that does not depend on where it was found. */
export interface DiagnosticDefinition<Params> {
  /** `error` stops the projection; `warning` and `information` do not. */
  readonly severity: Severity;
  /** A short kebab-case name, for rule lists (SARIF) and for the title of its page. */
  readonly name: string;
  /** One sentence that says what is wrong, made from the parameters. */
  readonly message: (params: Params) => string;
  /** One sentence that says what to do about it, where there is something to say. */
  readonly hint?: (params: Params) => string | undefined;
}

/** Parameters of a finding whose sentence needs none. */
export type NoParams = Record<never, never>;

/** Types one row of a code table, so that a wrong or missing parameter does not compile. */
export function define<Params = NoParams>(
  definition: DiagnosticDefinition<Params>,
): DiagnosticDefinition<Params> {
  return definition;
}
