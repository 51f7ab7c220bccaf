import { AsyncLocalStorage } from 'node:async_hooks';
import { noSpan, type SvcAttributes, type SvcAttributeValue, type SvcSpan, type SvcSpanOptions } from './span.js';

/** A span in memory. Times are those of `performance.now()`. */
export interface CollectedSpan {
  readonly id: number;
  /** Undefined for a span directly below the trace. */
  readonly parent: number | undefined;
  name: string;
  readonly start: number;
  end: number | undefined;
  readonly attributes: SvcAttributes;
  error: string | undefined;
}

/** The spans of one piece of work. */
export class SpanTrace {
  readonly spans: CollectedSpan[] = [];

  /** Adds a span; undefined if there are too many. */
  add(name: string, parent: number | undefined, attributes: SvcAttributes): CollectedSpan | undefined {
    if (this.spans.length >= maxSpans) return undefined;
    const start = performance.now();
    const span = { id: this.spans.length, parent, name, start, end: undefined, attributes, error: undefined };
    this.spans.push(span);
    return span;
  }
}

/** A list of thousands of objects may make a span for each. */
const maxSpans = 200;

interface Place {
  readonly trace: SpanTrace;
  /** Undefined outside of the spans of the trace. */
  readonly span: number | undefined;
}

/**
 * Collects spans in memory, without OpenTelemetry: those that are started while a function runs within a trace, also
 * asynchronously. `svc-tracing.ts` passes each span to it while it is open.
 */
export class SpanCollector {
  readonly #places = new AsyncLocalStorage<Place>();
  #running = 0;
  /** Called when the first of the works that are traced at a time begins, and when the last has ended. */
  onChange: () => void = () => undefined;

  get isRunning(): boolean {
    return this.#running > 0;
  }

  get trace(): SpanTrace | undefined {
    return this.#places.getStore()?.trace;
  }

  /** Runs a function whose spans belong to a trace, until its promise settles if it returns one. */
  collect<Result>(trace: SpanTrace, run: () => Result): Result {
    this.#running += 1;
    if (this.#running === 1) this.onChange();
    let result: Result;
    try {
      result = this.#places.run({ trace, span: undefined }, run);
    } catch (error) {
      this.#end();
      throw error;
    }
    if (result instanceof Promise) result.then(this.#end, this.#end);
    else this.#end();
    return result;
  }

  /** While the storage is on, Node.js calls a hook for each promise of the process. */
  readonly #end = (): void => {
    this.#running -= 1;
    if (this.#running > 0) return;
    this.#places.disable();
    this.onChange();
  };

  /** Starts a child of the active span; undefined outside of a trace. */
  start(name: string, { attributes = {} }: SvcSpanOptions): CollectingSpan | undefined {
    const place = this.#places.getStore();
    const span = place?.trace.add(name, place.span, { ...attributes });
    return place === undefined || span === undefined ? undefined : new CollectingSpan(place.trace, span);
  }

  within<Result>({ trace, span }: CollectingSpan, run: () => Result): Result {
    return this.#places.run({ trace, span: span.id }, run);
  }
}

/** A span that writes to memory, and to a span of OpenTelemetry if there is one. */
export class CollectingSpan implements SvcSpan {
  beside: SvcSpan = noSpan;

  constructor(
    readonly trace: SpanTrace,
    readonly span: CollectedSpan,
  ) {}

  setAttribute(name: string, value: SvcAttributeValue): this {
    return this.setAttributes({ [name]: value });
  }

  setAttributes(attributes: SvcAttributes): this {
    Object.assign(this.span.attributes, attributes);
    this.beside.setAttributes(attributes);
    return this;
  }

  addEvent(name: string, attributes?: SvcAttributes): this {
    this.beside.addEvent(name, attributes);
    return this;
  }

  recordException(exception: Error | string): void {
    this.span.error = typeof exception === 'string' ? exception : exception.message;
    this.beside.recordException(exception);
  }

  setStatus(status: { code: 0 | 1 | 2; message?: string }): this {
    if (status.code === 2) this.span.error = status.message ?? this.span.error ?? '';
    this.beside.setStatus(status);
    return this;
  }

  updateName(name: string): this {
    this.span.name = name;
    this.beside.updateName(name);
    return this;
  }

  end(): void {
    this.span.end ??= performance.now();
    this.beside.end();
  }

  isRecording(): boolean {
    return true;
  }

  spanContext(): ReturnType<SvcSpan['spanContext']> {
    return this.beside.spanContext();
  }
}
