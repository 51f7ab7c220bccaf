import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { sameJson } from '../../../base/json-schema/same-json.js';
import type { Span } from '../../../base/source/span.js';
import { saysAccess, withoutAccess } from '../../graph/access.js';
import { type GraphEdge, type GraphField, type GraphNode, isInternalNode } from '../../graph/graph-ir.js';
import type { JsonValue } from '../../graph/json-value.js';
import { NamedList } from '../../graph/named-list.js';
import { camelCaseOf } from '../../graph/names.js';
import { printTypeRef, sameType, type TypeRef } from '../../graph/type-ref.js';
import { argumentSources } from '../edge-rules/argument-sources.js';
import type { OperationRule } from '../edge-rules/edge-rules.js';
import type { GqlArgument } from '../gql-schema.js';
import type { ProjectionContext } from './type-projection.js';

/** The merged arguments of an operation: types must agree (GG3005), unequal defaults are dropped (GG3017). */
export class ArgumentList {
  /** The fields of one edge or node, as long as they are the unchanged arguments. */
  #shared: readonly GraphField[] = none;
  #list: NamedList<PlacedArgument> | undefined;

  constructor(
    private readonly operation: string,
    private readonly context: ProjectionContext,
  ) {}

  toArray(): readonly GqlArgument[] {
    return this.#list?.toArray() ?? this.#shared;
  }

  /**
   * Adds the typed properties of edges, and what the rule takes from their argument sources. One source in all
   * is the argument `input`, several are named after themselves, so that `(a | b)-[:FOLD]->(c)` equals one edge from `a`
   * and one from `b`. An internal source, which has no input, gives its fields.
   */
  addEdges(edges: readonly GraphEdge[], takes: OperationRule['takes']): void {
    let whole: Set<GraphNode> | undefined;
    for (const edge of edges) {
      this.#addOwn(edge.args);
      if (takes === 'nothing') continue;
      for (const source of argumentSources(edge)) {
        if (takes === 'fields' || isInternalNode(source)) this.#addFields(source.fields);
        else {
          whole ??= new Set();
          whole.add(source);
        }
      }
    }
    if (whole === undefined) return;
    for (const node of whole) this.#addNode(whole.size === 1 ? 'input' : camelCaseOf(node.typeName), node);
  }

  /** Adds the typed properties of an edge. A union among them is an error (GG3013). */
  #addOwn(properties: readonly GraphField[]): void {
    const { types } = this.context;
    const allowed = properties.some(({ type }) => types.isUnion(type))
      ? properties.filter(({ type, span }) => !types.isUnion(type) || !this.#refuse(type, span))
      : properties;
    this.#addFields(allowed);
  }

  #addFields(fields: readonly GraphField[]): void {
    if (fields.length === 0) return;
    const { types } = this.context;
    const isEmpty = this.#list === undefined && this.#shared.length === 0;
    const stays = (field: GraphField) =>
      types.input(field.type) === field.type &&
      !types.hasNoInput(field.type) &&
      !mustBeGiven(field) &&
      !saysAccess(field);
    if (isEmpty && fields.every(stays)) {
      this.#shared = fields;
      return;
    }
    for (const field of fields) {
      if (types.hasNoInput(field.type)) {
        this.#refuse(field.type, field.span);
        continue;
      }
      const type = types.input(field.type);
      const read = withoutAccess(field);
      const argument = type === field.type ? read : { ...read, type };
      if (!mustBeGiven(field)) this.#add(argument);
      else {
        const { deprecated: _, ...required } = argument;
        this.#add(required);
      }
    }
  }

  #addNode(name: string, node: GraphNode): void {
    const { types } = this.context;
    const type = types.nodeInput(node);
    if (types.hasNoInput(type)) this.#refuse(type, node.span);
    else this.#add({ name, type, fallback: undefined, description: undefined, span: node.span });
  }

  #refuse(type: TypeRef, span: Span): true {
    const params = { name: printTypeRef(type), position: 'an argument' };
    this.#report(diagnose('GG3013', params, span));
    return true;
  }

  #add(argument: PlacedArgument): void {
    this.#list ??= this.#ownList();
    const at = this.#list.indexOf(argument.name);
    if (at === -1) {
      this.#list.push(argument);
      return;
    }
    const first = this.#list.at(at);
    if (!sameType(first.type, argument.type)) {
      const params = this.#params(first, printTypeRef(first.type), printTypeRef(argument.type));
      this.#report(diagnose('GG3005', params, argument.span, { labels: [firstPlace(first)] }));
      return;
    }
    const constrained = argument.constraints as JsonValue | undefined;
    if (!sameJson(first.constraints as JsonValue | undefined, constrained)) {
      const params = { operation: this.operation, argument: argument.name };
      this.#report(diagnose('GG3034', params, argument.span, { labels: [firstPlace(first)] }));
    }
    if (sameJson(first.fallback, argument.fallback)) return;
    if (first.fallback !== undefined && argument.fallback !== undefined) {
      const params = this.#params(first, JSON.stringify(first.fallback), JSON.stringify(argument.fallback));
      this.#report(diagnose('GG3017', params, argument.span, { labels: [firstPlace(first)] }));
    }
    this.#list.set(at, { ...first, fallback: undefined });
  }

  #ownList(): NamedList<PlacedArgument> {
    const list = new NamedList<PlacedArgument>(this.#shared.length);
    for (const field of this.#shared) list.push(field);
    return list;
  }

  #params({ name: argument }: GqlArgument, one: string, other: string) {
    return { operation: this.operation, argument, one, other };
  }

  #report(diagnostic: Diagnostic): void {
    this.context.diagnostics.push(diagnostic);
  }
}

/** Whether a deprecated field is a required argument, which cannot be deprecated (October 2021, section 3.13.3). */
function mustBeGiven({ deprecated, type, fallback }: GraphField): boolean {
  return deprecated !== undefined && type.kind === 'nonNull' && (fallback === undefined || fallback === null);
}

/** Arguments of a topology always have a place, unlike those of a layer. */
type PlacedArgument = GqlArgument & { readonly span: Span };

function firstPlace({ name, span }: PlacedArgument) {
  return { span, message: `“${name}” is first declared here` };
}

const none: readonly never[] = [];
