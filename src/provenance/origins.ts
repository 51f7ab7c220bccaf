import type {
  GqlEdgeOrigin,
  GqlEnumType,
  GqlInputType,
  GqlObjectType,
  GqlOperation,
  GqlSchema,
} from '../schema/gql-schema.js';
import type { Span } from '../source/span.js';
import type { RuleName } from './rules.js';

/** Where one thing of the API comes from. */
export interface Origin {
  /** What it is called: `User`, `User.email`, `Status.ACTIVE`, `Query.readUser`, `Query.readUser(id:)`. */
  readonly coordinate: string;
  /** The rule of the mapping that made it. */
  readonly rule: RuleName;
  /** Its places in the topology, one at least: of an operation all its edges, of anything else one. */
  readonly places: readonly OriginPlace[];
}

/** One place that a thing comes from. */
export interface OriginPlace {
  readonly span: Span;
  /** What stands there: `node user`, `PROCESS edge root → read_user`. */
  readonly what: string;
}

const known = new WeakMap<GqlSchema, ReadonlyMap<string, Origin>>();

/**
 * Where everything in a schema comes from, by its schema coordinate (the GraphQL RFC of that name): types,
 * fields, inputs, enum values, operations and their arguments, in the order of the schema. What a layer
 * added comes from no topology and is not among them.
 */
export function originsOf(schema: GqlSchema): ReadonlyMap<string, Origin> {
  let origins = known.get(schema);
  if (origins === undefined) {
    origins = new OriginCollector(schema).collect();
    known.set(schema, origins);
  }
  return origins;
}

/** The root type of an operation: `Query`. */
export function rootTypeOf(kind: GqlOperation['kind']): 'Query' | 'Mutation' | 'Subscription' {
  return kind === 'query' ? 'Query' : kind === 'mutation' ? 'Mutation' : 'Subscription';
}

/** The coordinate of an operation: `Query.readUser`. */
export function operationCoordinate({ kind, name }: GqlOperation): string {
  return `${rootTypeOf(kind)}.${name}`;
}

class OriginCollector {
  readonly #schema: GqlSchema;
  readonly #origins = new Map<string, Origin>();
  /** Whose property stands at a place, and whose node. */
  readonly #ownerOfProperty = new Map<string, string>();
  readonly #nodeAt = new Map<string, string>();

  constructor(schema: GqlSchema) {
    this.#schema = schema;
  }

  collect(): ReadonlyMap<string, Origin> {
    const { objects, inputs, enums, scalars, unions, queries, mutations, subscriptions } = this.#schema;
    const objectOf = new Map(objects.map((type) => [type.name, type]));
    for (const type of objects) this.#object(type);
    for (const type of inputs) this.#input(type, objectOf.get(type.of));
    for (const type of enums) this.#enum(type);
    for (const { name, node } of scalars) {
      if (node === undefined) continue;
      this.#add(name, 'scalar', node.span, `node ${node.id}`);
      this.#nodeAt.set(keyOf(node.span), node.id);
    }
    for (const { name, edges } of unions) this.#addEdges(name, 'union', edges);
    for (const operation of [...queries, ...mutations, ...subscriptions]) this.#operation(operation);
    return this.#origins;
  }

  #object({ name, node, fields }: GqlObjectType): void {
    if (node === undefined) return;
    this.#add(name, 'object', node.span, `node ${node.id}`);
    this.#nodeAt.set(keyOf(node.span), node.id);
    for (const field of fields) {
      const coordinate = `${name}.${field.name}`;
      if (field.span === undefined) {
        this.#add(coordinate, 'ownId', node.span, `node ${node.id}`);
        continue;
      }
      this.#add(coordinate, 'field', field.span, `property ${field.name} of node ${node.id}`);
      this.#ownerOfProperty.set(keyOf(field.span), node.id);
    }
  }

  #input({ name, fields }: GqlInputType, mirrored: GqlObjectType | undefined): void {
    const node = mirrored?.node;
    if (node === undefined) return;
    this.#add(name, 'input', node.span, `node ${node.id}`);
    for (const field of fields) {
      const what = field.span === undefined ? `node ${node.id}` : `property ${field.name} of node ${node.id}`;
      this.#add(`${name}.${field.name}`, 'inputField', field.span ?? node.span, what);
    }
  }

  #enum({ name, node, values, valueSpans }: GqlEnumType): void {
    if (node === undefined) return;
    this.#add(name, 'enum', node.span, `node ${node.id}`);
    this.#nodeAt.set(keyOf(node.span), node.id);
    for (const [at, value] of values.entries()) {
      this.#add(
        `${name}.${value}`,
        'enumValue',
        valueSpans?.[at] ?? node.span,
        `value ${value} of node ${node.id}`,
      );
    }
  }

  #operation(operation: GqlOperation): void {
    if (operation.edges.length === 0) return;
    const coordinate = operationCoordinate(operation);
    this.#addEdges(coordinate, operation.kind, operation.edges);
    for (const { name, span } of operation.arguments) {
      if (span === undefined) continue;
      const key = keyOf(span);
      const owner = this.#ownerOfProperty.get(key);
      const node = this.#nodeAt.get(key);
      const argument = `${coordinate}(${name}:)`;
      if (owner !== undefined)
        this.#add(argument, 'sourceArgument', span, `property ${name} of node ${owner}`);
      else if (node !== undefined) this.#add(argument, 'wholeArgument', span, `node ${node}`);
      else this.#add(argument, 'ownArgument', span, `property ${name} of the edge`);
    }
  }

  #addEdges(coordinate: string, rule: RuleName, edges: readonly GqlEdgeOrigin[]): void {
    if (edges.length === 0) return;
    const places = edges.map((edge) => ({ span: edge.span, what: describeEdge(edge) }));
    this.#origins.set(coordinate, { coordinate, rule, places });
  }

  #add(coordinate: string, rule: RuleName, span: Span, what: string): void {
    this.#origins.set(coordinate, { coordinate, rule, places: [{ span, what }] });
  }
}

function describeEdge({ edge, from, to }: GqlEdgeOrigin): string {
  return `${edge} edge ${from.join(' | ')} → ${to}`;
}

function keyOf({ file, start, end }: Span): string {
  return `${start}:${end}:${file}`;
}
