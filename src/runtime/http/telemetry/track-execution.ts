import type { ExecutionResult, GraphQLError } from 'graphql';
import type { OpenSubscription, TallyCell } from '../../../base/tracing/svc-metrics.js';
import type { CallArgs } from '../../call/call.js';
import type { Calls } from '../../call/calls.js';
import { PrintedResult } from '../../execute/compiled/printed-result.js';
import { PassedResults, type ResultStep, type Results } from '../../execute/subscriptions/results.js';
import type { DocumentOperations, Protocol } from './operation-labels.js';
import { argumentsOf, RecordedRun } from './recorded-run.js';
import type { Telemetry } from './telemetry.js';
import { TrackedRequest } from './tracked-request.js';

export function trackExecution(execution: Calls, telemetry: Telemetry): Calls {
  telemetry.recorder?.serves(execution);
  return {
    ...execution,
    async execute(args) {
      if (!telemetry.isOn) return execution.execute(args);
      const run = new OperationRun(telemetry, args);
      try {
        return run.end(await run.within(() => execution.execute(args)));
      } catch (error) {
        throw run.fail(error);
      }
    },
    answer(args) {
      if (!telemetry.isOn) return execution.answer(args);
      const run = new OperationRun(telemetry, args);
      try {
        const printed = run.within(() => execution.answer(args));
        if (!(printed instanceof Promise)) return run.end(printed);
        return printed.then(
          (settled) => run.end(settled),
          (error: unknown) => {
            throw run.fail(error);
          },
        );
      } catch (error) {
        throw run.fail(error);
      }
    },
    async subscribe(args) {
      if (!telemetry.isOn) return execution.subscribe(args);
      const run = new OperationRun(telemetry, args);
      try {
        const started = await run.within(() => execution.subscribe(args));
        return Symbol.asyncIterator in started ? new TrackedResults(started, run) : run.end(started);
      } catch (error) {
        throw run.fail(error);
      }
    },
  };
}

class OperationRun {
  readonly protocol: Protocol;
  readonly operations: DocumentOperations;
  readonly #start: number;
  readonly #request: TrackedRequest | undefined;
  readonly #recorded: RecordedRun | undefined;
  /** Whether it is a call without a request of its own. */
  readonly #isOwn: boolean;

  constructor(
    readonly telemetry: Telemetry,
    args: CallArgs,
  ) {
    const { tracked, document, operationName } = args;
    const { recording } = telemetry;
    this.#request = tracked instanceof TrackedRequest ? tracked : undefined;
    const isStep = args.run !== undefined;
    const isTimed = telemetry.metrics !== undefined || this.#request === undefined || isStep;
    this.#start = isTimed ? performance.now() : 0;
    this.protocol = args.protocol ?? (this.#request === undefined ? 'process' : 'graphql');
    this.operations = telemetry.labels.operationsOf(document, operationName);
    const { labels, fields } = this.operations;
    const { logs } = telemetry;
    if (telemetry.metrics !== undefined) for (const label of labels) countOne(label.over(this.protocol).requests);
    // A request that began before the recorder was turned on is not recorded.
    const isKnown = this.#request !== undefined || this.protocol === 'process' || isStep;
    if (recording !== undefined && labels.length > 0 && isKnown)
      this.#recorded = new RecordedRun(this.operations, this.protocol, args);
    this.#isOwn = isStep || this.protocol === 'process';
    if (this.#request === undefined) return;
    if (this.#recorded !== undefined && !this.#isOwn) this.#request.runs = [...this.#request.runs, this.#recorded];
    this.#request.protocol = this.protocol;
    this.#request.add(labels);
    if (logs !== undefined && logs.arguments !== false)
      this.#request.arguments = argumentsOf(fields, args.variableValues, logs.arguments);
  }

  within<Result>(work: () => Result): Result {
    const { recording } = this.telemetry;
    return recording === undefined || this.#recorded === undefined ? work() : recording.within(this.#recorded, work);
  }

  /** Records the result of a query or mutation, or of a subscription that did not start. */
  end<Result extends object>(result: Result): Result {
    if (!(result instanceof PrintedResult)) {
      this.count((result as ExecutionResult).errors);
      this.#recorded?.add(result);
    }
    this.finish();
    return result;
  }

  fail(error: unknown): unknown {
    this.count([{}]);
    this.finish();
    return error;
  }

  /** Counts the errors of a result, each for the field that it belongs to. */
  count(errors: readonly Partial<GraphQLError>[] | undefined): void {
    if (errors === undefined || errors.length === 0) return;
    if (this.#request !== undefined) this.#request.errors += errors.length;
    const { metrics } = this.telemetry;
    if (metrics === undefined && this.#recorded === undefined) return;
    for (const { path, extensions } of errors) {
      const type = this.telemetry.labels.typeOf(extensions?.code);
      // An error without a path concerns the whole document.
      const label = path && this.operations.byKey.get(String(path[0]));
      for (const concerned of label === undefined ? this.operations.labels : [label]) {
        this.#recorded?.fail(concerned);
        metrics?.operationErrors.add(1, { ...concerned.over(this.protocol).attributes, 'error.type': type });
      }
    }
  }

  deliver(result: ExecutionResult): void {
    const { errors } = result;
    this.count(errors);
    this.#recorded?.add(result);
    const isOver = errors?.some(({ extensions }) => extensions.code === 'SUBSCRIBER_TOO_SLOW') === true;
    if (isOver) return;
    if (this.#request !== undefined) this.#request.events += 1;
    const [label] = this.operations.labels;
    if (errors === undefined && label !== undefined) countOne(label.over(this.protocol).delivered);
  }

  finish(): void {
    const { metrics } = this.telemetry;
    if (metrics !== undefined) {
      const seconds = (performance.now() - this.#start) / 1000;
      for (const label of this.operations.labels)
        metrics.operationDuration.record(seconds, label.over(this.protocol).duration);
    }
    if (this.#isOwn && this.#recorded !== undefined)
      this.telemetry.recording?.runEnded(this.#recorded, this.#start, performance.now());
    // A connection has many operations; each has a line of its own. HTTP has one for its answer.
    if (this.protocol === 'ws' && this.#request !== undefined) this.telemetry.record(this.#request);
  }
}

/** The results of a subscription, which count as delivered when the transport takes them. */
class TrackedResults extends PassedResults {
  #isOpen = true;
  readonly #entry: OpenSubscription | undefined;

  constructor(
    results: Results,
    private readonly run: OperationRun,
  ) {
    super(results);
    const [label] = run.operations.labels;
    if (label === undefined) return;
    this.#entry = {
      attributes: { 'gg.operation.name': label.name, 'gg.protocol': run.protocol },
      waiting: () => this.waiting,
    };
    run.telemetry.metrics?.openSubscriptions.add(this.#entry);
  }

  override async next(): Promise<ResultStep> {
    const step = await super.next();
    if (step.done === true) this.left();
    else this.run.deliver(step.value);
    return step;
  }

  protected override left(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (this.#entry !== undefined) this.run.telemetry.metrics?.openSubscriptions.delete(this.#entry);
    this.run.finish();
  }
}

function countOne(cell: TallyCell | undefined): void {
  if (cell !== undefined) cell.count += 1;
}
