import { type ExecutionResult, type FieldNode, print, valueFromASTUntyped } from 'graphql';
import type { SpanTrace } from '../../../base/tracing/span-collector.js';
import type { CallArgs } from '../../call/call.js';
import { printResult } from '../../execute/subscriptions/results.js';
import type { DocumentOperations, OperationLabel, Protocol } from './operation-labels.js';
import { maxRecorded } from './recorded-size.js';

export class RecordedRun {
  trace: SpanTrace | undefined;
  #errors: Map<OperationLabel, number> | undefined;
  /** Its results, one a line, if they are not the body of a response. */
  results = '';

  constructor(
    private readonly operations: Pick<DocumentOperations, 'labels' | 'fields'>,
    readonly protocol: Protocol,
    private readonly args: Pick<CallArgs, 'document' | 'operationName' | 'variableValues' | 'principal' | 'run'>,
  ) {}

  get labels(): readonly OperationLabel[] {
    return this.operations.labels;
  }

  /** The id of its caller; undefined for an unknown one, and for the program. */
  get caller(): string | undefined {
    return this.args.principal?.id;
  }

  argumentsOf({ name }: OperationLabel): Record<string, unknown> {
    const own = this.operations.fields.filter((field) => field.name.value === name);
    return argumentsOf(own, this.args.variableValues, true);
  }

  /** The id of the run of a chain that it is a step of. */
  get chainRun(): string | undefined {
    return this.args.run;
  }

  errorsOf(label: OperationLabel): number {
    return this.#errors?.get(label) ?? 0;
  }

  fail(label: OperationLabel): void {
    this.#errors ??= new Map();
    this.#errors.set(label, this.errorsOf(label) + 1);
  }

  add(result: ExecutionResult): void {
    const isBody = this.protocol === 'rest' || this.protocol === 'mcp' || this.protocol === 'graphql';
    if (isBody && this.chainRun === undefined) return;
    if (this.results.length > maxRecorded) return;
    this.results += `${this.results === '' ? '' : '\n'}${printResult(result)}`;
  }

  request(): { readonly query: string; readonly variables?: unknown; readonly operationName?: string } {
    const { document, variableValues, operationName } = this.args;
    const hasVariables = Object.keys(variableValues ?? {}).length > 0;
    return {
      query: print(document),
      ...(hasVariables && { variables: variableValues }),
      ...(typeof operationName === 'string' && { operationName }),
    };
  }
}

/** The arguments of the operations of a document by their names in the schema, whatever its variables are called. */
export function argumentsOf(
  fields: readonly FieldNode[],
  variables: CallArgs['variableValues'],
  shown: true | readonly string[],
): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const { arguments: args = [] } of fields) {
    for (const { name, value } of args) {
      if (shown !== true && !shown.includes(name.value)) continue;
      const given = valueFromASTUntyped(value, variables as Record<string, unknown> | undefined);
      if (given !== undefined) found[name.value] = given;
    }
  }
  return found;
}
