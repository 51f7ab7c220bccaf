import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { rootTypeOf } from '../api/operation-coordinate.js';
import { allOperations, type GqlSchema } from '../schema/gql-schema.js';
import { type Demand, type Denial, demandOf } from './denial.js';
import { refusedOperation } from './refused-operation.js';

/** What an operation of a valid document demands of its caller; undefined if everybody may run it. */
export type DocumentDemands = (
  document: DocumentNode,
  operationName: string | null | undefined,
) => Demand | undefined;

/**
 * Makes the function that finds what a document demands: what its fields demand together, of operations and of objects.
 * A field of an interface demands what it demands of any type that implements it. `@skip` and `@include` are ignored, so
 * the demand is computed once for each operation. Undefined if nothing in the schema demands anything.
 */
export function createDocumentDemands(model: GqlSchema, schema: GraphQLSchema): DocumentDemands | undefined {
  const demands = demandsOf(model);
  if (demands.size === 0) return undefined;
  const known = new WeakMap<OperationDefinitionNode, { readonly demand: Demand | undefined }>();
  return (document, operationName) => {
    const operation = getOperationAST(document, operationName);
    // graphql-js does not run the document either.
    if (!operation) return undefined;
    let found = known.get(operation);
    if (found === undefined) {
      found = { demand: collect(document, operation, schema, demands) };
      known.set(operation, found);
    }
    return found.demand;
  };
}

/** The error of a denial, with the status and the header for both engines. */
export function errorOfDenial({ status, code, message, scopes, challenge }: Denial): GraphQLError {
  const header: Record<string, string> = challenge === undefined ? {} : { 'www-authenticate': challenge };
  return refusedOperation(message, { code, ...(scopes === undefined ? {} : { scopes }) }, status, header);
}

/** What each field demands, by its coordinate `Type.field`. */
function demandsOf(schema: GqlSchema) {
  const { objects, interfaces = [] } = schema;
  const fields = [...objects, ...interfaces].flatMap((type) =>
    type.fields.map((field) => [`${type.name}.${field.name}`, field] as const),
  );
  const operations = allOperations(schema).map(
    (operation) => [`${rootTypeOf(operation.kind)}.${operation.name}`, operation] as const,
  );
  const demands = new Map<string, Demand>();
  for (const [coordinate, access] of [...fields, ...operations]) {
    const demand = demandOf(access);
    if (demand !== undefined) demands.set(coordinate, demand);
  }
  return demands;
}

function collect(
  { definitions }: DocumentNode,
  operation: OperationDefinitionNode,
  schema: GraphQLSchema,
  demands: ReadonlyMap<string, Demand>,
): Demand | undefined {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  let isDemanding = false;
  const scopes = new Set<string>();

  const addField = (parent: GraphQLNamedType, { name, selectionSet }: FieldNode): void => {
    const types = [parent, ...(isInterfaceType(parent) ? schema.getPossibleTypes(parent) : [])];
    for (const type of types) {
      const demand = demands.get(`${type.name}.${name.value}`);
      if (demand === undefined) continue;
      isDemanding = true;
      for (const scope of demand.scopes) scopes.add(scope);
    }
    if (selectionSet === undefined) return;
    const owner = isObjectType(parent) || isInterfaceType(parent) ? parent : undefined;
    const field = owner?.getFields()[name.value];
    // Only introspection has other fields with selections, and it demands nothing.
    if (field !== undefined) addSelections(getNamedType(field.type), selectionSet);
  };
  const addSelections = (parent: GraphQLNamedType, { selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) addField(parent, selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const { typeCondition, selectionSet } = selection;
        addSelections(typeCondition === undefined ? parent : typeOf(typeCondition.name.value), selectionSet);
      } else {
        const fragment = fragments.get(selection.name.value);
        // Each fragment counts once: what it demands depends on its own type alone.
        if (fragment === undefined) continue;
        fragments.delete(selection.name.value);
        addSelections(typeOf(fragment.typeCondition.name.value), fragment.selectionSet);
      }
    }
  };
  const typeOf = (name: string): GraphQLNamedType => {
    const type = schema.getType(name);
    if (type === undefined || !(isObjectType(type) || isAbstractType(type)))
      throw new Error(`invariant: a valid document has no fragment on ${name}`);
    return type;
  };
  const root = schema.getRootType(operation.operation);
  if (root) addSelections(root, operation.selectionSet);
  return isDemanding ? { scopes: [...scopes].sort() } : undefined;
}
