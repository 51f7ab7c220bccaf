/** What a span may say of itself under one name. */
export type SvcAttributeValue = string | number | boolean | string[] | number[] | boolean[];

/** Attributes by name; undefined stands for one that is left out. */
export interface SvcAttributes {
  [name: string]: SvcAttributeValue | undefined;
}

/**
 * A span: the part of OpenTelemetry's `Span` that an instrumented program needs. It is written down here
 * so that the types of this package can be read where `@opentelemetry/api` is not installed; a span of
 * OpenTelemetry fits it.
 */
export interface SvcSpan {
  /** Sets one attribute, over an earlier one of the same name. */
  setAttribute(name: string, value: SvcAttributeValue): this;
  /** Sets several attributes. */
  setAttributes(attributes: SvcAttributes): this;
  /** Notes something that happened now. */
  addEvent(name: string, attributes?: SvcAttributes): this;
  /** Notes an error; the status is set apart from it. */
  recordException(exception: Error | string): void;
  /** Says how it went: 0 unset, 1 fine, 2 failed. */
  setStatus(status: { code: 0 | 1 | 2; message?: string }): this;
  /** Gives the span another name. */
  updateName(name: string): this;
  /** Ends the span; what is said after that is lost. */
  end(): void;
  /** Whether anybody will see what is said; costly attributes need not be made when not. */
  isRecording(): boolean;
  /** The ids of the span, as they travel in a `traceparent` header. */
  spanContext(): { traceId: string; spanId: string; traceFlags: number };
}

/** How a span is started. */
export interface SvcSpanOptions {
  /** What is known from the start; samplers see it. */
  attributes?: SvcAttributes;
}

/** A tracer: the part of OpenTelemetry's `Tracer` that an instrumented program needs. */
export interface SvcTracer {
  /** Starts a span below the active one. Who starts it ends it. */
  startSpan(name: string, options?: SvcSpanOptions): SvcSpan;
  /** Starts a span below the active one and runs a function in which it is the active one. */
  startActiveSpan<Result>(name: string, run: (span: SvcSpan) => Result): Result;
  /** The same, with what the span is to say from its start. */
  startActiveSpan<Result>(name: string, options: SvcSpanOptions, run: (span: SvcSpan) => Result): Result;
}

/** The span of a program that nobody traces. */
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
