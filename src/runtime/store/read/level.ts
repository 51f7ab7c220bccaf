import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  getArgumentValues,
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isLeafType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
  type OperationDefinitionNode,
  type SelectionNode,
  type TypeNode,
  type ValueNode,
} from 'graphql';
import type { Column, ColumnKind } from '../../../analysis/store/model.js';
import { appendTo, perObject, remember } from '../../../compiler/graph/maps.js';
import { isIncluded } from '../../execute/graphql-js/is-included.js';
import { coercedValues } from '../../execute/graphql-js/releases.js';
import { type KeyedField, keyedFieldOf } from '../../execute/resolvers/batch.js';
import { isPlainReader } from '../../execute/resolvers/guard-field.js';
import { isStandardType } from '../../execute/resolvers/internal-values.js';
import { ownerOf } from '../../execute/resolvers/owner-of.js';
import { LruMap } from '../../limits/lru-map.js';
import { columnOf, mostParameters, mostValues, ownerTests, type Test } from './conditions.js';
import { type Args, type Plan, planOf, type Source } from './plan.js';
import { countOf, heldAs, StoredRelation } from './relation.js';

/** The selection of an operation among the rows of a place, whatever its arguments are. */
interface Selection {
  readonly source: Source;
  /** The columns that the fields, their conditions and the nested selections need. */
  readonly columns: ReadonlySet<string>;
  readonly nested: readonly NestedSelection[];
  /** Whether the number of the rows on all pages is read, too. */
  readonly isCounted: boolean;
  /** The members of a row as the answer has them; undefined if code makes some of them. */
  readonly members: readonly ShownMember[] | undefined;
  /** Everything above that decides the text of a statement. */
  readonly form: string;
}

interface NestedSelection extends Selection {
  /** The property of the outer row that holds the rows: see {@link heldAs}. */
  readonly name: string;
  readonly relation: StoredRelation;
  /** The columns of the outer row that must be the id of the caller. */
  readonly owners: readonly string[];
  /** Whether an answer has its rows as they are: no code makes some of them, or must see them. */
  readonly isShown: boolean;
  /** Finds the rows that its arguments ask for; undefined if they are invalid. */
  readonly planIn: (info: GraphQLResolveInfo) => Plan | undefined;
}

/** A member of an object of an answer: the value of a column, the rows of a relation, or the name of the type. */
export interface ShownMember {
  readonly key: string;
  readonly isRequired: boolean;
  readonly from: Column | { readonly nested: string } | { readonly typename: string };
}

/** The rows of a place of an operation, with the rows that lead from them to other rows. */
export interface Level extends Omit<Selection, 'nested'> {
  readonly plan: Plan;
  readonly nested: readonly NestedLevel[];
  /** The keys of which each has the rows of the plan; undefined for rows without such groups. */
  readonly among?: Test | undefined;
}

/** The rows of a relation. */
export interface NestedLevel extends Level, Pick<NestedSelection, 'name' | 'relation' | 'isShown'> {
  /** The tests of the outer row: the relation may belong to its owner only. */
  readonly outer: readonly Test[];
}

/** PostgreSQL has no longer names. */
const longestName = 63;

/**
 * Finds what a query needs, so that one statement reads it. Left to their own resolvers are relations with invalid
 * arguments, and those that only code can read.
 *
 * @param isOwn - Whether the result is that of the query itself. Races and fallbacks need all columns of a row.
 */
export function levelOf(source: Source, args: Args, info: GraphQLResolveInfo, isOwn: boolean): Level {
  const plan = planOf(source, args, info.rootValue);
  const named = getNamedType(info.returnType);
  // Of a race, the fields of the branch.
  const type = isObjectType(named) ? named : info.schema.getType(source.table.type);
  const level = levelIn(selectionIn(source, type, info), plan, info);
  if (parametersOf(level) > mostParameters) return { ...whole(level), nested: [] };
  return isOwn && type === named ? level : whole(level);
}

/**
 * Finds what a relation needs of the rows of many keys, so that one statement reads it with the relations below.
 *
 * @param keys - The columns that are one of the keys.
 */
export function levelOfKeys(source: Source, keys: readonly string[], args: Args, info: GraphQLResolveInfo): Level {
  const plan = planOf(source, args, info.rootValue);
  const found = levelIn(selectionIn(source, getNamedType(info.returnType), info), plan, info);
  const level = { ...found, isCounted: false, columns: new Set([...found.columns, ...keys]) };
  return parametersOf(level) + mostValues > mostParameters ? { ...whole(level), nested: [] } : level;
}

function parametersOf({ plan, nested }: Level): number {
  let sum = 0;
  for (const { value } of plan.tests) sum += Array.isArray(value) ? value.length : 1;
  for (const one of nested) sum += parametersOf(one);
  return sum;
}

function namesOf({ table }: Source): readonly string[] {
  return table.columns.map(({ name }) => name);
}

/** The level with all columns, for code that reads its rows. */
function whole(level: Level): Level {
  const { source, form } = level;
  return { ...level, columns: new Set(namesOf(source)), members: undefined, form: `${form} whole` };
}

