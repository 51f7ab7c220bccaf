import { type ExecutionResult, type FieldNode, type GraphQLError, valueFromASTUntyped } from 'graphql';
import type { CallArgs } from '../../call/call.js';
import type { Calls } from '../../call/calls.js';
import { PrintedResult } from '../../execute/compiled/printed-result.js';
import type { PlacedResults } from '../../execute/subscriptions/event-id.js';
import type { OpenSubscription, TallyCell } from '../../tracing/svc-metrics.js';
import type { DocumentOperations, Protocol } from './operation-labels.js';
import { RecordedRun } from './recorded-run.js';
import { WatchedRequest } from './watched-request.js';
import type { Watcher } from './watcher.js';

/** An executor that records its operations. */
export function watchExecution(execution: Calls, watcher: Watcher): Calls {
  watcher.serves(execution);
  return {
    ...execution,
    async execute(args) {
      if (!watcher.isOn) return execution.execute(args);
      const run = new OperationRun(watcher, args);
      try {
        return run.end(await run.within(() => execution.execute(args)));
      } catch (error) {
        throw run.fail(error);
      }
    },
    answer(args) {
      if (!watcher.isOn) return execution.answer(args);
      const run = new OperationRun(watcher, args);
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
      if (!watcher.isOn) return execution.subscribe(args);
      const run = new OperationRun(watcher, args);
      try {
        const started = await run.within(() => execution.subscribe(args));
        return Symbol.asyncIterator in started ? new WatchedResults(started, run) : run.end(started);
      } catch (error) {
        throw run.fail(error);
      }
    },
  };
}

/** One operation, from its start to its end. */
class OperationRun {
  readonly protocol: Protocol;
  readonly operations: DocumentOperations;
  readonly #start: number;
  readonly #request: WatchedRequest | undefined;
  readonly #recorded: RecordedRun | undefined;

  constructor(
    readonly watcher: Watcher,
    args: CallArgs,
  ) {
    const { watched, document, operationName } = args;
    const { recording } = watcher;
    this.#request = watched instanceof WatchedRequest ? watched : undefined;
    const isTimed = watcher.metrics !== undefined || this.#request === undefined;
    this.#start = isTimed ? performance.now() : 0;
    this.protocol = args.protocol ?? (this.#request === undefined ? 'process' : 'graphql');
    this.operations = watcher.labels.operationsOf(document, operationName);
    const { labels, fields } = this.operations;
    const { logs } = watcher;
    if (watcher.metrics !== undefined)
      for (const label of labels) countOne(label.over(this.protocol).requests);
    // A request that began before the recorder was turned on is not recorded.
    const isKnown = this.#request !== undefined || this.protocol === 'process';
    if (recording !== undefined && labels.length > 0 && isKnown)
      this.#recorded = new RecordedRun(labels, this.protocol, args);
    if (this.#request === undefined) return;
    if (this.#recorded !== undefined) this.#request.runs = [...this.#request.runs, this.#recorded];
    this.#request.protocol = this.protocol;
    this.#request.add(labels);
    if (logs !== undefined && logs.arguments !== false)
      this.#request.arguments = argumentsOf(fields, args.variableValues, logs.arguments);
  }

  /** Does the work of the operation. */
  within<Result>(work: () => Result): Result {
    const { recording } = this.watcher;
    return recording === undefined || this.#recorded === undefined
      ? work()
      : recording.within(this.#recorded, work);
  }

  /** Records the result of a query or mutation, or of a subscription that did not start. */
  end<Result extends object>(result: Result): Result {
    if (!(result instanceof PrintedResult)) {
      this.count((result as ExecutionResult).errors);
      this.#recorded?.add(result);
    }
    this.#finish();
    return result;
  }

  fail(error: unknown): unknown {
    this.count([{}]);
    this.#finish();
    return error;
  }

  /** Counts the errors of a result, each for the field that it belongs to. */
  count(errors: readonly Partial<GraphQLError>[] | undefined): void {
    if (errors === undefined || errors.length === 0) return;
    if (this.#request !== undefined) this.#request.errors += errors.length;
    const { metrics } = this.watcher;
    if (metrics === undefined && this.#recorded === undefined) return;
    for (const { path, extensions } of errors) {
      const code = extensions?.code;
      const type = typeof code === 'string' && this.watcher.labels.knowsCode(code) ? code : '_OTHER';
      // An error without a path concerns the whole document.
      const label = path && this.operations.byKey.get(String(path[0]));
      for (const concerned of label === undefined ? this.operations.labels : [label]) {
        this.#recorded?.fail(concerned);
        metrics?.operationErrors.add(1, { ...concerned.over(this.protocol).attributes, 'error.type': type });
      }
    }
  }

  /** A result of a subscription has reached its transport. */
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

  /** Records the end of a subscription. */
  close(): void {
    this.#finish();
  }

  #finish(): void {
    const { metrics } = this.watcher;
    if (metrics !== undefined) {
      const seconds = (performance.now() - this.#start) / 1000;
      for (const label of this.operations.labels)
        metrics.operationDuration.record(seconds, label.over(this.protocol).duration);
    }
    if (this.protocol === 'process' && this.#recorded !== undefined)
      this.watcher.recording?.runEnded(this.#recorded, this.#start, performance.now());
    // A connection has many operations; each has a line of its own. HTTP has one for its answer.
    if (this.protocol === 'ws' && this.#request !== undefined) this.watcher.record(this.#request);
  }
}

/** The results of a subscription, which count as delivered when the transport takes them. */
class WatchedResults implements AsyncGenerator<ExecutionResult, void, void>, PlacedResults {
  #isOpen = true;
  readonly #entry: OpenSubscription | undefined;

  constructor(
    private readonly results: AsyncGenerator<ExecutionResult, void, void> & PlacedResults,
    private readonly run: OperationRun,
  ) {
    const [label] = run.operations.labels;
    if (label === undefined) return;
    const { name } = label;
    const queue = results as { readonly waiting?: number };
    this.#entry = {
      attributes: { 'gg.operation.name': name, 'gg.protocol': run.protocol },
      waiting: () => queue.waiting ?? 0,
    };
    run.watcher.metrics?.openSubscriptions.add(this.#entry);
  }

  get openingId(): string | undefined {
    return this.results.openingId;
  }

  get idleId(): string | undefined {
    return this.results.idleId;
  }

  get caughtUp(): Promise<void> | undefined {
    return this.results.caughtUp;
  }

  get isCut(): boolean {
    return this.results.isCut === true;
  }

  async next(): Promise<IteratorResult<ExecutionResult, void>> {
    const step = await this.results.next();
    if (step.done === true) this.#close();
    else this.run.deliver(step.value);
    return step;
  }

  return(): Promise<IteratorResult<ExecutionResult, void>> {
    this.#close();
    return this.results.return();
  }

  throw(error: unknown): Promise<IteratorResult<ExecutionResult, void>> {
    this.#close();
    return this.results.throw(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (this.#entry !== undefined) this.run.watcher.metrics?.openSubscriptions.delete(this.#entry);
    this.run.close();
  }
}

function countOne(cell: TallyCell | undefined): void {
  if (cell !== undefined) cell.count += 1;
}

/** The arguments of the operations of a document by their names in the schema, whatever its variables are called. */
function argumentsOf(
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
