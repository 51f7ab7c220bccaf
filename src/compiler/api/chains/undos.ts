import { baseName } from '../../graph/type-ref.js';
import type { GqlArgument, GqlSchema } from '../../schema/gql-schema.js';
import { inputTypeOf } from '../../schema/schema-index.js';
import { isRequired } from '../is-required.js';
import type { ApiChain } from './api-chains.js';
import { findSteps, type NamedStep, type TakenId } from './named-steps.js';

/** How a step of a durable chain is undone. */
export interface Undo {
  readonly of: NamedStep;
  /** The step that undoes it. */
  readonly by: NamedStep;
  /** The ids that it takes, of the result that it undoes or of other steps. */
  readonly takes: readonly TakenId[];
  /** The path of a required argument that nothing gives; absent if all are given. */
  readonly missing?: string;
}

/** The steps of a chain that can be undone, and those that name a mutation that does not exist. */
export function undosOf(schema: GqlSchema, { steps }: Pick<ApiChain, 'steps'>) {
  const all = steps.some(({ operation }) => operation.undo !== undefined) ? findSteps(schema) : [];
  const undos: Undo[] = [];
  const unknown: NamedStep[] = [];
  const names = new Set(steps.map(({ name }) => name));
  for (const of of steps) {
    const { undo, type } = of.operation;
    if (undo === undefined) continue;
    const by = all.find(({ operation }) => operation.kind === 'mutation' && operation.name === undo);
    if (by === undefined) {
      unknown.push(of);
      continue;
    }
    // The id of what the step has made, even if another operation makes the same.
    const takes = by.takes
      .map((taken) => (baseName(taken.from.operation.type) === baseName(type) ? { ...taken, from: of } : taken))
      .filter(({ from }) => names.has(from.name));
    const paths = takes.map(({ path }) => path);
    const given = new Set(of.operation.arguments.map(({ name }) => name));
    const open = by.operation.arguments.filter(({ name }) => !given.has(name));
    const missing = missingIn(schema, open, paths);
    undos.push({ of, by, takes, ...(missing !== undefined && { missing }) });
  }
  return { undos, unknown };
}

/** The first required argument, or field of one, that no path leads to. */
function missingIn(
  schema: GqlSchema,
  declarations: readonly GqlArgument[],
  paths: readonly (readonly string[])[],
): string | undefined {
  for (const declaration of declarations) {
    const { name, type } = declaration;
    if (!isRequired(declaration)) continue;
    const inner = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
    if (inner.length === 0) return name;
    const fields = inputTypeOf(schema, baseName(type))?.fields;
    const below = fields && missingIn(schema, fields, inner);
    if (below !== undefined) return `${name}.${below}`;
  }
  return undefined;
}
