// Types alone: metrics and logs use this before graphql-js is loaded.
import type { DirectiveNode, DocumentNode, FieldNode, OperationDefinitionNode, SelectionSetNode } from 'graphql';

/**
 * The fields that an operation selects on its root type, also through fragments, each as often as it is selected.
 *
 * @param isIncluded - Judges the directives of a selection. Default: `@skip` and `@include` are ignored.
 */
export function rootFieldsOf(
  { definitions }: DocumentNode,
  operation: OperationDefinitionNode,
  isIncluded: (directives: readonly DirectiveNode[]) => boolean = () => true,
): readonly FieldNode[] {
  const fields: FieldNode[] = [];
  const open = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (!isIncluded(selection.directives ?? [])) continue;
      if (selection.kind === 'Field') fields.push(selection);
      else if (selection.kind === 'InlineFragment') collect(selection.selectionSet);
      else {
        const { value: name } = selection.name;
        // A fragment within itself is an error of the document.
        if (open.has(name)) continue;
        open.add(name);
        for (const definition of definitions) {
          if (definition.kind === 'FragmentDefinition' && definition.name.value === name)
            collect(definition.selectionSet);
        }
        open.delete(name);
      }
    }
  };
  collect(operation.selectionSet);
  return fields;
}
