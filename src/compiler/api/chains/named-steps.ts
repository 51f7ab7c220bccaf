import { baseName } from '../../graph/type-ref.js';
import type { GqlArgument, GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { inputTypeOf } from '../../schema/schema-index.js';
import { withoutFiles } from '../form-parts.js';
import { withoutOldNames } from '../old-names.js';
import { findChains } from './chains.js';
import type { LinkPlace } from './linked-arguments.js';

/** An operation as a step of chains. */
export interface NamedStep {
  readonly operation: GqlOperation;
  /** Its name among the inputs and the results of chains and tools. No two steps have the same one. */
  readonly name: string;
  /** The ids that it takes from earlier steps. */
  readonly takes: readonly TakenId[];
}

/** A place in the arguments of a step, and the step whose result has an id for it. */
export interface TakenId extends Pick<LinkPlace, 'path'> {
  readonly from: NamedStep;
  /** The path to the id in the result; through lists, to the ids of all items. */
  readonly result: readonly string[];
}

/** The steps of a schema. Each takes ids of steps before it only. */
export function findSteps(whole: GqlSchema): readonly NamedStep[] {
  // The inputs of a chain are JSON, which has no files.
  const schema = withoutFiles(withoutOldNames(whole));
  const queries = new Set(schema.queries.map(({ name }) => name));
  const mutations = new Set(schema.mutations.map(({ name }) => name));
  const nameOf = ({ kind, name }: GqlOperation): string => {
    if (kind === 'query' || !queries.has(name)) return name;
    let unique = `${name}_mutation`;
    while (queries.has(unique) || mutations.has(unique)) unique += '_';
    return unique;
  };
  const steps = new Map<GqlOperation, NamedStep>();
  for (const chain of findChains(schema, ({ variable }) => variable)) {
    for (const { operation, call } of chain.steps) {
      if (steps.has(operation)) continue;
      const takes = call.places.flatMap(({ path, link }) => {
        const from = steps.get(link.producer);
        return from === undefined ? [] : [{ path, from, result: link.path }];
      });
      steps.set(operation, { operation, name: nameOf(operation), takes });
    }
  }
  return [...steps.values()];
}

/** The declaration at a path, or the last one before an unknown name. */
export function deepestDeclaration(
  schema: GqlSchema,
  declarations: readonly GqlArgument[],
  [name = '', ...rest]: readonly string[],
): GqlArgument | undefined {
  const found = declarations.find((one) => one.name === name.replace(/(\[\d+\])+$/, ''));
  if (found === undefined) return undefined;
  const fields = inputTypeOf(schema, baseName(found.type))?.fields ?? [];
  return deepestDeclaration(schema, fields, rest) ?? found;
}
