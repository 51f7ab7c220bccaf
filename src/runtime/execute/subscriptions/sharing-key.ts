import { type DocumentNode, type ExecutionArgs, print } from 'graphql';
import { isPlainData } from '../../../base/values/plain-data.js';
import { remember } from '../../../compiler/graph/maps.js';
import { OperationRoot } from '../resolvers/operation-root.js';
import { rootFieldOf } from './resumption.js';

/**
 * Makes the keys of subscriptions: the document, the name of the operation, the variables, and, if the results can
 * depend on it, the context. The key of a subscription that cannot be shared is undefined.
 */
export function createSharingKeys(usesContext: (subscription: string) => boolean) {
  const texts = new WeakMap<DocumentNode, string>();
  const contexts = new WeakMap<object, number>();
  let lastContext = 0;

  const contextKey = (context: unknown): string | number | undefined => {
    if (context === undefined || context === null) return String(context);
    // A primitive context has no identity, so it disables sharing.
    if (typeof context !== 'object' && typeof context !== 'function') return undefined;
    return remember(contexts, context, () => ++lastContext);
  };

  return ({ document, operationName, variableValues, contextValue, rootValue }: ExecutionArgs) => {
    // Different values that are not plain data may have the same JSON.
    if (!isPlainData(variableValues)) return undefined;
    const field = rootFieldOf(document, operationName)?.name.value;
    const context = field === undefined || usesContext(field) ? contextKey(contextValue) : '';
    if (context === undefined) return undefined;
    const owner = rootValue instanceof OperationRoot ? rootValue.owner : undefined;
    return JSON.stringify([
      remember(texts, document, () => print(document)),
      operationName ?? null,
      variableValues ?? {},
      context,
      // Events that belong to owners are read for each owner apart.
      owner === undefined ? [] : [owner.id ?? null],
    ]);
  };
}
