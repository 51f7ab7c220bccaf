import { type DocumentNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';

/**
 * The root fields that an operation of a valid document calls, through fragments and whatever `@skip` and `@include` say:
 * each name as often as it is selected.
 */
export function calledFields(
  { definitions }: DocumentNode,
  operation: OperationDefinitionNode,
): readonly string[] {
  const called: string[] = [];
  // A valid document has no cycle of fragments.
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) called.push(selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else {
        const { value: name } = selection.name;
        for (const definition of definitions) {
          if (definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name)
            collect(definition.selectionSet);
        }
      }
    }
  };
  collect(operation.selectionSet);
  return called;
}
