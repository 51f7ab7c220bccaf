import { remember } from '../graph/maps.js';
import { takeName } from '../graph/names.js';
import { baseName, printTypeRef, type TypeRef } from '../graph/type-ref.js';
import type { GqlObjectType, GqlSchema } from '../schema/gql-schema.js';
import { isComposite, memberNames, namedType, objectFields } from '../schema/schema-index.js';
import { answeredFields } from './is-required.js';
import { boundedDepth } from './nesting.js';
import { isInTail } from './required-tail.js';

/** The default selection of an object, a union or an interface. */
export interface Selection {
  readonly type: string;
  /** Whether `__typename` is selected: always in a union or an interface, and if the selection would be empty. */
  readonly typename: boolean;
  /** The fields of an object, in source order; none for a union or an interface. */
  readonly fields: readonly SelectedField[];
  /** The members of a union, or the types of an interface, each with its selection; none for an object. */
  readonly members: readonly SelectedMember[];
}

export interface SelectedField {
  readonly name: string;
  /** Its arguments as GraphQL, in parentheses; absent without any, as in default selections. */
  readonly arguments?: string;
  /** The selection of its objects; undefined for a scalar or an enum. */
  readonly selection: Selection | undefined;
}

export interface SelectedMember {
  readonly selection: Selection;
  /** Aliases for fields with another type in an earlier member. GraphQL needs them; REST keeps the names. */
  readonly aliases: ReadonlyMap<string, string>;
}

/**
 * The default selection of a result type, or undefined when it is a scalar or an enum: all scalars and
 * enums without required arguments and without `auth` or `scopes` (so that an answer is the same for all callers), the objects in them to three levels (fewer where that would be more than 200
 * fields), the required objects below (see `required-tail.ts`), and `__typename` with every member in unions. REST
 * answers exactly this, and the queries of the collection read it.
 */
export function defaultSelection(schema: GqlSchema, type: TypeRef): Selection | undefined {
  const name = baseName(type);
  const known = remember(defaults, schema, () => new Map<string, Selection>());
  if (!known.has(name) && !isComposite(schema, name)) return undefined;
  return remember(known, name, () => select(schema, name, boundedDepth(schema, 'output', name)));
}

/** The selection of a union or an interface from those of its members. */
export function membersSelection(
  schema: GqlSchema,
  name: string,
  selections: readonly Selection[],
): Selection {
  const taken = new Set(
    selections.flatMap(({ type }) => objectFields(schema, type).map((field) => field.name)),
  );
  const typeOfName = new Map<string, string>();
  const members = selections.map((selection): SelectedMember => {
    const selected = new Set(selection.fields.map((field) => field.name));
    const aliases = new Map<string, string>();
    for (const { name: field, type } of objectFields(schema, selection.type)) {
      if (!selected.has(field)) continue;
      const printed = printTypeRef(type);
      const before = typeOfName.get(field);
      if (before === undefined) typeOfName.set(field, printed);
      else if (before !== printed) aliases.set(field, takeName(taken, `${field}_${selection.type}`));
    }
    return { selection, aliases };
  });
  return { type: name, typename: true, fields: [], members };
}

const defaults = new WeakMap<GqlSchema, Map<string, Selection>>();

/** All selections of a schema, for each depth. */
const selections = new WeakMap<GqlSchema, Map<string, Selection>[]>();

function select(schema: GqlSchema, name: string, depth: number): Selection {
  const byDepth = remember(selections, schema, () => []);
  byDepth[depth] ??= new Map();
  return remember(byDepth[depth], name, () => {
    const found = namedType(schema, name);
    if (found.kind === 'object') return selectObject(schema, found.type, depth);
    if (found.kind !== 'union' && found.kind !== 'interface') {
      throw new Error(`invariant: ${name} is not a result type`);
    }
    const members = memberNames(found).map((member) => select(schema, member, depth));
    return membersSelection(schema, name, members);
  });
}

function selectObject(schema: GqlSchema, type: GqlObjectType, depth: number): Selection {
  const fields: SelectedField[] = [];
  for (const field of answeredFields(type.fields)) {
    if (field.auth === 'required') continue;
    const inner = baseName(field.type);
    if (!isComposite(schema, inner)) fields.push({ name: field.name, selection: undefined });
    else if (depth > 1 || isInTail(schema, type.name, field))
      fields.push({ name: field.name, selection: select(schema, inner, Math.max(depth - 1, 0)) });
  }
  return { type: type.name, typename: fields.length === 0, fields, members: [] };
}
