import type { ValidationRule } from 'graphql';
import { limitError } from './limit-error.js';
import { measureOperations, printAmount, sum } from './measure.js';

/** `aliases`: how many fields an operation renames. With an alias the same field can be asked for many times. */
export function limitAliases(maximum: number): ValidationRule {
  return function AliasesLimitRule(context) {
    measureOperations(
      context,
      {
        field: ({ alias }, below) => (alias === undefined ? below : 1 + below),
        join: sum,
      },
      (node, aliases) => {
        if (aliases <= maximum) return;
        const message = `The operation has ${printAmount(aliases)} aliases; at most ${maximum} are allowed.`;
        context.reportError(limitError({ limit: 'aliases', maximum, message, node }));
      },
    );
    return {};
  };
}
