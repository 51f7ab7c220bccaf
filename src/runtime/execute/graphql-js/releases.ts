import * as graphqlJs from 'graphql';
import {
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLArgument,
  type GraphQLError,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLResolveInfo,
  type GraphQLScalarType,
  type GraphQLSchema,
  getVariableValues,
  typeFromAST,
  type ValueNode,
  type VariableDefinitionNode,
  valueFromAST,
  versionInfo,
} from 'graphql';
import type { ScalarImplementation } from '../../scalars/standard-scalars.js';

// The functions of graphql-js whose contract changed between the releases 16 and 17. The types of this package are
// those of 16. A name that only 17 exports is read from the namespace, because importing it fails on 16.

/** The exports of 17 beside the names of 16. */
interface Release17 {
  validateSubscriptionArgs(args: ExecutionArgs): ExecutionArgs | readonly GraphQLError[];
  coerceInputLiteral(literal: ValueNode, type: GraphQLInputType): unknown;
}

const release17 = graphqlJs as unknown as Release17;

/** The coerced variables in the form that resolvers get as `info.variableValues`. */
export type VariableValues = GraphQLResolveInfo['variableValues'];

/** The variables of release 17: the values that the client gave beside the coerced ones. */
interface VariableValues17 {
  readonly sources: Readonly<Record<string, { readonly signature: unknown; readonly value?: unknown }>>;
  readonly coerced: Record<string, unknown>;
}

const isRelease17 = versionInfo.major >= 17;

/** Starts a subscription: its events, or the errors if it did not start. */
export async function openEventStream(args: ExecutionArgs): Promise<AsyncIterable<unknown> | ExecutionResult> {
  if (!isRelease17) return graphqlJs.createSourceEventStream(args);
  const validated = release17.validateSubscriptionArgs(args);
  return 'schema' in validated ? graphqlJs.createSourceEventStream(validated) : { errors: validated };
}

export function coerceVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  given: Readonly<Record<string, unknown>>,
  maxErrors: number,
): VariableValues | undefined {
  const made = getVariableValues(schema, definitions, given, { maxErrors });
  return isRelease17 ? (made as unknown as { readonly variableValues?: VariableValues }).variableValues : made.coerced;
}

export function coercedValues(variables: VariableValues): Record<string, unknown> {
  return isRelease17 ? (variables as unknown as VariableValues17).coerced : variables;
}

/** Makes the function that gives variables the form of graphql-js after they were coerced elsewhere. */
export function createVariableValues(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): (given: Readonly<Record<string, unknown>>, coerced: Record<string, unknown>) => VariableValues {
  if (!isRelease17) return (_given, coerced) => coerced;
  const signatures = definitions.map(({ variable, type, defaultValue }) => ({
    name: variable.name.value,
    // As in graphql-js: `typeFromAST` has one signature for each kind of node.
    type: typeFromAST(schema, type as never),
    default: defaultValue && { literal: defaultValue },
  }));
  return (given, coerced) => {
    const variables: VariableValues17 = {
      // Few resolvers read them, so they are made on access.
      get sources() {
        const sources = newRecord() as Record<string, { signature: unknown; value?: unknown }>;
        for (const signature of signatures) {
          const { name } = signature;
          const isGiven = Object.hasOwn(given, name) && given[name] !== undefined;
          sources[name] = isGiven ? { signature, value: given[name] } : { signature };
        }
        return sources;
      },
      coerced,
    };
    return variables as unknown as VariableValues;
  };
}

/** An empty object as graphql-js makes for coerced values: without a prototype in 17. */
export const newRecord: () => Record<string, unknown> = isRelease17 ? () => Object.create(null) : () => ({});

/** Adds the members of a `GraphQLResolveInfo` that only 17 has, as they are for an execution without a signal. */
export function completeResolveInfo(info: GraphQLResolveInfo): GraphQLResolveInfo {
  return isRelease17 ? Object.assign(info, resolveInfo17) : info;
}

const asyncHelpers = { promiseAll: (values: readonly unknown[]) => Promise.all(values), track: () => undefined };
const resolveInfo17 = { getAbortSignal: () => undefined, getAsyncHelpers: () => asyncHelpers };

/** The value of a literal without variables; undefined if it does not fit. The function of 16 ignores defaults in 17. */
export function literalValue(literal: ValueNode, type: GraphQLInputType): unknown {
  return isRelease17 ? release17.coerceInputLiteral(literal, type) : valueFromAST(literal, type);
}

export function defaultOf(input: GraphQLArgument | GraphQLInputField): unknown {
  const literal = isRelease17 ? input.astNode?.defaultValue : undefined;
  return literal ? literalValue(literal, input.type) : input.defaultValue;
}

/**
 * Reads a default again after its scalar has changed. Release 16 reads defaults when the schema is built, 17 when they
 * are used.
 */
export function readDefaultAgain(input: GraphQLArgument | GraphQLInputField): void {
  const literal = input.astNode?.defaultValue;
  if (literal && !isRelease17) input.defaultValue = valueFromAST(literal, input.type);
}

/** Replaces functions of a scalar. In 17 they have new names beside the old ones. */
export function replaceScalarFunctions(scalar: GraphQLScalarType, functions: Partial<ScalarImplementation>): void {
  Object.assign(scalar, functions);
  if (!isRelease17) return;
  const { serialize, parseValue } = functions;
  if (serialize !== undefined) Object.assign(scalar, { coerceOutputValue: serialize });
  if (parseValue !== undefined) Object.assign(scalar, { coerceInputValue: parseValue });
}
