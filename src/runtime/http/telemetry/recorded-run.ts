import { type ExecutionResult, print } from 'graphql';
import type { SpanTrace } from '../../../base/tracing/span-collector.js';
import type { CallArgs } from '../../call/call.js';
import { printResult } from '../../execute/subscriptions/results.js';
import type { OperationLabel, Protocol } from './operation-labels.js';
import { maxRecorded } from './recorded-size.js';

export class RecordedRun {
  trace: SpanTrace | undefined;
  #errors: Map<OperationLabel, number> | undefined;
  /** Its results, one a line, if they are not the body of a response. */
  results = '';

  constructor(
    readonly labels: readonly OperationLabel[],
    readonly protocol: Protocol,
    private readonly args: Pick<CallArgs, 'document' | 'operationName' | 'variableValues' | 'run'>,
  ) {}

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
