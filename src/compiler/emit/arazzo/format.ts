import type { JsonValue } from '../../graph/json-value.js';

/** An Arazzo description (Arazzo 1.0.1, section 4.6), as far as it is emitted. */
export interface ArazzoDescription {
  readonly arazzo: '1.0.1';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  /** The documents that describe the operations of steps. */
  readonly sourceDescriptions: readonly { readonly name: string; readonly url: string; readonly type: 'openapi' }[];
  readonly workflows: readonly ArazzoWorkflow[];
}

/** One workflow: steps that lead to the operation that it is named after. */
export interface ArazzoWorkflow {
  readonly workflowId: string;
  readonly summary: string;
  readonly description?: string;
  /** A JSON Schema; absent if no step takes one. */
  readonly inputs?: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, InputSchema>>;
    readonly required?: readonly string[];
  };
  readonly steps: readonly ArazzoStep[];
  readonly outputs?: Readonly<Record<string, string>>;
}

/** The JSON Schema of an input of a workflow. */
export interface InputSchema {
  readonly type?: JsonValue;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, InputSchema>>;
  readonly items?: InputSchema;
  readonly enum?: readonly JsonValue[];
  readonly required?: readonly string[];
  readonly default?: JsonValue;
}

/** One step: the call of an operation. */
export interface ArazzoStep {
  readonly stepId: string;
  readonly description: string;
  readonly operationId: string;
  readonly parameters?: readonly ArazzoParameter[];
  readonly requestBody?: { readonly contentType: 'application/json'; readonly payload: JsonValue };
  readonly successCriteria: readonly { readonly condition: string }[];
  readonly outputs?: Readonly<Record<string, string>>;
  /** The events that follow. An extension, because Arazzo 1.0 knows requests only. */
  readonly 'x-events'?: readonly ArazzoEvent[];
}

/** An argument of the operation of a step, and where its value comes from. */
export interface ArazzoParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly value: JsonValue;
}

/** The receipt of an event that follows from a step: a stream of Server-Sent Events, opened before the request is sent. */
export interface ArazzoEvent {
  readonly subscription: string;
  readonly path: string;
  /** The filters that have a value, and the credentials; absent if there are none. */
  readonly parameters?: readonly ArazzoParameter[];
  /** The JSON Schema of the data of the event. */
  readonly schema: { readonly $ref: string };
  /** The values of fields of the event; absent if none is known. */
  readonly matches?: Readonly<Record<string, string>>;
}
