import type {
  FieldNode,
  FragmentDefinitionNode,
  FragmentSpreadNode,
  InlineFragmentNode,
  OperationDefinitionNode,
  SelectionSetNode,
  ValidationContext,
} from 'graphql';

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

export function sum(one: number, other: number): number {
  return one + other;
}

/**
 * Measures the operations of a document as they would be executed: each spread counts like the content of its fragment.
 * A fragment is measured once, so the time is linear in the length of the document even if the size is exponential. A
 * recursive spread counts 0; another rule reports the cycle.
 */
export function measureOperations(
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
          ? measure.field(
              selection,
              selection.selectionSet === undefined ? 0 : ofSelections(selection.selectionSet),
            )
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

export function printAmount(amount: number): string {
  return amount > 1e6 ? 'more than 1000000' : String(Math.ceil(amount));
}
