import { type DirectiveNode, type GraphQLSchema, getArgumentValues, getOperationAST } from 'graphql';
import { isIncluded } from '../execute/graphql-js/is-included.js';
import { coerceVariables } from '../execute/graphql-js/releases.js';
import { rootFieldsOf } from '../limits/root-fields.js';
import type { Call, RootCall } from './call.js';

/** The number of errors in variables after which graphql-js gives up. */
const maxVariableErrors = 50;

/**
 * The root fields that a call runs, with their arguments, which are coerced once for all steps. A field whose arguments
 * or variables do not fit its type is left out: graphql-js reports it, and does not run it.
 */
export function rootCallsOf(call: Call, schema: GraphQLSchema): readonly RootCall[] {
  call.roots ??= readRootCalls(call, schema);
  return call.roots;
}

function readRootCalls({ args }: Call, schema: GraphQLSchema): readonly RootCall[] {
  const { document, operationName, variableValues } = args;
  const operation = getOperationAST(document, operationName);
  const root = operation && schema.getRootType(operation.operation);
  if (!operation || !root) return [];
  const definitions = operation.variableDefinitions ?? [];
  const variables = coerceVariables(schema, definitions, variableValues ?? {}, maxVariableErrors);
  if (variables === undefined) return [];
  const found: RootCall[] = [];
  const isRun = (directives: readonly DirectiveNode[]): boolean => isIncluded(directives, variables);
  for (const node of rootFieldsOf(document, operation, isRun)) {
    const field = root.getFields()[node.name.value];
    if (field === undefined) continue;
    const key = node.alias?.value ?? node.name.value;
    if (found.some((one) => one.key === key)) continue;
    try {
      found.push({ name: field.name, key, node, args: getArgumentValues(field, node, variables) });
    } catch {
      // graphql-js reports the arguments.
    }
  }
  return found;
}
