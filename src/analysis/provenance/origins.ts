import type { Span } from '../../base/source/span.js';
import { operationAt, operationCoordinate } from '../../compiler/api/operation-coordinate.js';
import { perObject } from '../../compiler/graph/maps.js';
import {
  allOperations,
  type GqlEdgeOrigin,
  type GqlNodeOrigin,
  type GqlObjectType,
  type GqlOperation,
  type GqlSchema,
} from '../../compiler/schema/gql-schema.js';
import type { RuleName } from './rules.js';

/** The origin of one part of the API. */
export interface Origin {
  /** Its schema coordinate: `User`, `User.email`, `Status.ACTIVE`, `Query.readUser`, `Query.readUser(id:)`. */
  readonly coordinate: string;
  readonly rule: RuleName;
  /** Its places in the topology, at least one: all edges of an operation or a union, one place for anything else. */
  readonly spans: readonly Span[];
  /** The id of its node; undefined if it comes from edges. */
  readonly node: string | undefined;
}

/**
 * The origins of everything in a schema, by schema coordinate (the GraphQL RFC of that name): types, fields, inputs,
 * enum values, operations and their arguments, in the order of the schema. Parts of a layer are omitted, because they
 * do not come from a topology.
 */
export const originsOf = perObject(collectOrigins);

function collectOrigins(schema: GqlSchema): ReadonlyMap<string, Origin> {
  const { objects, interfaces = [], inputs, enums, scalars, unions } = schema;
  const origins = new Map<string, Origin>();
  // The ids of nodes by the places of their properties, and by their own.
  const properties = new Map<string, string>();
  const nodes = new Map<string, string>();

  const add = (coordinate: string, rule: RuleName, span: Span, node: string | undefined): void => {
    origins.set(coordinate, { coordinate, rule, spans: [span], node });
  };
  const addType = (name: string, rule: RuleName, { id, span }: GqlNodeOrigin): void => {
    add(name, rule, span, id);
    nodes.set(placeKey(span), id);
  };
  const addEdges = (coordinate: string, rule: RuleName, edges: readonly GqlEdgeOrigin[]): void => {
    if (edges.length === 0) return;
    origins.set(coordinate, { coordinate, rule, spans: edges.map(({ span }) => span), node: undefined });
  };

  const addObject = ({ name, node, fields }: GqlObjectType, rule: 'object' | 'interface'): void => {
    if (node === undefined) return;
    addType(name, rule, node);
    for (const field of fields) {
      const coordinate = `${name}.${field.name}`;
      add(coordinate, field.span === undefined ? 'ownId' : 'field', field.span ?? node.span, node.id);
      if (field.span !== undefined) properties.set(placeKey(field.span), node.id);
      for (const { name: argument, span } of field.arguments ?? [])
        if (span !== undefined) add(`${coordinate}(${argument}:)`, 'fieldArgument', span, node.id);
    }
  };
  for (const type of interfaces) addObject(type, 'interface');
  for (const type of objects) addObject(type, 'object');

  const nodeOf = new Map(objects.map(({ name, node }) => [name, node]));
  for (const { name, of, fields, ...own } of inputs) {
    const node = of === undefined ? own.node : nodeOf.get(of);
    if (node === undefined) continue;
    if (of === undefined) addType(name, 'declaredInput', node);
    else add(name, 'input', node.span, node.id);
    for (const field of fields) {
      const rule = of === undefined ? 'declaredInputField' : 'inputField';
      const span = field.span ?? node.span;
      add(`${name}.${field.name}`, field.span === undefined ? 'ownId' : rule, span, node.id);
      if (of === undefined && field.span !== undefined) properties.set(placeKey(span), node.id);
    }
  }

  for (const { name, node, values, valueSpans } of enums) {
    if (node === undefined) continue;
    addType(name, 'enum', node);
    for (const [at, value] of values.entries())
      add(`${name}.${value}`, 'enumValue', valueSpans?.[at] ?? node.span, node.id);
  }
  for (const { name, node } of scalars) if (node !== undefined) addType(name, 'scalar', node);
  for (const { name, edges } of unions) addEdges(name, 'union', edges);

  for (const operation of allOperations(schema)) {
    if (operation.edges.length === 0) continue;
    const coordinate = operationCoordinate(operation);
    addEdges(coordinate, operation.kind, edgesOf(operation));
    for (const { name, span } of operation.arguments) {
      if (span === undefined) continue;
      const owner = properties.get(placeKey(span));
      const node = owner ?? nodes.get(placeKey(span));
      const rule = owner !== undefined ? 'sourceArgument' : node !== undefined ? 'wholeArgument' : 'ownArgument';
      add(`${coordinate}(${name}:)`, rule, span, node);
    }
  }
  return origins;
}

/** The edges of an operation or a union, and that of its fallback. */
function edgesOf({ edges, vent }: Pick<GqlOperation, 'edges' | 'vent'>): readonly GqlEdgeOrigin[] {
  return vent === undefined ? edges : [...edges, vent.edge];
}

/** A schema may have been parsed from JSON, so spans are not compared by identity. */
function placeKey({ file, start }: Span): string {
  return `${start} ${file}`;
}

export type OriginPlace = ReturnType<typeof placesOf>[number];

/** The places of an origin, and the element at each: `node user`, `PROCESS edge root → read_user`. */
export function placesOf(schema: GqlSchema, origin: Origin) {
  const { coordinate, spans } = origin;
  const union = schema.unions.find(({ name }) => name === coordinate);
  const made = operationAt(schema, coordinate) ?? union;
  if (made === undefined) return spans.map((span) => ({ span, what: describeDeclaration(origin) }));
  return edgesOf(made).map(({ edge, from, to, span }) => ({ span, what: `${edge} edge ${from.join(' | ')} → ${to}` }));
}

function describeDeclaration({ coordinate, rule, node }: Origin): string {
  const member = /(?:\.|\()(\w+)(?::\))?$/.exec(coordinate)?.[1];
  if (rule === 'fieldArgument') return `argument ${member} of a field of node ${node}`;
  if (rule === 'enumValue') return `value ${member} of node ${node}`;
  if (rule === 'ownArgument') return `property ${member} of the edge`;
  return ofProperties.has(rule) ? `property ${member} of node ${node}` : `node ${node}`;
}

const ofProperties = new Set<RuleName>(['field', 'inputField', 'declaredInputField', 'sourceArgument']);
