import { type DocumentNode, type ExecutionArgs, execute, type GraphQLSchema } from 'graphql';
import { OperationRoot } from '../resolvers/operation-root.js';
import { planVariables } from './argument-plan.js';
import { type OperationPlan, PlanRun } from './plan-run.js';
import { planField } from './print-plan.js';
import type { Printed } from './printed-result.js';

/**
 * Creates an executor of valid documents that compiles those which are executed repeatedly; their results are text. The
 * plan of a document with one root field calls the resolver of that field as graphql-js does and prints its value without
 * building a result. If a plan does not cover a value, graphql-js continues with the values that the plan has read, so no
 * resolver runs twice and no property is read twice.
 *
 * Documents are recognized by identity, so callers must cache them to use the fast path.
 */
export function createPrintingExecutor(schema: GraphQLSchema) {
  const known = new WeakMap<DocumentNode, 'seen' | 'unplanned' | OperationPlan>();
  const planOf = (document: DocumentNode): OperationPlan | undefined => {
    const found = known.get(document);
    if (found === undefined) known.set(document, 'seen');
    if (found === undefined || found === 'unplanned') return undefined;
    const plan = found === 'seen' ? planOperation(schema, document) : found;
    if (plan === undefined || plan.misfits >= maxMisfits) {
      known.set(document, 'unplanned');
      return undefined;
    }
    if (found === 'seen') known.set(document, plan);
    return plan;
  };
  return (args: ExecutionArgs): Printed | Promise<Printed> => {
    const plan = planOf(args.document);
    return plan === undefined ? execute(args) : runPlan(plan, args);
  };
}

/** A plan that did not fit this many values in a row is dropped, since it only delays graphql-js. */
const maxMisfits = 8;

/** Compiles a document; undefined if it has no plan. */
export function planOperation(schema: GraphQLSchema, document: DocumentNode): OperationPlan | undefined {
  const [operation, ...others] = document.definitions;
  if (operation?.kind !== 'OperationDefinition' || others.length > 0) return undefined;
  if (operation.operation === 'subscription' || (operation.directives ?? []).length > 0) return undefined;
  const [node, ...rest] = operation.selectionSet.selections;
  if (node?.kind !== 'Field' || rest.length > 0 || (node.directives ?? []).length > 0) return undefined;
  const rootType = schema.getRootType(operation.operation);
  const names = new Set<string>();
  const field = rootType && planField({ schema, operation, names }, rootType, node);
  if (!field?.call) return undefined;
  const { key, call, print } = field;
  const place = { prev: undefined, key, typename: rootType?.name };
  return {
    operation,
    readVariables: planVariables(schema, operation),
    key: JSON.stringify(key),
    print: (turn) => call(turn.run.root, turn, place) && print(turn.values, 0, turn, place, -1),
    names: [...names],
    misfits: 0,
  };
}

function runPlan(plan: OperationPlan, args: ExecutionArgs): Printed | Promise<Printed> {
  const { operation, names } = plan;
  const { rootValue, variableValues, operationName } = args;
  if (typeof operationName === 'string' && operationName !== operation.name?.value) return execute(args);
  if (!(rootValue instanceof OperationRoot)) return execute(args);
  for (const name of names) if (name in Object.prototype) return execute(args);
  const variables = plan.readVariables(variableValues ?? {});
  if (variables === undefined) return execute(args);
  return new PlanRun(plan, args, rootValue, variables).print();
}
