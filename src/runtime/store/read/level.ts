import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  getArgumentValues,
  getNamedType,
  isAbstractType,
  isObjectType,
  type SelectionNode,
} from 'graphql';
import { appendTo } from '../../../compiler/graph/maps.js';
import { isIncluded } from '../../execute/graphql-js/is-included.js';
import { type KeyedField, keyedFieldOf } from '../../execute/resolvers/batch.js';
import { isPlainReader } from '../../execute/resolvers/guard-field.js';
import { ownerOf } from '../../execute/resolvers/owner-of.js';
import { mostParameters, mostValues, ownerTests, type Test } from './conditions.js';
import { type Args, type Plan, planOf, type Source } from './plan.js';
import { countOf, heldAs, StoredRelation } from './relation.js';

/** The rows of a place of an operation, with the rows that lead from them to other rows. */
export interface Level {
  readonly source: Source;
  readonly plan: Plan;
  /** The columns that the operation, its conditions and its nested levels need. */
  readonly columns: readonly string[];
  readonly nested: readonly NestedLevel[];
  /** Whether the number of the rows on all pages is read, too. */
  readonly isCounted: boolean;
  /** The keys of which each has the rows of the plan; undefined for rows without such groups. */
  readonly among?: Test | undefined;
}

/** The rows of a relation. */
export interface NestedLevel extends Level {
  /** The property of the outer row that holds them: see {@link heldAs}. */
  readonly name: string;
  readonly relation: StoredRelation;
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
  const items = isObjectType(type) ? itemsOf(source, type, info.fieldNodes, info) : undefined;
  const isCounted = isObjectType(type) && isCountIn(type, info.fieldNodes, info);
  const level = { ...selected(source, plan, items, info), isCounted };
  const columns = source.table.columns.map(({ name }) => name);
  const whole = { source, plan, columns, nested: [], isCounted };
  if (parametersOf(level) > mostParameters) return whole;
  return isOwn && type === named ? level : { ...whole, nested: level.nested };
}

/**
 * Finds what a relation needs of the rows of many keys, so that one statement reads it with the relations below.
 *
 * @param column - The column that is one of the keys.
 */
export function levelOfKeys(source: Source, column: string, args: Args, info: GraphQLResolveInfo): Level {
  const plan = planOf(source, args, info.rootValue);
  const items = itemsOf(source, getNamedType(info.returnType) as GraphQLObjectType, info.fieldNodes, info);
  const level = { ...selected(source, plan, items, info), isCounted: false };
  const isTooMuch = parametersOf(level) + mostValues > mostParameters;
  const names = source.table.columns.map(({ name }) => name);
  return {
    ...level,
    columns: isTooMuch ? names : names.filter((name) => name === column || level.columns.includes(name)),
    nested: isTooMuch ? [] : level.nested,
  };
}

function parametersOf({ plan, nested }: Level): number {
  return plan.tests.flatMap(({ value }) => value).length + sumOf(nested.map(parametersOf));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

/** The columns and relations that the fields of a row need; all columns if some of them are read by code. */
function selected(
  source: Source,
  plan: Plan,
  fields: ReadonlyMap<string, readonly FieldNode[]> | undefined,
  info: GraphQLResolveInfo,
): Omit<Level, 'isCounted'> {
  const { table, owners } = source;
  const columns = new Set([table.key, ...owners, ...plan.sort.map(({ column }) => column.name)]);
  const nested: NestedLevel[] = [];
  const types = (info.schema.getType(table.type) as GraphQLObjectType).getFields();
  let isWhole = fields === undefined;
  for (const [key, nodes] of fields ?? []) {
    const [node] = nodes as [FieldNode];
    const field = types[node.name.value];
    if (field === undefined) continue; // __typename
    const keyed = keyedFieldOf(field);
    const level = keyed && nestedLevel(source, key, nodes, field, keyed, info);
    if (level !== undefined) {
      nested.push(level);
      columns.add(level.relation.own);
      for (const { column } of level.outer) columns.add(column);
    } else if (keyed !== undefined || !isPlainReader(field.resolve)) isWhole = true;
    else columns.add(field.name);
  }
  const names = table.columns.map(({ name }) => name);
  return { source, plan, columns: isWhole ? names : names.filter((name) => columns.has(name)), nested };
}

function nestedLevel(
  outer: Source,
  key: string,
  nodes: readonly FieldNode[],
  field: GraphQLField<unknown, unknown>,
  { batch, owners, read }: KeyedField,
  info: GraphQLResolveInfo,
): NestedLevel | undefined {
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
  const { source } = batch;
  let plan: Plan;
  try {
    const args = getArgumentValues(field, nodes[0] as FieldNode, info.variableValues);
    plan = planOf(source, read(args), info.rootValue);
  } catch {
    return undefined;
  }
  const items = itemsOf(source, type, nodes, info);
  return {
    ...selected(source, plan, items, info),
    isCounted,
    name,
    relation: batch,
    outer: ownerTests(outer.store.engine, outer.table, owners, ownerOf(info.rootValue)),
  };
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
    const found = [...fieldsOf(at.type, at.nodes, info).values()].filter(
      ([node]) => node?.name.value === name,
    );
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
      if (fragment !== undefined && fits(fragment.typeCondition?.name.value))
        add(fragment.selectionSet.selections);
    }
  };
  for (const { selectionSet } of nodes) add(selectionSet?.selections ?? []);
  return fields;
}
