import type { ExecutionResult } from 'graphql';

/** The result of an operation with one root field and no errors, with the value of that field as JSON. */
export class PrintedResult {
  /**
   * @param key - The response name of the field, as JSON.
   * @param value - The value as JSON.
   */
  constructor(
    readonly key: string,
    readonly value: string,
  ) {}
}

/** A result, or its text if a compiled plan printed it. */
export type Printed = ExecutionResult | PrintedResult;
