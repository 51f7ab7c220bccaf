import { type DocumentNode, type ExecutionArgs, print } from 'graphql';
import { isPlainData } from '../../../base/values/plain-data.js';
import { OperationRoot } from '../resolvers/operation-root.js';
import { rootFieldOf } from './root-field.js';

/** The key under which equal subscriptions are shared; undefined for a subscription that cannot be shared. */
export type SharingKeys = (args: ExecutionArgs) => string | undefined;

/**
 * Makes the keys of subscriptions: the document, the name of the operation, the variables, and, if the results can
 * depend on it, the context.
 */
export function createSharingKeys(usesContext: (subscription: string) => boolean): SharingKeys {
  const texts = new WeakMap<DocumentNode, string>();
  const contexts = new WeakMap<object, number>();
  let lastContext = 0;

  const textOf = (document: DocumentNode): string => {
    const text = texts.get(document) ?? print(document);
    texts.set(document, text);
    return text;
  };
  const contextKey = (context: unknown): string | number | undefined => {
    if (context === undefined || context === null) return String(context);
    // A primitive context has no identity, so it disables sharing.
    if (typeof context !== 'object' && typeof context !== 'function') return undefined;
    const number = contexts.get(context) ?? ++lastContext;
    contexts.set(context, number);
    return number;
  };

  return ({ document, operationName, variableValues, contextValue, rootValue }) => {
    // Different values that are not plain data may have the same JSON.
    if (!isPlainData(variableValues)) return undefined;
    const field = rootFieldOf(document, operationName);
    const context = field === undefined || usesContext(field) ? contextKey(contextValue) : '';
    if (context === undefined) return undefined;
    return JSON.stringify([
      textOf(document),
      operationName ?? null,
      variableValues ?? {},
      context,
      ownerKey(rootValue),
    ]);
  };
}

/** Events that belong to owners are read for each owner apart. */
function ownerKey(rootValue: unknown): readonly unknown[] {
  const owner = rootValue instanceof OperationRoot ? rootValue.owner : undefined;
  return owner === undefined ? [] : [owner.id ?? null];
}
