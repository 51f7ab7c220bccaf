import type {
  ASTNode,
  FieldNode,
  FragmentDefinitionNode,
  FragmentSpreadNode,
  InlineFragmentNode,
  OperationDefinitionNode,
  SelectionSetNode,
  ValidationContext,
  ValidationRule,
} from 'graphql';
import { limitError } from './limit-error.js';

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
    fragment: (node, inner, definition) => directivesOf(node) + inner + (definition ? directivesOf(definition) : 0),
    operation: (node, below) =>
      (node.variableDefinitions ?? []).reduce((total, each) => total + directivesOf(each), directivesOf(node) + below),
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
    field: (node, below) => (node.selectionSet === undefined || asksForSchema(node) ? 1 : 2 + levelFactor * below),
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
      const shown = amount > 1e6 ? 'more than 1000000' : String(Math.ceil(amount));
      const message = `The operation ${describeExcess(shown, maximum)}`;
      context.reportError(limitError(limit, maximum, message, node));
    });
    return {};
  };
}

function directivesOf(node: Extract<ASTNode, { readonly directives?: readonly unknown[] | undefined }>): number {
  return node.directives?.length ?? 0;
}

/** The definition of a measure: what each part of an operation adds, and how the parts of a selection are combined. */
export interface Measure {
  /** The size of a field with the size of its selection; 0 if it has none. */
  field(node: FieldNode, below: number): number;
  /** The size of a fragment with the size of its selection. A spread has its definition. Default: `inner`. */
  fragment?(
    node: InlineFragmentNode | FragmentSpreadNode,
    inner: number,
    definition: FragmentDefinitionNode | undefined,
  ): number;
  /** The size of an operation with the size of its selection. Default: `below`. */
  operation?(node: OperationDefinitionNode, below: number): number;
  join(one: number, other: number): number;
}

function sum(one: number, other: number): number {
  return one + other;
}

/**
 * Measures the operations of a document as they would be executed: each spread counts like the content of its fragment.
 * A fragment is measured once, so the time is linear in the length of the document even if the size is exponential. A
 * recursive spread counts 0; another rule reports the cycle.
 */
function measureOperations(
  context: ValidationContext,
  measure: Measure,
  report: (operation: OperationDefinitionNode, amount: number) => void,
): void {
  const known = new Map<string, number>();

  const ofSelections = ({ selections }: SelectionSetNode): number => {
    let total = 0;
    for (const selection of selections) {
      total = measure.join(
        total,
        selection.kind === 'Field'
          ? measure.field(selection, selection.selectionSet === undefined ? 0 : ofSelections(selection.selectionSet))
          : ofFragment(selection),
      );
    }
    return total;
  };

  const ofFragment = (node: InlineFragmentNode | FragmentSpreadNode): number => {
    if (node.kind === 'InlineFragment') {
      const inner = ofSelections(node.selectionSet);
      return measure.fragment?.(node, inner, undefined) ?? inner;
    }
    const definition = context.getFragment(node.name.value) ?? undefined;
    const inner = definition === undefined ? 0 : ofDefinition(definition);
    return measure.fragment?.(node, inner, definition) ?? inner;
  };

  const ofDefinition = ({ name, selectionSet }: FragmentDefinitionNode): number => {
    const before = known.get(name.value);
    if (before !== undefined) return before;
    known.set(name.value, 0);
    const amount = ofSelections(selectionSet);
    known.set(name.value, amount);
    return amount;
  };

  for (const definition of context.getDocument().definitions) {
    if (definition.kind !== 'OperationDefinition') continue;
    const below = ofSelections(definition.selectionSet);
    report(definition, measure.operation?.(definition, below) ?? below);
  }
}

/** Whether a field queries the schema. graphql-js and the limit `introspection` have rules of their own for it. */
export function asksForSchema({ name }: FieldNode): boolean {
  return name.value === '__schema' || name.value === '__type';
}
