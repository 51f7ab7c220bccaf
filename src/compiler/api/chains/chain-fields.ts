import { capitalized, resumeArgument } from '../../graph/names.js';
import { named, nonNull, nullable, readTypeRef } from '../../graph/type-ref.js';
import type { GqlArgument, GqlInputType, GqlObjectType, GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { isRequired } from '../is-required.js';
import { apiChains, durableChains, runStates, takenOf } from './api-chains.js';

/** The only field of the input of a step without arguments: GraphQL has no empty inputs. */
export const emptyInput = '_empty';

/** The name of the field of `Mutation` that runs a chain. */
export function chainFieldOf(chain: string): string {
  return `${chain}Chain`;
}

/** The name of the field of `Subscription` that follows the runs of a durable chain. */
export function runFieldOf(chain: string): string {
  return `${chain}Run`;
}

/**
 * The schema as GraphQL has it: with a field of `Mutation` for each chain, or of `Subscription` for a durable one, and the
 * types of its inputs and results.
 */
export function withChainFields(schema: GqlSchema): GqlSchema {
  const { inputs, objects, fields } = chainFields(schema);
  const runs = runFields(schema);
  return {
    ...schema,
    inputs: [...schema.inputs, ...inputs],
    objects: [...schema.objects, ...objects, ...runs.objects],
    mutations: [...schema.mutations, ...fields],
    subscriptions: [...schema.subscriptions, ...runs.fields],
  };
}

/** The fields that follow the runs of durable chains in GraphQL, and their types. Results of steps are read over REST. */
export function runFields(schema: GqlSchema) {
  const fields = durableChains(schema).map(({ name }): GqlOperation => {
    const after = { ...place(resumeArgument, 'The `eventId` of the last result.'), type: named('String') };
    return {
      kind: 'subscription',
      name: runFieldOf(name),
      description: `The run of the chain ${name}: as it is, after each change, and at its end.`,
      arguments: [{ ...place('id'), type: nonNull(named('ID')) }, after],
      type: nonNull(named('ChainRun')),
      edges: [],
    };
  });
  return { fields, objects: fields.length === 0 ? [] : runTypes };
}

/** The types of runs in GraphQL. */
export const runTypes = [
  objectOf('ChainRun', 'A run of a durable chain.', [
    ['id', 'ID!'],
    ['state', 'String!', runStates.join(', ').replace(/, (\w+)$/, ' or $1')],
    ['steps', '[String!]!', 'The steps that ran, in their order.'],
    ['step', 'String', 'The step that runs or waits, or that failed.'],
    ['waitsFor', 'ChainRunWait'],
    ['undone', '[String!]!', 'The steps that were undone, in the order in which they were.'],
    ['problem', 'ChainRunProblem'],
    ['createdAt', 'String!'],
    ['endedAt', 'String'],
  ]),
  objectOf(
    'ChainRunWait',
    'The event that a step waits for, and when the wait ends. Without an event, the step pauses.',
    [
      ['event', 'String'],
      ['until', 'String'],
    ],
  ),
  objectOf('ChainRunProblem', 'Why a step failed, or is tried again.', [
    ['status', 'Int!'],
    ['code', 'String'],
    ['detail', 'String!'],
  ]),
];

function objectOf(
  name: string,
  description: string,
  fields: readonly (readonly [name: string, type: string, description?: string])[],
): GqlObjectType {
  const made = fields.map(([field, type, said]) => ({ ...place(field, said), type: readTypeRef(type) }));
  return { name, description, fields: made, node: undefined };
}

/**
 * The fields of chains in GraphQL, and their types. No two chains have the same step with other arguments. A durable chain
 * has none: its result outlives the operation.
 */
export function chainFields(schema: GqlSchema) {
  const chains = apiChains(schema).filter(({ goal }) => !goal.operation.durable);
  const steps = [...new Set(chains.flatMap((chain) => chain.steps))];
  const inputs = steps.flatMap(({ name, operation, takes }) =>
    inputOf(
      schema,
      `${capitalized(name)}Arguments`,
      `The arguments of ${name} in a chain.`,
      operation.arguments,
      takes.map(({ path }) => path),
    ),
  );
  const objects = chains.map(({ name, steps }) => ({
    name: `${capitalized(name)}Chain`,
    description: `The results of the steps of the chain ${name}. One that did not run has none.`,
    fields: steps.map(({ name: step, operation: { description, type } }) => ({
      ...place(step, description),
      type: nullable(type),
    })),
    node: undefined,
  }));
  const fields = chains.map(({ name, goal, steps }): GqlOperation => {
    const { deprecated } = goal.operation;
    return {
      kind: 'mutation',
      name: chainFieldOf(name),
      description: `Runs the steps whose arguments are given, and ${name}: ${steps.map((step) => step.name).join(', ')}.`,
      arguments: steps.map((step) => ({ ...place(step.name), type: named(`${capitalized(step.name)}Arguments`) })),
      type: named(`${capitalized(name)}Chain`),
      edges: [],
      ...(deprecated !== undefined && { deprecated }),
    };
  });
  return { inputs, objects, fields };
}

/** The input of declarations of which none that takes an id is required, before the inputs that stand in it. */
function inputOf(
  schema: GqlSchema,
  name: string,
  description: string | undefined,
  declarations: readonly GqlArgument[],
  paths: readonly (readonly string[])[],
): readonly [GqlInputType, ...GqlInputType[]] {
  const inner: GqlInputType[] = [];
  const fields = declarations.map((one): GqlArgument => {
    const taken = takenOf(schema, one, paths);
    if (taken === undefined) return one;
    if (taken === 'id') return { ...one, type: nullable(one.type) };
    const { input } = taken;
    const made = inputOf(schema, name + capitalized(one.name), input.description, input.fields, taken.paths);
    inner.push(...made);
    const [{ name: own, fields: members }] = made;
    return { ...one, type: members.some(isRequired) ? nonNull(named(own)) : named(own) };
  });
  const empty = { ...place(emptyInput), type: named('Boolean') };
  const made = { name, description, of: undefined, fields: fields.length === 0 ? [empty] : fields };
  return [made, ...inner];
}

function place(name: string, description?: string) {
  return { name, description, fallback: undefined, span: undefined };
}
