import type { ValidationRule } from 'graphql';
import { limitError } from './limit-error.js';
import { asksForSchema, measureOperations, printAmount } from './measure.js';

/** `depth`: how many levels of fields an operation has. `{ user { name } }` has two. */
export function limitDepth(maximum: number): ValidationRule {
  return function DepthLimitRule(context) {
    measureOperations(
      context,
      {
        field: (node, below) => (asksForSchema(node) ? 1 : 1 + below),
        join: Math.max,
      },
      (node, depth) => {
        if (depth <= maximum) return;
        const message = `The operation has ${printAmount(depth)} levels of fields; at most ${maximum} are allowed.`;
        context.reportError(limitError({ limit: 'depth', maximum, message, node }));
      },
    );
    return {};
  };
}
