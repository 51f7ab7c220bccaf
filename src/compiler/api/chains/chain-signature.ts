import { printTypeRef } from '../../graph/type-ref.js';
import type { GqlSchema } from '../../schema/gql-schema.js';
import type { ApiChain } from './api-chains.js';
import type { NamedStep } from './named-steps.js';
import { waitsOf } from './waits.js';

/** What a run of a chain depends on: its steps, their arguments and results, the ids that they hand on, and their waits. */
export function chainSignature(schema: GqlSchema, chain: ApiChain): string {
  const { steps } = chain;
  const ofStep = ({ name, takes, operation }: NamedStep) => [
    name,
    operation.kind,
    printTypeRef(operation.type),
    operation.arguments.map((one) => `${one.name}: ${printTypeRef(one.type)}`),
    takes.map(({ from, path, result }) => [from.name, result, path]),
  ];
  const waits = waitsOf(schema, chain).waits.map(({ of, event, field, from, result, argument }) => [
    of.name,
    [event.name, field, from.name, result, argument],
  ]);
  const pauses = steps.flatMap(({ name, operation: { pause } }) =>
    pause === undefined ? [] : [[name, pause]],
  );
  // Chains without waits keep the signature that their open runs have.
  return JSON.stringify([...steps.map(ofStep), ...waits, ...pauses]);
}
