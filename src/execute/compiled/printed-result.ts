import type { ExecutionResult } from 'graphql';

/** The result of an operation with one root field and no errors, with the value of that field as JSON. */
export class PrintedResult {
  /**
   * @param key - Under which name the value stands in the result, as JSON.
   * @param value - The value as JSON.
   */
  constructor(
    readonly key: string,
    readonly value: string,
  ) {}
}

/** A result, as text where that was the shorter way. */
export type Printed = ExecutionResult | PrintedResult;
