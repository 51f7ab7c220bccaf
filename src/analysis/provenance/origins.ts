import type { Span } from '../../base/source/span.js';
import { operationCoordinate } from '../../compiler/api/operation-coordinate.js';
import { remember } from '../../compiler/graph/maps.js';
import {
  allOperations,
  type GqlEdgeOrigin,
  type GqlEnumType,
  type GqlInputType,
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

const known = new WeakMap<GqlSchema, ReadonlyMap<string, Origin>>();

/**
 * The origins of everything in a schema, by schema coordinate (the GraphQL RFC of that name): types, fields, inputs,
 * enum values, operations and their arguments, in the order of the schema. Parts of a layer are omitted, because they
 * do not come from a topology.
 */
export function originsOf(schema: GqlSchema): ReadonlyMap<string, Origin> {
  return remember(known, schema, () => new OriginCollector(schema).collect());
}

class OriginCollector {
  readonly #schema: GqlSchema;
  readonly #origins = new Map<string, Origin>();
  readonly #properties = new PlaceTable();
  readonly #nodes = new PlaceTable();

  constructor(schema: GqlSchema) {
    this.#schema = schema;
  }

  collect(): ReadonlyMap<string, Origin> {
    const { objects, interfaces = [], inputs, enums, scalars, unions } = this.#schema;
    const nodeOf = new Map(objects.map(({ name, node }) => [name, node]));
    for (const type of interfaces) this.#object(type, 'interface');
    for (const type of objects) this.#object(type, 'object');
    for (const type of inputs) this.#input(type, type.of === undefined ? type.node : nodeOf.get(type.of));
    for (const type of enums) this.#enum(type);
    for (const { name, node } of scalars) if (node !== undefined) this.#type(name, 'scalar', node);
    for (const { name, edges } of unions) this.#addEdges(name, 'union', edges);
    for (const operation of allOperations(this.#schema)) this.#operation(operation);
    return this.#origins;
  }

  #object({ name, node, fields }: GqlObjectType, rule: 'object' | 'interface'): void {
    if (node === undefined) return;
    this.#type(name, rule, node);
    for (const field of fields) {
      const coordinate = `${name}.${field.name}`;
      if (field.span === undefined) this.#add(coordinate, 'ownId', node.span, node.id);
      else {
        this.#add(coordinate, 'field', field.span, node.id);
        this.#properties.set(field.span, node.id);
      }
      for (const { name: argument, span } of field.arguments ?? []) {
        if (span !== undefined) this.#add(`${coordinate}(${argument}:)`, 'fieldArgument', span, node.id);
      }
    }
  }

  #input({ name, of, fields }: GqlInputType, node: GqlNodeOrigin | undefined): void {
    if (node === undefined) return;
    const isDeclared = of === undefined;
    if (isDeclared) this.#type(name, 'declaredInput', node);
    else this.#add(name, 'input', node.span, node.id);
    for (const field of fields) {
      const own = isDeclared ? 'declaredInputField' : 'inputField';
      const rule = field.span === undefined ? 'ownId' : own;
      this.#add(`${name}.${field.name}`, rule, field.span ?? node.span, node.id);
      if (isDeclared && field.span !== undefined) this.#properties.set(field.span, node.id);
    }
  }

  #enum({ name, node, values, valueSpans }: GqlEnumType): void {
    if (node === undefined) return;
    this.#type(name, 'enum', node);
    for (const [at, value] of values.entries()) {
      this.#add(`${name}.${value}`, 'enumValue', valueSpans?.[at] ?? node.span, node.id);
    }
  }

  #operation(operation: GqlOperation): void {
    if (operation.edges.length === 0) return;
    const coordinate = operationCoordinate(operation);
    this.#addEdges(coordinate, operation.kind, operation.edges);
    for (const { name, span } of operation.arguments) {
      if (span === undefined) continue;
      const argument = `${coordinate}(${name}:)`;
      const owner = this.#properties.get(span);
      const node = owner === undefined ? this.#nodes.get(span) : undefined;
      if (owner !== undefined) this.#add(argument, 'sourceArgument', span, owner);
      else this.#add(argument, node === undefined ? 'ownArgument' : 'wholeArgument', span, node);
    }
  }

  #type(name: string, rule: RuleName, { id, span }: GqlNodeOrigin): void {
    this.#add(name, rule, span, id);
    this.#nodes.set(span, id);
  }

  #addEdges(coordinate: string, rule: RuleName, edges: readonly GqlEdgeOrigin[]): void {
    if (edges.length === 0) return;
    const spans = edges.map(({ span }) => span);
    this.#origins.set(coordinate, { coordinate, rule, spans, node: undefined });
  }

  #add(coordinate: string, rule: RuleName, span: Span, node: string | undefined): void {
    this.#origins.set(coordinate, { coordinate, rule, spans: [span], node });
  }
}

/** Nodes by their place. A schema may have been parsed from JSON, so spans are not compared by identity. */
class PlaceTable {
  readonly #files = new Map<string, Map<number, string>>();

  set({ file, start }: Span, node: string): void {
    remember(this.#files, file, () => new Map()).set(start, node);
  }

  get({ file, start }: Span): string | undefined {
    return this.#files.get(file)?.get(start);
  }
}
