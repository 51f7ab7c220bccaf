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
  type OperationDefinitionNode,
} from 'graphql';
import { OperationRoot } from '../resolvers/abort-signal.js';
import { isPromiseLike } from '../values/read-property.js';
import { type ArgumentsReader, planArguments } from './argument-plan.js';
import { type Printed, PrintedResult } from './printed-result.js';
import { ResumedRoot } from './resumed-root.js';
import { type Doubt, lively, planValue, unsure } from './value-plan.js';

/** Runs operations of valid documents. */
export interface PlannedExecutor {
  /** Does as `execute` of graphql-js does. */
  execute(args: ExecutionArgs): ExecutionResult | Promise<ExecutionResult>;
  /** The same, for who wants text: where there is a plan, the result is written without being made first. */
  print(args: ExecutionArgs): Printed | Promise<Printed>;
}

/** What a document is once it was run: first seen, with a plan, or one that graphql-js runs each time. */
type Known = 'seen' | 'unplanned' | OperationPlan;

/**
 * Makes an executor that answers the same as graphql-js and is faster for documents that are run again: those
 * with one root field have a plan made for them, which calls the resolver of that field as graphql-js does and
 * reads its value without asking what is known from the schema. Wherever a plan does not know for certain what
 * graphql-js would answer, graphql-js answers; it goes on with the value that is there, so that no resolver
 * runs twice.
 *
 * Documents are known by identity, so they have to be kept by who wants them to be fast.
 */
export function createPlannedExecutor(schema: GraphQLSchema): PlannedExecutor {
  const known = new WeakMap<DocumentNode, Known>();
  const planOf = (document: DocumentNode): OperationPlan | undefined => {
    const found = known.get(document);
    if (found === undefined) known.set(document, 'seen');
    if (found === undefined || found === 'unplanned') return undefined;
    const plan = found === 'seen' ? planOperation(schema, document) : found;
    if (plan === undefined || plan.isLively) {
      known.set(document, 'unplanned');
      return undefined;
    }
    if (found === 'seen') known.set(document, plan);
    return plan;
  };
  return {
    execute(args) {
      const plan = planOf(args.document);
      return plan === undefined ? execute(args) : runPlan(schema, plan, args, plan.read);
    },
    print(args) {
      const plan = planOf(args.document);
      return plan === undefined ? execute(args) : runPlan<Printed>(schema, plan, args, plan.print);
    },
  };
}

/** An operation with one root field, and what its value becomes. */
interface OperationPlan {
  readonly operation: OperationDefinitionNode;
  readonly parentType: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
  readonly node: FieldNode;
  readonly key: string;
  /** Reads the arguments of the field out of the variables. */
  readonly readArguments: ArgumentsReader;
  /** Makes a result out of the value of the field. */
  readonly read: Finish<ExecutionResult>;
  readonly print: Finish<PrintedResult>;
  /** Set when a value turned out to be one that must not be looked at twice: then graphql-js looks alone. */
  isLively: boolean;
}

/** Makes a result out of the value of a root field. */
type Finish<Result> = (value: unknown) => Result | Doubt;

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
  const printedKey = JSON.stringify(key);
  return {
    operation,
    parentType,
    field,
    node,
    key,
    readArguments: planArguments(schema, operation, field, node),
    read(value) {
      const made = valuePlan.read(value);
      if (made === unsure || made === lively) return made;
      const data: Record<string, unknown> = Object.create(null);
      data[key] = made;
      return { data };
    },
    print(value) {
      const printed = valuePlan.print(value);
      return typeof printed === 'string' ? new PrintedResult(printedKey, printed) : printed;
    },
    isLively: false,
  };
}

function runPlan<Result>(
  schema: GraphQLSchema,
  plan: OperationPlan,
  args: ExecutionArgs,
  finish: Finish<Result>,
): Result | ExecutionResult | Promise<Result | ExecutionResult> {
  const { operation, field } = plan;
  const { rootValue, contextValue, variableValues, operationName } = args;
  if (typeof operationName === 'string' && operationName !== operation.name?.value) return execute(args);
  if (!(rootValue instanceof OperationRoot)) return execute(args);
  const read = plan.readArguments(variableValues ?? {});
  if (read === undefined || field.resolve === undefined) return execute(args);
  const info = resolveInfo(schema, plan, rootValue, read.variables);
  let value: unknown;
  try {
    value = field.resolve(rootValue, read.args, contextValue, info);
  } catch (error) {
    return resume(args, rootValue, rethrow(error));
  }
  if (!isPromiseLike(value)) return complete(plan, args, rootValue, value, finish);
  return Promise.resolve(
    value.then(
      (settled) => complete(plan, args, rootValue, settled, finish),
      (error: unknown) => resume(args, rootValue, rethrow(error)),
    ),
  );
}

function complete<Result>(
  plan: OperationPlan,
  args: ExecutionArgs,
  rootValue: OperationRoot,
  value: unknown,
  finish: Finish<Result>,
): Result | ExecutionResult | Promise<ExecutionResult> {
  let made: Result | Doubt;
  try {
    made = finish(value);
  } catch {
    // A getter threw; graphql-js will meet it again, and say where.
    made = unsure;
  }
  if (made === lively) plan.isLively = true;
  return made === unsure || made === lively ? resume(args, rootValue, () => value) : made;
}

/** Lets graphql-js go on after the resolver of the root field. */
function resume(args: ExecutionArgs, root: OperationRoot, settle: () => unknown) {
  return execute({ ...args, rootValue: new ResumedRoot(root, settle) });
}

function rethrow(error: unknown): () => never {
  return () => {
    throw error;
  };
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
