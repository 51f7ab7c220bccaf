import type { ValidationRule } from 'graphql';
import { limitError } from './limit-error.js';
import { asksForSchema, measureOperations, printAmount, sum } from './measure.js';

/** What the fields of a level count for, compared with the level above: an object may be one of a list. */
const levelFactor = 1.5;

/** `cost`: a scalar costs 1, an object 2, and what is below an object one and a half times as much. */
export function limitCost(maximum: number): ValidationRule {
  return function CostLimitRule(context) {
    measureOperations(
      context,
      {
        field: (node, below) =>
          node.selectionSet === undefined || asksForSchema(node) ? 1 : 2 + levelFactor * below,
        join: sum,
      },
      (node, cost) => {
        if (cost <= maximum) return;
        const message = `The operation costs ${printAmount(cost)}; at most ${maximum} is allowed.`;
        context.reportError(limitError({ limit: 'cost', maximum, message, node }));
      },
    );
    return {};
  };
}