/** The columns of a level, in the order of its table. */
export function columnsOf({ source, columns, plan }: Level): readonly string[] {
  const sorted = plan.sort.map(({ column }) => column.name);
  return namesOf(source).filter((name) => columns.has(name) || sorted.includes(name));
}

function levelIn(selection: Selection, plan: Plan, info: GraphQLResolveInfo): Level {
  const { source, columns, isCounted, members, form } = selection;
  const nested: NestedLevel[] = [];
  for (const one of selection.nested) {
    const own = one.planIn(info);
    if (own === undefined) continue;
    const { name, relation, owners } = one;
    const level = levelIn(one, own, info);
    const isShown = one.isShown && level.members !== undefined;
    const outer = ownerTests(source.store.engine, source.table, owners, ownerOf(info.rootValue));
    nested.push({ ...level, name, relation, outer, isShown });
  }
  const level = { source, plan, columns, nested, isCounted, members, form };
  return nested.length === selection.nested.length ? level : whole(level);
}

/** The selections of a document are found once, for each choice of its directives. */
const selections = new WeakMap<Source, WeakMap<FieldNode, LruMap<string, Selection>>>();
const mostChoices = 100;

function selectionIn(source: Source, type: unknown, info: GraphQLResolveInfo): Selection {
  const { operation, fieldNodes, parentType, variableValues } = info;
  const [node] = fieldNodes as readonly [FieldNode];
  if (fieldNodes.length > 1) return madeSelection(source, type, info);
  let choice = parentType.name;
  for (const name of switchesOf(operation)) choice += ` ${name} ${coercedValues(variableValues)[name]}`;
  const ofSource = remember(selections, source, () => new WeakMap<FieldNode, LruMap<string, Selection>>());
  const ofNode = remember(ofSource, node, () => new LruMap<string, Selection>(mostChoices));
  return remember(ofNode, choice, () => madeSelection(source, type, info));
}

function madeSelection(source: Source, type: unknown, info: GraphQLResolveInfo): Selection {
  if (!isObjectType(type)) return selected(source, undefined, info, false);
  const { fieldNodes } = info;
  return selected(source, itemsOf(source, type, fieldNodes, info), info, isCountIn(type, fieldNodes, info));
}

/** The variables of an operation that directives may depend on, which are found once. */
const switchesOf = perObject(({ variableDefinitions = [] }: OperationDefinitionNode): readonly string[] =>
  variableDefinitions.filter(({ type }) => isBoolean(type)).map(({ variable }) => variable.name.value),
);

function isBoolean(type: TypeNode): boolean {
  return type.kind === 'NonNullType'
    ? isBoolean(type.type)
    : type.kind === 'NamedType' && type.name.value === 'Boolean';
}

/** The columns and relations that the fields of a row need; all columns if some of them are read by code. */
function selected(source: Source, fields: Fields | undefined, info: GraphQLResolveInfo, isCounted: boolean): Selection {
  const { table, owners, read } = source;
  const columns = new Set([table.key, ...owners]);
  const nested: NestedSelection[] = [];
  const members: ShownMember[] = [];
  const types = (info.schema.getType(table.type) as GraphQLObjectType).getFields();
  let isWhole = fields === undefined;
  for (const [key, nodes] of fields ?? []) {
    const field = types[(nodes[0] as FieldNode).name.value];
    const show = (from: ShownMember['from']) =>
      key.length <= longestName && members.push({ key, from, isRequired: isNonNullType(field?.type) });
    if (field === undefined) {
      show({ typename: table.type });
      continue;
    }
    const keyed = keyedFieldOf(field);
    const one = keyed && nestedSelection(source, key, nodes, field, keyed, info);
    if (one !== undefined) {
      nested.push(one);
      for (const name of [...one.relation.own, ...one.owners]) columns.add(name);
      if (one.isShown) show({ nested: one.name });
    } else if (keyed !== undefined || !isPlainReader(field.resolve)) isWhole = true;
    else {
      columns.add(field.name);
      const column = columnOf(table, field.name);
      if (isShown(field.type, column)) show(column);
    }
  }
  const isAllShown = !isWhole && members.length === fields?.size;
  const shown = isAllShown ? members : undefined;
  return {
    source,
    columns: isWhole ? new Set(namesOf(source)) : columns,
    nested,
    isCounted,
    members: shown,
    form: JSON.stringify([
      table.name,
      read.shape,
      isWhole ? 'whole' : [...columns],
      isCounted,
      shown?.map(({ key, from, isRequired }) => [key, isRequired, 'kind' in from ? from.name : from]),
    ]),
  };
}

const shownTypes: Readonly<Record<ColumnKind, readonly string[]>> = {
  text: ['String', 'ID'],
  integer: ['Int'],
  float: ['Float'],
  boolean: ['Boolean'],
  long: ['BigInt', 'Long'],
  instant: ['DateTime'],
  json: [],
};

