import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  getOperationAST,
  isAbstractType,
  isInterfaceType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { operationCoordinate } from '../../compiler/api/operation-coordinate.js';
import { type Reach as RacedQueries, reachOf } from '../../compiler/api/reach/reach.js';
import { clausesOf } from '../../compiler/graph/access.js';
import {
  type AccessClause,
  allOperations,
  type GqlPage,
  type GqlSchema,
  type OperationKind,
} from '../../compiler/schema/gql-schema.js';
import type { Demand } from '../auth/denial.js';
import { rootFieldsOf } from '../limits/root-fields.js';

export type Reach = ReturnType<typeof collect>;

/** Finds what an operation reaches; undefined if the document has no such operation, which graphql-js reports. */
export type ReachOf = (document: DocumentNode, operationName: string | null | undefined) => Reach | undefined;

/**
 * Makes the function that finds what documents reach: their operations, the queries that races and
 * fallbacks run in their place, and
 * the objects and fields that they select. A field of an interface demands what it demands of any type that implements
 * it. `@skip` and `@include` are ignored, so the reach is computed once for each operation.
 */
export function createReach(model: GqlSchema, schema: GraphQLSchema): ReachOf {
  const demands = demandsOf(model);
  const reachedFrom = reachOf(model);
  const known = new WeakMap<OperationDefinitionNode, Reach>();
  return (document, operationName) => {
    const operation = getOperationAST(document, operationName);
    if (!operation) return undefined;
    let found = known.get(operation);
    if (found === undefined) {
      found = collect(document, operation, schema, demands, reachedFrom);
      known.set(operation, found);
    }
    return found;
  };
}

/** The demands of fields, by their coordinate `Type.field`, and of types on callers. */
function demandsOf(schema: GqlSchema): ReadonlyMap<string, Demand> {
  const { objects, interfaces = [] } = schema;
  const fields = [...objects, ...interfaces].flatMap((type) =>
    type.fields.map((field) => [`${type.name}.${field.name}`, field] as const),
  );
  const types = objects.map((type) => [type.name, type] as const);
  const operations = allOperations(schema).map((one) => [operationCoordinate(one), one] as const);
  const demands = new Map<string, Demand>();
  // A page tells of its objects even if none of them is selected: whether there are more, and their cursors.
  const inPages = ({ page }: { readonly page?: GqlPage }): readonly AccessClause[] =>
    page === undefined
      ? []
      : clausesOf(objects.find(({ name }) => name === page.node) ?? {}).filter(({ kind }) => kind === 'owner');
  for (const [coordinate, access] of [...fields, ...operations, ...types]) {
    const args = 'arguments' in access && 'kind' in access ? access.arguments : [];
    const own = clausesOf(access).map(
      // An owner that an argument names is judged by the argument.
      (clause): AccessClause =>
        clause.kind === 'owner' && args?.some(({ name }) => name === clause.of) === true ? { kind: 'auth' } : clause,
    );
    const demand = 'page' in access ? [...own, ...inPages(access)] : own;
    if (demand.length > 0) demands.set(coordinate, demand);
  }
  return demands;
}

function collect(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  schema: GraphQLSchema,
  demands: ReadonlyMap<string, Demand>,
  reachedFrom: RacedQueries,
) {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const demand = new Map<string, AccessClause>();
  const raced: { name: string; of: string }[] = [];
  const add = (place: string): void => {
    for (const clause of demands.get(place) ?? []) demand.set(JSON.stringify(clause), clause);
  };
  const addField = (parent: GraphQLCompositeType, field: string): void => {
    for (const type of [parent, ...(isInterfaceType(parent) ? schema.getPossibleTypes(parent) : [])]) {
      const coordinate = `${type.name}.${field}`;
      add(coordinate);
      for (const { operation: reached, open } of reachedFrom(coordinate)) {
        raced.push({ name: reached.name, of: coordinate });
        if (open !== undefined) continue;
        for (const clause of clausesOf(reached)) demand.set(JSON.stringify(clause), clause);
      }
    }
  };
  const collectFrom = (definition: OperationDefinitionNode | FragmentDefinitionNode): void => {
    const types = new TypeInfo(schema);
    const visitor = visitWithTypeInfo(types, {
      SelectionSet() {
        const parent = types.getParentType();
        // A caller that may not read a type does not learn either that a union or an interface has an object of it.
        if (parent) add(parent.name);
        if (isAbstractType(parent)) for (const { name } of schema.getPossibleTypes(parent)) add(name);
      },
      Field({ name }) {
        const parent = types.getParentType();
        if (parent) addField(parent, name.value);
      },
      FragmentSpread({ name: { value: name } }) {
        const fragment = fragments.get(name);
        // Each fragment counts once: what it demands depends on its own type alone.
        fragments.delete(name);
        if (fragment !== undefined) collectFrom(fragment);
      },
    });
    visit(definition, visitor);
  };
  collectFrom(operation);
  return {
    kind: operation.operation as OperationKind,
    operationName: operation.name?.value,
    /** The operations that it calls, each as often as it is selected. Introspection is none of the topology. */
    called: rootFieldsOf(document, operation).flatMap(({ name: { value } }) => (value.startsWith('__') ? [] : [value])),
    /** The queries that races and fallbacks may run, each with the coordinate of the field that it runs for. */
    raced,
    /** The demands of everything that it reaches; empty if every caller may run it. */
    demand: [...demand.values()],
    /** Whether some of it belongs to owners that only results name. */
    hasOwners: [...demand.values()].some(({ kind }) => kind === 'owner'),
  };
}
