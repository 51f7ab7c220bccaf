import { needsArguments } from '../../../compiler/api/is-required.js';
import { defaultSelection, type SelectedField, type Selection } from '../../../compiler/api/selection.js';
import { remember } from '../../../compiler/graph/maps.js';
import { createSuggester } from '../../../compiler/graph/suggest.js';
import { baseName, type TypeRef } from '../../../compiler/graph/type-ref.js';
import type { GqlField, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { memberNames, namedType, objectFields } from '../../../compiler/schema/schema-index.js';
import { badParameter } from '../problem.js';
import type { CoercionContext } from './coerce.js';

/** The requested fields, by name; an empty map below a field means its default selection. */
interface FieldTree extends Map<string, FieldTree> {}

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
  return select({ schema, tellsNames }, name, readTree(paths), []);
}

function readTree(paths: readonly string[]): FieldTree {
  const root: FieldTree = new Map();
  for (const path of paths) {
    const steps = path.split('.');
    if (steps.length > maxLevels)
      throw badParameter('fields', `“${path}” has more than ${maxLevels} levels.`);
    let level = root;
    for (const step of steps) level = remember(level, step, (): FieldTree => new Map());
  }
  return root;
}

type Known = Omit<CoercionContext, 'executable'>;

function select(against: Known, name: string, tree: FieldTree, path: readonly string[]): Selection {
  const { schema } = against;
  const found = namedType(schema, name);
  if (found.kind === 'object') {
    requireFields(against, tree, found.type.fields, path);
    const fields = selectFields(against, found.type.fields, tree, path);
    return { type: name, typename: tree.has('__typename'), fields, members: [] };
  }
  const fieldsOf = (member: string) => objectFields(schema, member);
  const members = memberNames(found);
  requireFields(against, tree, members.flatMap(fieldsOf), path);
  return {
    type: name,
    typename: true,
    fields: [],
    members: members.flatMap((member) => {
      const fields = selectFields(against, fieldsOf(member), tree, path);
      if (fields.length === 0) return [];
      const selection = { type: member, typename: false, fields, members: [] };
      return [{ selection, aliases: new Map<string, string>() }];
    }),
  };
}

/** The fields of the tree, in its order, with the nested fields of objects. */
function selectFields(
  against: Known,
  fields: readonly GqlField[],
  tree: FieldTree,
  path: readonly string[],
): SelectedField[] {
  return [...tree].flatMap(([name, below]): SelectedField[] => {
    const field = fields.find((candidate) => candidate.name === name);
    if (field === undefined) return [];
    const here = [...path, name];
    const text = here.join('.');
    if (needsArguments(field))
      throw badParameter('fields', `“${text}” needs arguments, which only GraphQL passes.`);
    const whole = defaultSelection(against.schema, field.type);
    if (whole === undefined && below.size > 0)
      throw badParameter('fields', `“${text}” is a ${baseName(field.type)}, which has no fields.`);
    const isWhole = whole === undefined || below.size === 0;
    return [{ name, selection: isWhole ? whole : select(against, baseName(field.type), below, here) }];
  });
}

function requireFields(
  { tellsNames }: Known,
  tree: FieldTree,
  fields: readonly GqlField[],
  path: readonly string[],
): void {
  const known = new Set(fields.map(({ name }) => name));
  for (const [name, below] of tree) {
    if (known.has(name) || (name === '__typename' && below.size === 0)) continue;
    const suggestion = tellsNames ? createSuggester(known).nearest(name) : undefined;
    const hint = suggestion === undefined ? '' : ` Did you mean “${[...path, suggestion].join('.')}”?`;
    throw badParameter('fields', `There is no field “${[...path, name].join('.')}”.${hint}`);
  }
}
