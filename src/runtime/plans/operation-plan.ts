import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getArgumentValues,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql';
import { OperationRoot } from '../abort-signal.js';
import { isPromiseLike } from '../read-property.js';
import { ResumedRoot } from './resumed-root.js';
import { lively, planValue, unsure, type ValuePlan } from './value-plan.js';

/** Runs an operation of a valid document, as `execute` of graphql-js does. */
export type Execute = (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>;

/** What a document is once it was run: first seen, with a plan, or one that graphql-js runs each time. */
type Known = 'seen' | 'unplanned' | OperationPlan;

/**
 * Makes an `execute` that answers the same and is faster for documents that are run again: those with one
 * root field have a plan made for them, which calls the resolver of that field as graphql-js does and reads
 * its value without asking what is known from the schema. Wherever a plan does not know for certain what
 * graphql-js would answer, graphql-js answers; it goes on with the value that is there, so that no resolver
 * runs twice.
 *
 * Documents are known by identity, so they have to be kept by who wants them to be fast.
 */
export function createPlannedExecute(schema: GraphQLSchema): Execute {
  const known = new WeakMap<DocumentNode, Known>();
  return (args) => {
    const { document } = args;
    const found = known.get(document);
    if (found === undefined) {
      known.set(document, 'seen');
      return execute(args);
    }
    if (found === 'unplanned') return execute(args);
    const plan = found === 'seen' ? planOperation(schema, document) : found;
    if (plan === undefined || plan.isLively) {
      known.set(document, 'unplanned');
      return execute(args);
    }
    if (found === 'seen') known.set(document, plan);
    return runPlan(schema, plan, args);
  };
}

/** An operation with one root field, and what its value becomes. */
interface OperationPlan {
  readonly operation: OperationDefinitionNode;
  readonly parentType: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
  readonly node: FieldNode;
  readonly key: string;
  readonly valuePlan: ValuePlan;
  /** Set when a value turned out to be one that must not be looked at twice: then graphql-js looks alone. */
  isLively: boolean;
}

/** The plan of a document; undefined where there is none. */
export function planOperation(schema: GraphQLSchema, document: DocumentNode): OperationPlan | undefined {
  const [operation, ...others] = document.definitions;
  if (operation?.kind !== 'OperationDefinition' || others.length > 0) return undefined;
  if (operation.operation === 'subscription' || (operation.directives ?? []).length > 0) return undefined;
  const [node, ...rest] = operation.selectionSet.selections;
  if (node?.kind !== 'Field' || rest.length > 0 || (node.directives ?? []).length > 0) return undefined;
  const parentType = schema.getRootType(operation.operation);
  const field = parentType?.getFields()[node.name.value];
  if (parentType === undefined || parentType === null || field?.resolve === undefined) return undefined;
  const valuePlan = planValue(schema, field.type, node.selectionSet);
  if (valuePlan === undefined) return undefined;
  const key = node.alias?.value ?? node.name.value;
  return { operation, parentType, field, node, key, valuePlan, isLively: false };
}

/** How many mistakes in variables graphql-js tells of; any other number would make another answer. */
const maxVariableErrors = 50;

function runPlan(
  schema: GraphQLSchema,
  plan: OperationPlan,
  args: ExecutionArgs,
): ExecutionResult | Promise<ExecutionResult> {
  const { operation, field, node } = plan;
  const { rootValue, contextValue, variableValues, operationName } = args;
  if (typeof operationName === 'string' && operationName !== operation.name?.value) return execute(args);
  if (!(rootValue instanceof OperationRoot)) return execute(args);
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues ?? {}, {
    maxErrors: maxVariableErrors,
  });
  if (coerced === undefined || field.resolve === undefined) return execute(args);
  const fieldArgs = readArguments(field, node, coerced);
  if (fieldArgs === undefined) return execute(args);
  const info = resolveInfo(schema, plan, rootValue, coerced);
  let value: unknown;
  try {
    value = field.resolve(rootValue, fieldArgs, contextValue, info);
  } catch (error) {
    return resume(args, rootValue, rethrow(error));
  }
  if (!isPromiseLike(value)) return finish(plan, args, rootValue, value);
  return Promise.resolve(
    value.then(
      (settled) => finish(plan, args, rootValue, settled),
      (error: unknown) => resume(args, rootValue, rethrow(error)),
    ),
  );
}

function finish(
  plan: OperationPlan,
  args: ExecutionArgs,
  rootValue: OperationRoot,
  value: unknown,
): ExecutionResult | Promise<ExecutionResult> {
  let made: unknown;
  try {
    made = plan.valuePlan(value);
  } catch {
    // A getter threw; graphql-js will meet it again, and say where.
    made = unsure;
  }
  if (made === lively) plan.isLively = true;
  if (made === unsure || made === lively) return resume(args, rootValue, () => value);
  const data: Record<string, unknown> = Object.create(null);
  data[plan.key] = made;
  return { data };
}

/** Lets graphql-js go on after the resolver of the root field. */
function resume(args: ExecutionArgs, { signal }: OperationRoot, settle: () => unknown) {
  return execute({ ...args, rootValue: new ResumedRoot(signal, settle) });
}

function rethrow(error: unknown): () => never {
  return () => {
    throw error;
  };
}

/** The arguments of the field; undefined where graphql-js has something to say about them. */
function readArguments(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: Record<string, unknown>,
): Record<string, unknown> | undefined {
  try {
    return getArgumentValues(field, node, variables);
  } catch {
    return undefined;
  }
}

function resolveInfo(
  schema: GraphQLSchema,
  { operation, parentType, field, node, key }: OperationPlan,
  rootValue: OperationRoot,
  variableValues: Record<string, unknown>,
): GraphQLResolveInfo {
  return {
    fieldName: field.name,
    fieldNodes: [node],
    returnType: field.type,
    parentType,
    path: { prev: undefined, key, typename: parentType.name },
    schema,
    fragments: Object.create(null),
    rootValue,
    operation,
    variableValues,
  };
}
