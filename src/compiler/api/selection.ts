import { perObject, remember } from '../graph/maps.js';
import { takeName } from '../graph/names.js';
import { createSuggester } from '../graph/suggest.js';
import { baseName, printTypeRef, type TypeRef } from '../graph/type-ref.js';
import type { GqlField, GqlObjectType, GqlOperation, GqlSchema } from '../schema/gql-schema.js';
import { isComposite, memberNames, namedType, objectFields } from '../schema/schema-index.js';
import { answeredFields, needsArguments } from './is-required.js';
import { boundedDepth, isInTail } from './nesting.js';
import { answerType } from './rest-routes.js';

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
 * fields), the required objects below (see `nesting.ts`), and `__typename` with every member in unions. REST
 * answers exactly this, and the queries of the collection read it.
 */
export function defaultSelection(schema: GqlSchema, type: TypeRef): Selection | undefined {
  const name = baseName(type);
  const known = defaults(schema);
  if (!known.has(name) && !isComposite(schema, name)) return undefined;
  return remember(known, name, () => select(schema, name, boundedDepth(schema, 'output', name)));
}

/** The selection of a REST response: the fields that the edge names, else the default selection. */
export function answerSelection(schema: GqlSchema, operation: GqlOperation): Selection | undefined {
  const type = answerType(operation);
  return operation.fields === undefined
    ? defaultSelection(schema, type)
    : declaredSelection(schema, baseName(type), operation.fields, 'edge');
}

/** The selection of a field at the end of a path: the fields that its tag names, else the default selection. */
export function wholeField(schema: GqlSchema, field: GqlField): Selection | undefined {
  return field.fields === undefined ? defaultSelection(schema, field.type) : taggedSelection(schema, field, 1);
}

/** Paths of fields by name; an empty map below a field selects the field as a whole. */
export interface FieldTree extends Map<string, FieldTree> {}

type Path = readonly string[];

/** The mistake in a path of fields. */
export type FieldFault =
  | { readonly kind: 'unknown'; readonly path: Path; readonly known: ReadonlySet<string> }
  | { readonly kind: 'arguments'; readonly path: Path }
  | { readonly kind: 'leaf'; readonly path: Path; readonly type: string };

/** The paths as a tree: `id`, `address.city`. */
export function readFieldTree(paths: readonly string[]): FieldTree {
  const root: FieldTree = new Map();
  for (const path of paths) {
    let level = root;
    for (const step of path.split('.')) level = remember(level, step, (): FieldTree => new Map());
  }
  return root;
}

/** A sentence about a fault; names of the schema are suggested only if `tellsNames`. */
export function describeFieldFault(fault: FieldFault, tellsNames: boolean): string {
  const path = fault.path.join('.');
  if (fault.kind === 'arguments') return `“${path}” needs arguments, which only GraphQL passes.`;
  if (fault.kind === 'leaf') return `“${path}” is of type ${fault.type}, which has no fields.`;
  const near = tellsNames ? createSuggester(fault.known).nearest(fault.path.at(-1) as string) : undefined;
  const hint = near === undefined ? '' : ` Did you mean “${[...fault.path.slice(0, -1), near].join('.')}”?`;
  return `There is no field “${path}”.${hint}`;
}

/** How a selection is made from a tree of paths. */
export interface Narrowing {
  readonly schema: GqlSchema;
  /** Gets each fault; a path with one is left out. */
  readonly refuse: (fault: FieldFault) => void;
  /** The selection of an object at the end of a path. */
  readonly whole: (field: GqlField) => Selection | undefined;
}

/** The selection of paths, in their order. In a union, a path applies to every member that has it. */
export function selectPaths(by: Narrowing, name: string, tree: FieldTree, path: Path = []): Selection {
  const found = namedType(by.schema, name);
  if (found.kind === 'object') {
    refuseUnknown(by, tree, found.type.fields, path);
    const fields = selectFields(by, found.type.fields, tree, path);
    return { type: name, typename: tree.has('__typename'), fields, members: [] };
  }
  const members = memberNames(found);
  const all = members.flatMap((member) => objectFields(by.schema, member));
  refuseUnknown(by, tree, all, path);
  return {
    type: name,
    typename: true,
    fields: [],
    members: members.flatMap((member) => {
      const fields = selectFields(by, objectFields(by.schema, member), tree, path);
      if (fields.length === 0) return [];
      const selection = { type: member, typename: false, fields, members: [] };
      return [{ selection, aliases: new Map<string, string>() }];
    }),
  };
}

