import type { JsonObject } from '../graph/json-value.js';
import type { GqlOperation, GqlSchema } from '../schema/gql-schema.js';
import { exampleArguments, isExemplary } from './examples.js';
import { operationDocument } from './operation-document.js';
import { printSelection } from './print-selection.js';
import { defaultSelection } from './selection.js';

/** The GraphQL document of an operation for readers, and the example values of its variables. */
export function exampleDocument(schema: GqlSchema, operation: GqlOperation) {
  const selection = printSelection(defaultSelection(schema, operation.type), '  ');
  const query = operationDocument(schema, operation, selection, { isMultiline: true, withDefaults: true });
  const shown = operation.arguments.filter((argument) => isExemplary(operation, argument));
  const variables: JsonObject = exampleArguments(schema, shown);
  return { query, variables };
}
