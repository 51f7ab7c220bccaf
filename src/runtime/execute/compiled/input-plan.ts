import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isSpecifiedScalarType,
} from 'graphql';
import { defaultOf, newRecord } from '../graphql-js/releases.js';
import { isStandardType } from '../resolvers/internal-values.js';

/** Coerces the value of a variable, or returns {@link refused} if graphql-js has to coerce it. */
export type InputPlan = (value: unknown) => unknown;

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
        return typeof value === 'number' && Number.isInteger(value) ? value.toString() : refused;
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
