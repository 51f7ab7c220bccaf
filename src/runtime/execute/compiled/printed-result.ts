import type { ExecutionResult } from 'graphql';
import type { JsonText } from './json-text.js';

/** The result of an operation with one root field and no errors, with the value of that field as JSON. */
export class PrintedResult {
  /**
   * @param key - The response name of the field, as JSON.
   * @param json - The value as JSON.
   */
  constructor(
    readonly key: string,
    readonly json: JsonText,
  ) {}

  /** The value as one text. */
  get value(): string {
    return typeof this.json === 'string' ? this.json : Buffer.concat(this.json).toString();
  }
}

/** A result, or its text if a compiled plan printed it. */
export type Printed = ExecutionResult | PrintedResult;
