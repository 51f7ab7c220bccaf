import { exampleArguments } from '../../../compiler/api/examples.js';
import type { JsonValue } from '../../../compiler/graph/json-value.js';
import { nullable } from '../../../compiler/graph/type-ref.js';
import type { GqlArgument, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { argumentsIn, ownerInPlaceOf, type Values, valuesOf } from '../step-arguments.js';
import type { PreparedChain } from './chain-runner.js';
import type { Probe, Trial } from './plan.js';
import type { ownerNames } from './rules.js';

/** Makes the function that gives the arguments of a probe: those of the first user, or with another owner. */
export function createProbeValues(schema: GqlSchema, names: ReturnType<typeof ownerNames>) {
  return ({ operation, last }: Probe, { facts, mine }: PreparedChain, { user, isSwapped }: Trial) => {
    const own = isSwapped ? user.owner?.id : undefined;
    const withOwner = (values: Values): Values =>
      operation.owner !== undefined && own !== undefined && Object.hasOwn(values, operation.owner)
        ? { ...values, [operation.owner]: ownerInPlaceOf(values[operation.owner], own) }
        : values;
    const sent = valuesOf(schema, last.operation, last.step, facts);
    if (operation.kind === 'subscription') {
      const outputs = Object.assign({}, ...facts.outputs.values(), flat(sent)) as Values;
      const needed = operation.arguments.filter(({ name, type }) => type.kind === 'nonNull' || names.has(name));
      const examples = exampleArguments(schema, needed);
      const filters = needed.map(({ name }) => {
        return [name, names.has(name) ? ownerInPlaceOf(examples[name], mine.owner) : outputs[name]] as const;
      });
      const known = Object.fromEntries(filters.filter(([, value]) => value !== undefined));
      return withOwner({ ...examples, ...known } as Values);
    }
    const isList = operation.page !== undefined || nullable(operation.type).kind === 'list';
    if (operation.kind !== 'query' || !isList) return withOwner(sent);
    // A list with filters could lack the objects.
    const written = argumentsIn(operation, last.step);
    const isKept = ({ name, type }: GqlArgument) =>
      type.kind === 'nonNull' || name === operation.owner || String(written[name]).startsWith('$steps.');
    const kept = operation.arguments.filter((one) => isKept(one) && Object.hasOwn(sent, one.name));
    return withOwner(Object.fromEntries(kept.map(({ name }) => [name, sent[name] as JsonValue])));
  };
}

/** The values of arguments and of their fields by name; those outside win. */
function flat(values: Values): Values {
  const inside = Object.values(values).filter(
    (value): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value),
  );
  return Object.assign({}, ...inside.map(flat), values) as Values;
}
