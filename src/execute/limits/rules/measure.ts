import type {
  FieldNode,
  FragmentDefinitionNode,
  FragmentSpreadNode,
  InlineFragmentNode,
  OperationDefinitionNode,
  SelectionSetNode,
  ValidationContext,
} from 'graphql';

/** How much something is: what each part adds, and how the parts of a selection come together. */
export interface Measure {
  /** What a field is, when all that is selected below it is `below`; 0 where nothing is. */
  field(node: FieldNode, below: number): number;
  /** What a fragment is where it stands, when its selection is `inner`. A spread brings its definition. */
  fragment?(
    node: InlineFragmentNode | FragmentSpreadNode,
    inner: number,
    definition: FragmentDefinitionNode | undefined,
  ): number;
  join(one: number, other: number): number;
}

/** Adds two amounts. */
export function sum(one: number, other: number): number {
  return one + other;
}

/**
 * Measures the operations of a document as they would be executed: each spread of a fragment counts as if
 * the fragment stood there. A fragment is worked out once, so that the time is linear in the length of the
 * document even where what is measured is exponential. A fragment that contains itself counts as nothing
 * inside of itself; that it does is the finding of another rule.
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
    if (definition.kind === 'OperationDefinition') report(definition, ofSelections(definition.selectionSet));
  }
}

/** Whether a field asks about the schema. Rules of its own hold for it, of graphql-js and of `introspection`. */
export function asksForSchema({ name }: FieldNode): boolean {
  return name.value === '__schema' || name.value === '__type';
}

/** A number for a message; it may be astronomic. */
export function printAmount(amount: number): string {
  return amount > 1e6 ? 'more than 1000000' : String(Math.ceil(amount));
}
