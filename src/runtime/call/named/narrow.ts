import {
  defaultSelection,
  describeFieldFault,
  type Narrowing,
  readFieldTree,
  type Selection,
  selectPaths,
  wholeField,
} from '../../../compiler/api/selection.js';
import { baseName, type TypeRef } from '../../../compiler/graph/type-ref.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { type Mistake, maxMistakes, ProblemError } from '../problem.js';

const maxLevels = 12;

/**
 * Narrows a selection to the paths of `?fields=`: `id,address.city`. A path that ends at an object selects its default
 * selection. In a union, a path applies to every member that has it.
 *
 * @throws {ProblemError} With all paths that name no field.
 */
export function narrowSelection(
  schema: GqlSchema,
  type: TypeRef,
  values: readonly string[],
  tellsNames: boolean,
): Selection {
  const name = baseName(type);
  const paths = values.flatMap((value) => value.split(',')).map((path) => path.trim());
  if (defaultSelection(schema, type) === undefined) throw badFields([`${name} has no fields.`]);
  if (paths.length === 0 || paths.includes('')) throw badFields(['“fields” names no field.']);
  const long = paths.filter((path) => path.split('.').length > maxLevels);
  if (long.length > 0) throw badFields(long.map((path) => `“${path}” has more than ${maxLevels} levels.`));
  const faults: string[] = [];
  const by: Narrowing = {
    schema,
    refuse: (fault) => faults.push(describeFieldFault(fault, tellsNames)),
    whole: (field) => wholeField(schema, field),
  };
  const selection = selectPaths(by, name, readFieldTree(paths));
  if (faults.length > 0) throw badFields(faults);
  return selection;
}

/** One problem with all mistakes in `?fields=`, which have one place: clients give it as one text. */
function badFields(faults: readonly string[]): ProblemError {
  const details = [...new Set(faults)].slice(0, maxMistakes);
  const errors: readonly Mistake[] = details.map((detail) => ({
    pointer: '#/fields',
    detail,
    code: 'INVALID_ARGUMENT',
  }));
  return new ProblemError({ status: 400, detail: details[0] as string, members: { parameter: 'fields', errors } });
}
