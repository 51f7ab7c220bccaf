/** The value of a span attribute. */
export type SvcAttributeValue = string | number | boolean | string[] | number[] | boolean[];

/** Attributes by name; undefined values are left out. */
export interface SvcAttributes {
  [name: string]: SvcAttributeValue | undefined;
}

/** A span, to which OpenTelemetry's is assignable: the types of this package work without `@opentelemetry/api`. */
export interface SvcSpan {
  /** Sets an attribute; a later value replaces an earlier one. */
  setAttribute(name: string, value: SvcAttributeValue): this;
  /** Sets several attributes. */
  setAttributes(attributes: SvcAttributes): this;
  /** Records an event. */
  addEvent(name: string, attributes?: SvcAttributes): this;
  /** Records an error; does not change the status. */
  recordException(exception: Error | string): void;
  /** Sets the status: 0 unset, 1 ok, 2 error. */
  setStatus(status: { code: 0 | 1 | 2; message?: string }): this;
  /** Renames the span. */
  updateName(name: string): this;
  /** Ends the span; later calls have no effect. */
  end(): void;
  /** Whether the span is recorded; if not, skip attributes that are expensive to compute. */
  isRecording(): boolean;
  /** The ids of the span, as in a `traceparent` header. */
  spanContext(): { traceId: string; spanId: string; traceFlags: number };
}

/** Options of a new span. */
export interface SvcSpanOptions {
  /** Initial attributes; samplers see them. */
  attributes?: SvcAttributes;
  /** The kind: 0 internal (the default), 1 server, 2 client, 3 producer, 4 consumer. */
  kind?: 0 | 1 | 2 | 3 | 4;
  /** Spans that it has to do with, other than its parent. */
  links?: { context: { traceId: string; spanId: string; traceFlags: number } }[];
}

/** A tracer: the subset of OpenTelemetry's `Tracer` that an instrumented program needs. */
export interface SvcTracer {
  /** Starts a child of the active span. The caller ends it. */
  startSpan(name: string, options?: SvcSpanOptions): SvcSpan;
  /** Starts a child of the active span, and runs a function with it as the active span. */
  startActiveSpan<Result>(name: string, run: (span: SvcSpan) => Result): Result;
  /** The same, with options. */
  startActiveSpan<Result>(name: string, options: SvcSpanOptions, run: (span: SvcSpan) => Result): Result;
}

export const noSpan: SvcSpan = {
  setAttribute: () => noSpan,
  setAttributes: () => noSpan,
  addEvent: () => noSpan,
  recordException: () => undefined,
  setStatus: () => noSpan,
  updateName: () => noSpan,
  end: () => undefined,
  isRecording: () => false,
  spanContext: () => ({ traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: 0 }),
};
