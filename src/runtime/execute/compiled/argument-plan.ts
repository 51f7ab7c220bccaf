import {
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getArgumentValues,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isSpecifiedScalarType,
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
import { isStandardType } from '../resolvers/internal-values.js';

/** The number of errors in variables that graphql-js reports; another number would change the response. */
const maxVariableErrors = 50;

/**
 * Makes the reader of the variables of an operation, whose types are looked up once. Values that need more than a type
 * check are coerced by graphql-js. The variables are undefined if graphql-js reports an error.
 */
export function planVariables(
  schema: GraphQLSchema,
  { variableDefinitions: definitions = [] }: OperationDefinitionNode,
): (given: Readonly<Record<string, unknown>>) => VariableValues | undefined {
  const read = planVariableTypes(schema, definitions);
  const variableValues = createVariableValues(schema, definitions);
  return (given) => {
    const coerced = read(given);
    return coerced === undefined
      ? coerceVariables(schema, definitions, given, maxVariableErrors)
      : variableValues(given, coerced);
  };
}

/** Makes the reader of the arguments of a field; they are undefined if graphql-js reports an error. */
export function planArguments(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (variables: VariableValues) => Record<string, unknown> | undefined {
  const read = planFieldArguments(field, node);
  return (variables) => {
    try {
      return read(coercedValues(variables)) ?? getArgumentValues(field, node, variables);
    } catch {
      return undefined;
    }
  };
}

/** Reads values by name; undefined if the fast path does not apply. */
type Reader = (from: Readonly<Record<string, unknown>>) => Record<string, unknown> | undefined;

const unread: Reader = () => undefined;

function planVariableTypes(schema: GraphQLSchema, definitions: readonly VariableDefinitionNode[]): Reader {
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

/** Coerces the value of a variable, or returns {@link refused} if graphql-js has to coerce it. */
type InputPlan = (value: unknown) => unknown;

/** The value is left to graphql-js. */
export const refused: unique symbol = Symbol('refused');

/** The plans of input objects. A plan is made for the first value, so a type may contain itself. */
const objectPlans = new WeakMap<GraphQLInputObjectType, InputPlan>();

/**
 * Plans how values of an input type are coerced: the scalars of GraphQL, standard scalars, enums, and lists and input
 * objects of them. graphql-js coerces values of custom scalars, whose code may have side effects.
 */
export function planInput(type: GraphQLInputType): InputPlan {
  if (isNonNullType(type)) {
    const inner = planInput(type.ofType);
    return (value) => (value === null || value === undefined ? refused : inner(value));
  }
  const present = planPresent(type);
  return (value) => {
    if (value === null) return null;
    return value === undefined ? refused : present(value);
  };
}

function planPresent(type: GraphQLInputType): InputPlan {
  if (isListType(type)) return planList(planInput(type.ofType));
  if (isInputObjectType(type)) return (value) => objectPlanOf(type)(value);
  if (isEnumType(type)) {
    const values = new Map(type.getValues().map(({ name, value }) => [name, value as unknown]));
    return (value) => (typeof value === 'string' && values.has(value) ? values.get(value) : refused);
  }
  if (isStandardType(type)) {
    return (value) => {
      try {
        return type.parseValue(value);
      } catch {
        return refused;
      }
    };
  }
  if (!isSpecifiedScalarType(type)) return refuse;
  switch (type.name) {
    case 'String':
      return (value) => (typeof value === 'string' ? value : refused);
    case 'Boolean':
      return (value) => (typeof value === 'boolean' ? value : refused);
    case 'Int':
      return (value) => (typeof value === 'number' && (value | 0) === value ? value : refused);
    case 'Float':
      return (value) => (typeof value === 'number' && Number.isFinite(value) ? value : refused);
    case 'ID':
      return (value) => {
        if (typeof value === 'string') return value;
        return typeof value === 'number' && Number.isSafeInteger(value) ? value.toString() : refused;
      };
    default:
      return refuse;
  }
}

const refuse: InputPlan = () => refused;

function objectPlanOf(type: GraphQLInputObjectType): InputPlan {
  let plan = objectPlans.get(type);
  if (plan === undefined) {
    plan = planObject(type);
    objectPlans.set(type, plan);
  }
  return plan;
}

/** A single value in place of a list is left to graphql-js, and so are other iterables. */
function planList(item: InputPlan): InputPlan {
  return (value) => {
    if (!Array.isArray(value)) return refused;
    const items: unknown[] = [];
    for (const one of value) {
      const coerced = item(one);
      if (coerced === refused) return refused;
      items.push(coerced);
    }
    return items;
  };
}

function planObject(type: GraphQLInputObjectType): InputPlan {
  if (type.isOneOf) return refuse;
  const fields = type.getFields();
  const plans: { readonly name: string; readonly plan: InputPlan; readonly fallback: unknown }[] = [];
  for (const field of Object.values(fields)) {
    const { name, type: fieldType } = field;
    // Every object inherits such a property. graphql-js handles these names.
    if (name in Object.prototype) return refuse;
    const defaultValue = defaultOf(field);
    const fallback = defaultValue === undefined && isNonNullType(fieldType) ? refused : defaultValue;
    plans.push({ name, plan: planInput(fieldType), fallback });
  }
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return refused;
    const given = value as Record<string, unknown>;
    for (const name of Object.keys(given)) if (!Object.hasOwn(fields, name)) return refused;
    const coerced = newRecord();
    for (const { name, plan, fallback } of plans) {
      const member = given[name];
      if (member === undefined) {
        if (fallback === refused) return refused;
        if (fallback !== undefined) coerced[name] = fallback;
        continue;
      }
      const made = plan(member);
      if (made === refused) return refused;
      coerced[name] = made;
    }
    return coerced;
  };
}