function selectFields(by: Narrowing, fields: readonly GqlField[], tree: FieldTree, path: Path): SelectedField[] {
  return [...tree].flatMap(([name, below]): SelectedField[] => {
    const field = fields.find((candidate) => candidate.name === name);
    if (field === undefined) return [];
    const here = [...path, name];
    const type = baseName(field.type);
    const isLeaf = !isComposite(by.schema, type);
    if (needsArguments(field)) by.refuse({ kind: 'arguments', path: here });
    else if (isLeaf && below.size > 0) by.refuse({ kind: 'leaf', path: here, type });
    else if (isLeaf) return [{ name, selection: undefined }];
    else {
      const selection = below.size === 0 ? by.whole(field) : selectPaths(by, type, below, here);
      return [{ name, selection }];
    }
    return [];
  });
}

function refuseUnknown(by: Narrowing, tree: FieldTree, fields: readonly GqlField[], path: Path): void {
  const known = new Set(fields.map(({ name }) => name));
  for (const [name, below] of tree) {
    if (known.has(name) || (name === '__typename' && below.size === 0)) continue;
    by.refuse({ kind: 'unknown', path: [...path, name], known });
  }
}

/**
 * The selection of paths that an edge or the tag of a field declares, in source order as default selections. For a tag, an
 * object at the end of a path has only its scalars, enums and required objects: tags may refer to each other.
 */
function declaredSelection(schema: GqlSchema, name: string, paths: readonly string[], place: 'edge' | 'tag') {
  if (!isComposite(schema, name)) return undefined;
  const whole = (field: GqlField) =>
    place === 'edge' ? wholeField(schema, field) : select(schema, baseName(field.type), 0);
  const inOrder = (selection: Selection): Selection => {
    const fields = new Map(selection.fields.map((field) => [field.name, field]));
    const sorted = objectFields(schema, selection.type).flatMap(({ name: field }) => fields.get(field) ?? []);
    const nested = sorted.map((field) => ({ ...field, selection: field.selection && inOrder(field.selection) }));
    const members = selection.members.map(({ selection: member }) => inOrder(member));
    if (members.length > 0) return membersSelection(schema, selection.type, members);
    const isEmpty = selection.members.length + nested.length === 0;
    return { ...selection, fields: nested, typename: selection.typename || isEmpty };
  };
  return remember(declared(schema), `${place} ${name} ${paths.join()}`, () =>
    inOrder(selectPaths({ schema, refuse: () => {}, whole }, name, readFieldTree(paths))),
  );
}

/** The selection of a field with the tag `@fields`, which names fields of the items if the field has pages. */
function taggedSelection(schema: GqlSchema, field: GqlField, depth: number): Selection | undefined {
  const { type, page, fields = [] } = field;
  const items = declaredSelection(schema, page?.node ?? baseName(type), fields, 'tag');
  if (page === undefined || items === undefined) return items;
  const withItems = (selection: Selection): Selection => ({
    ...selection,
    fields: selection.fields.map((one) => {
      if (one.name === 'node') return { ...one, selection: items };
      return one.name === 'edges' && one.selection ? { ...one, selection: withItems(one.selection) } : one;
    }),
  });
  return withItems(select(schema, baseName(type), depth));
}

/** The selection of a union or an interface from those of its members. */
export function membersSelection(schema: GqlSchema, name: string, selections: readonly Selection[]): Selection {
  const taken = new Set(selections.flatMap(({ type }) => objectFields(schema, type).map((field) => field.name)));
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

const noSelections = (_: GqlSchema) => new Map<string, Selection>();
const defaults = perObject(noSelections);

/** The selections of the fields that edges and tags name. */
const declared = perObject(noSelections);

/** All selections of a schema, for each depth. */
const selections = perObject((_: GqlSchema): Map<string, Selection>[] => []);

function select(schema: GqlSchema, name: string, depth: number): Selection {
  const byDepth = selections(schema);
  byDepth[depth] ??= new Map();
  return remember(byDepth[depth], name, () => {
    const found = namedType(schema, name);
    if (found.kind === 'object') return selectObject(schema, found.type, depth);
    if (found.kind !== 'union' && found.kind !== 'interface')
      throw new Error(`invariant: ${name} is not a result type`);
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
    else if (depth > 1 || isInTail(schema, type.name, field)) {
      const below = Math.max(depth - 1, 0);
      const isTagged = field.fields !== undefined && depth > 0;
      const selection = isTagged ? taggedSelection(schema, field, below) : select(schema, inner, below);
      fields.push({ name: field.name, selection });
    }
  }
  return { type: type.name, typename: fields.length === 0, fields, members: [] };
}
