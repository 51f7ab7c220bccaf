import type { ASTNode, ValidationRule } from 'graphql';
import { limitError } from './limit-error.js';
import { measureOperations, printAmount, sum } from './measure.js';

/** `directives`: how many directives an operation carries, on itself, its variables, fields and fragments. */
export function limitDirectives(maximum: number): ValidationRule {
  return function DirectivesLimitRule(context) {
    measureOperations(
      context,
      {
        field: (node, below) => on(node) + below,
        fragment: (node, inner, definition) =>
          on(node) + inner + (definition === undefined ? 0 : on(definition)),
        join: sum,
      },
      (node, below) => {
        const above = (node.variableDefinitions ?? []).reduce((total, each) => total + on(each), on(node));
        const directives = above + below;
        if (directives <= maximum) return;
        const message = `The operation has ${printAmount(directives)} directives; at most ${maximum} are allowed.`;
        context.reportError(limitError({ limit: 'directives', maximum, message, node }));
      },
    );
    return {};
  };
}

function on(node: Extract<ASTNode, { readonly directives?: readonly unknown[] | undefined }>): number {
  return node.directives?.length ?? 0;
}