/** Whether an answer has the JSON that the database makes of a column: no code of a scalar changes it. */
function isShown(type: GraphQLOutputType, { kind, values }: Column): boolean {
  const leaf = getNullableType(type);
  if (isEnumType(leaf)) return values !== undefined && leaf.getValues().every(({ name, value }) => name === value);
  return (
    isLeafType(leaf) && (isSpecifiedScalarType(leaf) || isStandardType(leaf)) && shownTypes[kind].includes(leaf.name)
  );
}

function nestedSelection(
  outer: Source,
  key: string,
  nodes: readonly FieldNode[],
  field: GraphQLField<unknown, unknown>,
  { batch, owners, read, isGuarded }: KeyedField,
  info: GraphQLResolveInfo,
): NestedSelection | undefined {
  const name = heldAs(key);
  const type = getNamedType(field.type) as GraphQLObjectType;
  const isCounted = isCountIn(type, nodes, info);
  const fields = (info.schema.getType(outer.table.type) as GraphQLObjectType).getFields();
  const isColumn = (owner: string) =>
    outer.table.columns.some((one) => one.name === owner) && isPlainReader(fields[owner]?.resolve);
  if (
    !(batch instanceof StoredRelation) ||
    (isCounted ? countOf(name) : name).length > longestName ||
    !owners.every(isColumn)
  )
    return undefined;
  const { source, own, columns } = batch;
  const [node] = nodes as [FieldNode];
  const find = ({ variableValues, rootValue }: GraphQLResolveInfo): Plan | undefined => {
    try {
      return planOf(source, read(getArgumentValues(field, node, variableValues)), rootValue);
    } catch {
      return undefined;
    }
  };
  const isFixed = source.owners.length === 0 && (node.arguments ?? []).every(({ value }) => isConstant(value));
  const fixed = isFixed ? find(info) : undefined;
  const found = selected(source, itemsOf(source, type, nodes, info), info, isCounted);
  return {
    ...found,
    form: `${found.form}${JSON.stringify([name, own, columns])}`,
    name,
    relation: batch,
    owners,
    isShown: found.members !== undefined && owners.length === 0 && !isGuarded && source.read.shape !== 'page',
    planIn: isFixed ? () => fixed : find,
  };
}

function isConstant(value: ValueNode): boolean {
  if (value.kind === 'ListValue') return value.values.every(isConstant);
  if (value.kind === 'ObjectValue') return value.fields.every((field) => isConstant(field.value));
  return value.kind !== 'Variable';
}

type Fields = ReadonlyMap<string, readonly FieldNode[]>;

/**
 * The fields of the rows, by their response names. Undefined if the result has another type, or shows a page twice, with
 * two selections of the same rows.
 */
function itemsOf(
  { table, read }: Source,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  info: GraphQLResolveInfo,
): Fields | undefined {
  let at = { type, nodes };
  for (const name of read.shape === 'page' ? ['edges', 'node'] : []) {
    const found = [...fieldsOf(at.type, at.nodes, info).values()].filter(([node]) => node?.name.value === name);
    const field = at.type.getFields()[name];
    if (field === undefined || found.length > 1) return undefined;
    at = { type: getNamedType(field.type) as GraphQLObjectType, nodes: found[0] ?? [] };
  }
  return at.type.name === table.type ? fieldsOf(at.type, at.nodes, info) : undefined;
}

/** Whether `totalCount` of a page is selected. */
function isCountIn(type: GraphQLObjectType, nodes: readonly FieldNode[], info: GraphQLResolveInfo): boolean {
  if (!type.name.endsWith('Connection') || type.getFields().totalCount === undefined) return false;
  return [...fieldsOf(type, nodes, info).values()].some(([node]) => node?.name.value === 'totalCount');
}

/** Collects the fields of an object as graphql-js does (GraphQL, section 6.3.2). */
function fieldsOf(type: GraphQLObjectType, nodes: readonly FieldNode[], info: GraphQLResolveInfo): Fields {
  const { schema, fragments, variableValues } = info;
  const fields = new Map<string, FieldNode[]>();
  const seen = new Set<string>();
  const fits = (condition: string | undefined): boolean => {
    if (condition === undefined || condition === type.name) return true;
    const named = schema.getType(condition);
    return isAbstractType(named) && schema.isSubType(named, type);
  };
  const add = (selections: readonly SelectionNode[]): void => {
    for (const selection of selections) {
      if (!isIncluded(selection.directives ?? [], variableValues)) continue;
      if (selection.kind === 'Field') {
        appendTo(fields, selection.alias?.value ?? selection.name.value, selection);
        continue;
      }
      const name = selection.kind === 'FragmentSpread' ? selection.name.value : undefined;
      if (name !== undefined && seen.has(name)) continue;
      if (name !== undefined) seen.add(name);
      const fragment = selection.kind === 'FragmentSpread' ? fragments[selection.name.value] : selection;
      if (fragment !== undefined && fits(fragment.typeCondition?.name.value)) add(fragment.selectionSet.selections);
    }
  };
  for (const { selectionSet } of nodes) add(selectionSet?.selections ?? []);
  return fields;
}
