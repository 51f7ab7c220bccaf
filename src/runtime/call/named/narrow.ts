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
import { badParameter } from '../problem.js';

const maxLevels = 12;

/**
 * Narrows a selection to the paths of `?fields=`: `id,address.city`. A path that ends at an object selects its default
 * selection. In a union, a path applies to every member that has it.
 *
 * @throws {ProblemError} If a path names an unknown field, or no field at all.
 */
export function narrowSelection(
  schema: GqlSchema,
  type: TypeRef,
  values: readonly string[],
  tellsNames: boolean,
): Selection {
  const name = baseName(type);
  const paths = values.flatMap((value) => value.split(',')).map((path) => path.trim());
  if (defaultSelection(schema, type) === undefined) throw badParameter('fields', `${name} has no fields.`);
  if (paths.includes('')) throw badParameter('fields', '“fields” names no field.');
  const long = paths.find((path) => path.split('.').length > maxLevels);
  if (long !== undefined) throw badParameter('fields', `“${long}” has more than ${maxLevels} levels.`);
  const by: Narrowing = {
    schema,
    refuse: (fault) => {
      throw badParameter('fields', describeFieldFault(fault, tellsNames));
    },
    whole: (field) => wholeField(schema, field),
  };
  return selectPaths(by, name, readFieldTree(paths));
}
