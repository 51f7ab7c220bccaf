import { type DocumentNode, type FieldNode, getOperationAST } from 'graphql';
import { rootFieldsOf } from '../../limits/root-fields.js';

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
  return operation ? rootFieldsOf(document, operation)[0] : undefined;
}
