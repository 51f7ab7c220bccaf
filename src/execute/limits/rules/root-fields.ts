import type { ValidationRule } from 'graphql';
import { limitError } from './limit-error.js';
import { measureOperations, printAmount, sum } from './measure.js';

/** `rootFields`: how many fields an operation asks of its root type. Each of them is work of its own. */
export function limitRootFields(maximum: number): ValidationRule {
  return function RootFieldsLimitRule(context) {
    measureOperations(context, { field: () => 1, join: sum }, (node, fields) => {
      if (fields <= maximum) return;
      const message = `The operation has ${printAmount(fields)} root fields; at most ${maximum} are allowed.`;
      context.reportError(limitError({ limit: 'rootFields', maximum, message, node }));
    });
    return {};
  };
}
