import { type ApiChain, apiChains, chainSignature, usualRetries } from '../../../compiler/api/chains/api-chains.js';
import { operationCoordinate } from '../../../compiler/api/operation-coordinate.js';
import type { GqlOperation } from '../../../compiler/schema/gql-schema.js';
import {
  type ComparedPart,
  type Comparison,
  changeOf,
  pairByName,
  pairNames,
  partOf,
  textChange,
} from '../model/comparison.js';

/** Added and removed chains, and their steps. Clients name the steps in the inputs and read them in the results. */
export function* chainChanges(comparison: Comparison) {
  const { before, after } = comparison;
  const { removed, added, kept } = pairByName(apiChains(before.schema), apiChains(after.schema));
  const coordinateOf = ({ goal }: ApiChain) => operationCoordinate(goal.operation);
  for (const chain of removed) {
    const part = partOf(comparison, coordinateOf(chain));
    yield changeOf(part, 'chain-removed', `POST ${chain.path} was removed.`, ['chain: true', 'no chain']);
  }
  for (const chain of added) {
    const part = partOf(comparison, coordinateOf(chain), 'after');
    yield changeOf(part, 'chain-added', `POST ${chain.path} was added.`, ['no chain', 'chain: true']);
  }
  const told = new Set<string>();
  for (const [old, found] of kept) {
    const part = partOf(comparison, coordinateOf(old));
    const namesOf = ({ steps }: ApiChain) => steps.map(({ name }) => name);
    const steps = pairNames(namesOf(old), namesOf(found));
    const notes = [namesOf(old).join(', '), namesOf(found).join(', ')] as const;
    for (const name of steps.removed)
      yield changeOf(part, 'chain-step-removed', `POST ${old.path} has no step ${name} any more.`, notes);
    for (const name of steps.added)
      yield changeOf(part, 'chain-step-added', `POST ${old.path} has the new step ${name}.`, notes);
    const [was, is] = [old, found].map(({ goal }) => goal.operation.durable === true);
    if (was !== is) {
      const words = [was, is].map((durable) => (durable ? 'durable: true' : 'chain: true'));
      const message = `POST ${old.path} ${is ? 'begins a run, and answers 202' : 'is not durable any more, and answers 200'}.`;
      yield changeOf(part, 'chain-durability-changed', message, words as [string, string]);
    } else if (was && chainSignature(before.schema, old) !== chainSignature(after.schema, found)) {
      const message = `The steps of the durable chain ${old.name} changed: its open runs wait for a server with the old ones.`;
      yield changeOf(part, 'durable-chain-changed', message, notes);
    }
    if (!was || !is) continue;
    for (const [before, after] of pairByName(old.steps, found.steps).kept) {
      if (told.has(before.name)) continue;
      told.add(before.name);
      const step = partOf(comparison, operationCoordinate(before.operation));
      yield* policyChange(step, before.operation, after.operation);
    }
  }
}

/** The behaviour of runs when a step fails. */
function* policyChange(part: ComparedPart, before: GqlOperation, after: GqlOperation) {
  const print = ({ retries = usualRetries, undo, within }: GqlOperation) =>
    `retries: ${retries}, ${undo === undefined ? 'no undo' : `undo: '${undo}'`}${within === undefined ? '' : `, within: '${within}'`}`;
  const [was, is] = [print(before), print(after)];
  const message = `Runs now treat failures of ${part.coordinate} with ${is} instead of ${was}.`;
  yield* textChange(part, 'step-policy-changed', [was, is], message);
}
