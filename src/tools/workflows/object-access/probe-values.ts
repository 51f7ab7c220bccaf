import { exampleArguments } from '../../../compiler/api/examples.js';
import type { JsonValue } from '../../../compiler/graph/json-value.js';
import { nullable } from '../../../compiler/graph/type-ref.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import type { PreparedChain } from './chain-runner.js';
import type { Probe } from './plan.js';
import type { ownerNames } from './rules.js';
import { argumentsIn, type Values, valuesOf } from './step-arguments.js';
import type { Trial } from './trials.js';

/**
 * Makes the function that gives the arguments of a probe: those of the first user, or with another owner.
 *
 * @param names - The names of arguments and fields that name owners.
 */
export function createProbeValues(schema: GqlSchema, names: ReturnType<typeof ownerNames>) {
  return ({ operation, last }: Probe, { facts, mine }: PreparedChain, { user, isSwapped }: Trial) => {
    const own = isSwapped ? user.owner?.id : undefined;
    const withOwner = (values: Values): Values =>
      operation.owner !== undefined && own !== undefined && Object.hasOwn(values, operation.owner)
        ? { ...values, [operation.owner]: own }
        : values;
    const sent = valuesOf(schema, last.operation, last.step, facts);
    if (operation.kind === 'subscription') {
      const outputs = Object.assign({}, ...facts.outputs.values(), flat(sent)) as Values;
      const needed = operation.arguments.filter(({ name, type }) => type.kind === 'nonNull' || names.has(name));
      const filters = needed.map(({ name }) => [name, names.has(name) ? mine.owner : outputs[name]] as const);
      const known = Object.fromEntries(filters.filter(([, value]) => value !== undefined));
      return withOwner({ ...exampleArguments(schema, needed), ...known } as Values);
    }
    const isList = operation.page !== undefined || nullable(operation.type).kind === 'list';
    if (operation.kind !== 'query' || !isList) return withOwner(sent);
    // A list with filters could lack the objects.
    const written = argumentsIn(operation, last.step);
    const kept = operation.arguments.filter(
      ({ name, type }) =>
        type.kind === 'nonNull' || name === operation.owner || String(written[name]).startsWith('$steps.'),
    );
    return withOwner(
      Object.fromEntries(
        kept.flatMap(({ name }) => (Object.hasOwn(sent, name) ? [[name, sent[name] as JsonValue]] : [])),
      ),
    );
  };
}

/** The values of arguments and of their fields by name; those outside win. */
function flat(values: Values): Values {
  const inside = Object.values(values).filter(
    (value): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value),
  );
  return Object.assign({}, ...inside.map(flat), values) as Values;
}
