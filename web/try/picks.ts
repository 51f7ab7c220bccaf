import { sameJson } from '../../src/base/json-schema/same-json.js';
import { printValue } from '../../src/compiler/api/graphql-strings.js';
import { needsArguments } from '../../src/compiler/api/is-required.js';
import {
  defaultSelection,
  membersSelection,
  type SelectedField,
  type Selection,
} from '../../src/compiler/api/selection.js';
import { baseName } from '../../src/compiler/graph/type-ref.js';
import type { GqlField, GqlSchema } from '../../src/compiler/schema/gql-schema.js';
import { inputTypeRef, isComposite, memberNames, namedType } from '../../src/compiler/schema/schema-index.js';
import { type Drafts, fitDrafts, initialDrafts, jsonOf } from './drafts.js';

/**
 * The ticked fields of a type: `true` for a scalar or an enum, the ticked fields below for an object. In a union or an
 * interface, the keys are the names of the members. Plain data.
 */
export interface Picks {
  readonly [name: string]: true | Picks;
}

/** The arguments of ticked fields, by the path of the field in the picks: `box.size`. A field without an entry has its examples. */
export type FieldDrafts = Readonly<Record<string, Drafts>>;

/** The path of a field or a member below another one. */
export function pathTo(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** The arguments of a ticked field: those that were typed, as far as they fit, and examples for the required ones. */
export function fieldDrafts(schema: GqlSchema, { arguments: args = [] }: GqlField, typed: Drafts = {}): Drafts {
  return { ...initialDrafts(schema, args), ...fitDrafts(schema, args, typed) };
}

/** The ticked fields of the default selection. */
export function defaultPicks(schema: GqlSchema, type: string): Picks {
  const selection = defaultSelection(schema, { kind: 'named', name: type });
  return selection === undefined ? {} : picksOf(selection);
}

/** The ticked fields as a selection; undefined for a scalar or an enum. Fields that the type does not have are left out. */
export function selectionOf(
  schema: GqlSchema,
  type: string,
  picks: Picks,
  drafts: FieldDrafts = {},
  path = '',
): Selection | undefined {
  if (!isComposite(schema, type)) return undefined;
  const found = namedType(schema, type);
  if (found.kind === 'union' || found.kind === 'interface') {
    const members = memberNames(found).filter((member) => Object.hasOwn(picks, member));
    const select = (member: string) =>
      selectionOf(schema, member, below(picks, member), drafts, pathTo(path, member)) ?? [];
    return membersSelection(schema, type, members.flatMap(select));
  }
  const fields = fieldsOf(schema, type).filter(({ name }) => Object.hasOwn(picks, name));
  const selected = fields.map((field): SelectedField => {
    const at = pathTo(path, field.name);
    const args = printArguments(schema, field, fieldDrafts(schema, field, drafts[at]));
    return {
      name: field.name,
      ...(args === '' ? {} : { arguments: args }),
      selection: selectionOf(schema, baseName(field.type), below(picks, field.name), drafts, at),
    };
  });
  return { type, typename: selected.length === 0, fields: selected, members: [] };
}

/**
 * The paths for `?fields=` of REST; undefined if the ticked fields are those of the default selection. Only GraphQL can
 * select a field with required arguments.
 */
export function restFields(schema: GqlSchema, type: string, picks: Picks): string | undefined {
  if (!isComposite(schema, type) || sameJson(picks, defaultPicks(schema, type))) return undefined;
  const paths = [...new Set(pathsOf(schema, type, picks))];
  return paths.length === 0 ? undefined : paths.join(',');
}

/** The fields of an object; none for any other type. */
export function fieldsOf(schema: GqlSchema, type: string): readonly GqlField[] {
  const found = namedType(schema, type);
  return found.kind === 'object' ? found.type.fields : [];
}

/** The ticked fields below a field or a member. */
export function below(picks: Picks, name: string): Picks {
  const inner = picks[name];
  return inner === undefined || inner === true ? {} : inner;
}

function picksOf({ fields, members }: Selection): Picks {
  return Object.fromEntries([
    ...fields.map(({ name, selection }) => [name, selection === undefined ? true : picksOf(selection)]),
    ...members.map(({ selection }) => [selection.type, picksOf(selection)]),
  ]);
}

function pathsOf(schema: GqlSchema, type: string, picks: Picks): readonly string[] {
  const members = memberNames(namedType(schema, type));
  if (members.length > 0) return members.flatMap((member) => pathsOf(schema, member, below(picks, member)));
  return fieldsOf(schema, type)
    .filter((field) => Object.hasOwn(picks, field.name) && !needsArguments(field))
    .flatMap((field) => {
      const inner = pathsOf(schema, baseName(field.type), below(picks, field.name));
      return inner.length === 0 ? [field.name] : inner.map((path) => `${field.name}.${path}`);
    });
}

function printArguments(schema: GqlSchema, { arguments: args = [] }: GqlField, drafts: Drafts): string {
  const printed = args.flatMap(({ name, type }) => {
    const draft = drafts[name];
    if (draft === undefined) return [];
    return [`${name}: ${printValue(schema, inputTypeRef(schema, type), jsonOf(schema, type, draft))}`];
  });
  return printed.length === 0 ? '' : `(${printed.join(', ')})`;
}
