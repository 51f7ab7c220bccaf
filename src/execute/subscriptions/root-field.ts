import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getOperationAST,
  Kind,
  type SelectionSetNode,
} from 'graphql';

/** The name of the only field of a subscription, in a valid document. */
export function rootFieldOf(
  document: DocumentNode,
  operationName: string | null | undefined,
): string | undefined {
  return rootFieldNodeOf(document, operationName)?.name.value;
}

/** The only field of a subscription, in a valid document. */
export function rootFieldNodeOf(
  document: DocumentNode,
  operationName: string | null | undefined,
): FieldNode | undefined {
  const operation = getOperationAST(document, operationName);
  return operation ? firstField(document, operation.selectionSet) : undefined;
}

function firstField(document: DocumentNode, { selections }: SelectionSetNode): FieldNode | undefined {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) return selection;
    const { selectionSet } =
      selection.kind === Kind.INLINE_FRAGMENT ? selection : fragmentOf(document, selection.name.value);
    const found = firstField(document, selectionSet);
    if (found !== undefined) return found;
  }
  return undefined;
}

function fragmentOf({ definitions }: DocumentNode, name: string): FragmentDefinitionNode {
  const found = definitions.find(
    (definition): definition is FragmentDefinitionNode =>
      definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
  );
  if (found === undefined) throw new Error(`invariant: a valid document has the fragment ${name}`);
  return found;
}
