import {
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLSchema,
  getArgumentValues,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql';
import {
  coercedValues,
  coerceVariables,
  createVariableValues,
  defaultOf,
  literalValue,
  newRecord,
  type VariableValues,
} from '../graphql-js/releases.js';
import { type InputPlan, planInput, refused } from './input-plan.js';

export interface ReadArguments {
  readonly variables: VariableValues;
  readonly args: Record<string, unknown>;
}

/** Coerces the variables of an operation; undefined if graphql-js reports an error. */
export type ArgumentsReader = (variables: Readonly<Record<string, unknown>>) => ReadArguments | undefined;

/** The number of errors in variables that graphql-js reports; another number would change the response. */
const maxVariableErrors = 50;

/**
 * Makes the reader of the variables and arguments of an operation with one root field. The types of the variables, and
 * the variable of each argument, are looked up once. Values that need more than a type check are coerced by graphql-js.
 */
export function planArguments(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): ArgumentsReader {
  const definitions = operation.variableDefinitions ?? [];
  const readVariables = planVariables(schema, definitions);
  const readArgs = planFieldArguments(field, node);
  const variableValues = createVariableValues(schema, definitions);
  return (given) => {
    const read = readVariables(given);
    const variables =
      read === undefined
        ? coerceVariables(schema, definitions, given, maxVariableErrors)
        : variableValues(given, read);
    if (variables === undefined) return undefined;
    try {
      const args = readArgs(coercedValues(variables)) ?? getArgumentValues(field, node, variables);
      return { variables, args };
    } catch {
      return undefined;
    }
  };
}

/** Reads values by name; undefined if the fast path does not apply. */
type Reader = (from: Readonly<Record<string, unknown>>) => Record<string, unknown> | undefined;

const unread: Reader = () => undefined;

function planVariables(schema: GraphQLSchema, definitions: readonly VariableDefinitionNode[]): Reader {
  const plans: { readonly name: string; readonly isRequired: boolean; readonly input: InputPlan }[] = [];
  for (const { variable, type: node, defaultValue } of definitions) {
    // As in graphql-js: `typeFromAST` has one signature for each kind of node.
    const type = typeFromAST(schema, node as never);
    if (!isInputType(type) || defaultValue !== undefined) return unread;
    plans.push({ name: variable.name.value, isRequired: isNonNullType(type), input: planInput(type) });
  }
  return (given) => {
    const variables = newRecord();
    for (const { name, isRequired, input } of plans) {
      if (!Object.hasOwn(given, name)) {
        if (isRequired) return undefined;
        continue;
      }
      const value = input(given[name]);
      if (value === refused) return undefined;
      variables[name] = value;
    }
    return variables;
  };
}

function planFieldArguments(field: GraphQLField<unknown, unknown>, node: FieldNode): Reader {
  const nodes = new Map((node.arguments ?? []).map(({ name, value }) => [name.value, value]));
  const plans: { readonly name: string; readonly read: ArgumentPlan }[] = [];
  for (const argument of field.args) {
    const read = planArgument(argument, nodes.get(argument.name));
    if (read === undefined) return unread;
    plans.push({ name: argument.name, read });
  }
  return (variables) => {
    const args = newRecord();
    for (const { name, read } of plans) {
      const value = read(variables);
      if (value === refused) return undefined;
      if (value !== absent) args[name] = value;
    }
    return args;
  };
}

const absent: unique symbol = Symbol('absent');

type ArgumentPlan = (variables: Readonly<Record<string, unknown>>) => unknown;

function planArgument(argument: GraphQLArgument, node: ValueNode | undefined): ArgumentPlan | undefined {
  const { type } = argument;
  const defaultValue = defaultOf(argument);
  const isRequired = isNonNullType(type);
  const fallback = defaultValue === undefined ? (isRequired ? refused : absent) : defaultValue;
  if (node === undefined) return () => fallback;
  if (node.kind === 'Variable') {
    const name = node.name.value;
    return (variables) => {
      if (!Object.hasOwn(variables, name)) return fallback;
      const value = variables[name];
      return isRequired && (value === null || value === undefined) ? refused : value;
    };
  }
  // A resolver may change objects and lists, so graphql-js makes new ones for each call.
  if (node.kind === 'ObjectValue' || node.kind === 'ListValue') return undefined;
  const value = literalValue(node, type);
  const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value);
  return isPlain && !(isRequired && value === null) ? () => value : undefined;
}
