import type { ASTNode, ValidationRule } from 'graphql';
import { limitError } from './limit-error.js';
import { asksForSchema, type Measure, measureOperations, printAmount, sum } from './measure.js';

/** `depth`: the nesting of fields of an operation. `{ user { name } }` has two. */
export const limitDepth = limitMeasure(
  'depth',
  { field: (node, below) => (asksForSchema(node) ? 1 : 1 + below), join: Math.max },
  (depth, maximum) => `has ${depth} levels of fields; at most ${maximum} are allowed.`,
);

/** `rootFields`: the fields that an operation selects on its root type. Each of them is separate work. */
export const limitRootFields = limitMeasure(
  'rootFields',
  { field: () => 1, join: sum },
  (fields, maximum) => `has ${fields} root fields; at most ${maximum} are allowed.`,
);

/** `aliases`: the aliased fields of an operation. Aliases allow it to select one field many times. */
export const limitAliases = limitMeasure(
  'aliases',
  { field: ({ alias }, below) => (alias === undefined ? below : 1 + below), join: sum },
  (aliases, maximum) => `has ${aliases} aliases; at most ${maximum} are allowed.`,
);

/** `directives`: the directives of an operation, its variables, fields and fragments. */
export const limitDirectives = limitMeasure(
  'directives',
  {
    field: (node, below) => directivesOf(node) + below,
    fragment: (node, inner, definition) =>
      directivesOf(node) + inner + (definition ? directivesOf(definition) : 0),
    operation: (node, below) =>
      (node.variableDefinitions ?? []).reduce(
        (total, each) => total + directivesOf(each),
        directivesOf(node) + below,
      ),
    join: sum,
  },
  (directives, maximum) => `has ${directives} directives; at most ${maximum} are allowed.`,
);

/** The cost factor of each level, because an object may be an item of a list. */
const levelFactor = 1.5;

/** `cost`: a scalar costs 1, an object 2 plus 1.5 times the cost of its selection. */
export const limitCost = limitMeasure(
  'cost',
  {
    field: (node, below) =>
      node.selectionSet === undefined || asksForSchema(node) ? 1 : 2 + levelFactor * below,
    join: sum,
  },
  (cost, maximum) => `costs ${cost}; at most ${maximum} is allowed.`,
);

function limitMeasure(
  limit: string,
  measure: Measure,
  describeExcess: (amount: string, maximum: number) => string,
): (maximum: number) => ValidationRule {
  return (maximum) => (context) => {
    measureOperations(context, measure, (node, amount) => {
      if (amount <= maximum) return;
      const message = `The operation ${describeExcess(printAmount(amount), maximum)}`;
      context.reportError(limitError({ limit, maximum, message, node }));
    });
    return {};
  };
}

function directivesOf(
  node: Extract<ASTNode, { readonly directives?: readonly unknown[] | undefined }>,
): number {
  return node.directives?.length ?? 0;
}
