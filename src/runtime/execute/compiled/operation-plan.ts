import {
  type DocumentNode,
  type ExecutionArgs,
  execute,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { PropertyReads, Thrown } from '../../../base/values/property-reads.js';
import { isPromiseLike } from '../../../base/values/read-property.js';
import { completeResolveInfo, type VariableValues } from '../graphql-js/releases.js';
import { OperationRoot, ResumedRoot } from '../resolvers/operation-root.js';
import { type ArgumentsReader, planArguments } from './argument-plan.js';
import { planPrinting, type ValuePrinter } from './print-plan.js';
import { type Printed, PrintedResult } from './printed-result.js';

/** Executes an operation of a valid document as graphql-js does. If there is a plan, the result is text. */
export type PrintingExecutor = (args: ExecutionArgs) => Printed | Promise<Printed>;

/**
 * Creates an executor that compiles documents which are executed repeatedly. The plan of a document with one root
 * field calls the resolver of that field as graphql-js does and prints its value without building a result. If a plan
 * does not cover a value, graphql-js continues with the values that the plan has read, so no resolver runs twice and
 * no property is read twice.
 *
 * Documents are recognized by identity, so callers must cache them to use the fast path.
 */
export function createPrintingExecutor(schema: GraphQLSchema): PrintingExecutor {
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
  return (args) => {
    const plan = planOf(args.document);
    return plan === undefined ? execute(args) : runPlan(schema, plan, args);
  };
}

/** A plan that did not fit this many values in a row is dropped, since it only delays graphql-js. */
const maxMisfits = 8;

/** An operation with one root field, and how its value is printed. */
interface OperationPlan {
  readonly operation: OperationDefinitionNode;
  readonly parentType: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
  readonly fieldNodes: readonly FieldNode[];
  readonly path: GraphQLResolveInfo['path'];
  readonly printedKey: string;
  readonly readArguments: ArgumentsReader;
  readonly print: ValuePrinter;
  /** How many values in a row the plan could not print. */
  misfits: number;
}

/** Compiles a document; undefined if it has no plan. */
export function planOperation(schema: GraphQLSchema, document: DocumentNode): OperationPlan | undefined {
  const [operation, ...others] = document.definitions;
  if (operation?.kind !== 'OperationDefinition' || others.length > 0) return undefined;
  if (operation.operation === 'subscription' || (operation.directives ?? []).length > 0) return undefined;
  const [node, ...rest] = operation.selectionSet.selections;
  if (node?.kind !== 'Field' || rest.length > 0 || (node.directives ?? []).length > 0) return undefined;
  const parentType = schema.getRootType(operation.operation);
  const field = parentType?.getFields()[node.name.value];
  if (parentType === undefined || parentType === null || field?.resolve === undefined) return undefined;
  const print = planPrinting(schema, field.type, node.selectionSet);
  if (print === undefined) return undefined;
  const key = node.alias?.value ?? node.name.value;
  return {
    operation,
    parentType,
    field,
    fieldNodes: [node],
    path: { prev: undefined, key, typename: parentType.name },
    printedKey: JSON.stringify(key),
    readArguments: planArguments(schema, operation, field, node),
    print,
    misfits: 0,
  };
}

function runPlan(
  schema: GraphQLSchema,
  plan: OperationPlan,
  args: ExecutionArgs,
): Printed | Promise<Printed> {
  const { operation, field } = plan;
  const { rootValue, contextValue, variableValues, operationName } = args;
  if (typeof operationName === 'string' && operationName !== operation.name?.value) return execute(args);
  if (!(rootValue instanceof OperationRoot)) return execute(args);
  const given = plan.readArguments(variableValues ?? {});
  if (given === undefined || field.resolve === undefined) return execute(args);
  const info = resolveInfo(schema, plan, rootValue, given.variables);
  let value: unknown;
  try {
    value = field.resolve(rootValue, given.args, contextValue, info);
  } catch (error) {
    return complete(plan, args, rootValue, new Thrown(error));
  }
  if (!isPromiseLike(value)) return complete(plan, args, rootValue, value);
  return Promise.resolve(value).then(
    (settled) => complete(plan, args, rootValue, settled),
    (error: unknown) => complete(plan, args, rootValue, new Thrown(error)),
  );
}

function complete(
  plan: OperationPlan,
  args: ExecutionArgs,
  rootValue: OperationRoot,
  outcome: unknown,
): Printed | Promise<Printed> {
  const reads = new PropertyReads();
  reads.values.push(outcome);
  let text: string | undefined;
  try {
    text = plan.print(reads.values, 0, reads);
  } catch {
    // A trap of a Proxy threw. graphql-js gets the same error and reports the field.
  }
  if (text !== undefined) {
    plan.misfits = 0;
    return new PrintedResult(plan.printedKey, text);
  }
  if (!(outcome instanceof Thrown)) plan.misfits += 1;
  return execute({ ...args, rootValue: new ResumedRoot(rootValue, reads) });
}

/** Documents with fragments have no plan. */
const noFragments: GraphQLResolveInfo['fragments'] = Object.freeze(Object.create(null));

function resolveInfo(
  schema: GraphQLSchema,
  { operation, parentType, field, fieldNodes, path }: OperationPlan,
  rootValue: OperationRoot,
  variableValues: VariableValues,
): GraphQLResolveInfo {
  return completeResolveInfo({
    fieldName: field.name,
    fieldNodes,
    returnType: field.type,
    parentType,
    path,
    schema,
    fragments: noFragments,
    rootValue,
    operation,
    variableValues,
  });
}
