import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { sameJson } from '../../../base/json-schema/same-json.js';
import type { Span } from '../../../base/source/span.js';
import { saysAccess, withoutAccess } from '../../graph/access.js';
import { type GraphEdge, type GraphField, type GraphNode, isInternalNode } from '../../graph/graph-ir.js';
import { NamedList } from '../../graph/named-list.js';
import { camelCaseOf } from '../../graph/names.js';
import { printTypeRef, sameType, type TypeRef } from '../../graph/type-ref.js';
import { argumentSources, type OperationRule } from '../edge-rules/edge-rules.js';
import type { GqlArgument } from '../gql-schema.js';
import type { ProjectionContext } from './type-projection.js';

/**
 * The arguments of an operation: the typed properties of its edges, and what the rule takes from their argument sources.
 * Types must agree (GG3005), unequal defaults are dropped (GG3017). One source in all is the argument `input`, several
 * are named after themselves, so that `(a | b)-[:FOLD]->(c)` equals one edge from `a` and one from `b`. An internal
 * source, which has no input, gives its fields.
 */
export function projectArguments(
  operation: string,
  edges: readonly GraphEdge[],
  takes: OperationRule['takes'],
  { types, diagnostics }: ProjectionContext,
): readonly GqlArgument[] {
  /** The fields of one edge or node, as long as they are the unchanged arguments. */
  let shared: readonly GraphField[] = none;
  let list: NamedList<PlacedArgument> | undefined;
  const refuse = (type: TypeRef, span: Span): void => {
    diagnostics.push(diagnose('GG3013', { name: printTypeRef(type), position: 'an argument' }, span));
  };
  const add = (argument: PlacedArgument): void => {
    list ??= listOf(shared);
    const { name, span } = argument;
    const at = list.indexOf(name);
    if (at === -1) {
      list.push(argument);
      return;
    }
    const first = list.at(at);
    const labels = [{ span: first.span, message: `“${name}” is first declared here` }];
    const clash = (one: string, other: string) => ({ operation, argument: name, one, other });
    if (!sameType(first.type, argument.type)) {
      const params = clash(printTypeRef(first.type), printTypeRef(argument.type));
      diagnostics.push(diagnose('GG3005', params, span, { labels }));
      return;
    }
    if (first.header?.toLowerCase() !== argument.header?.toLowerCase()) {
      const [one = 'none', other = 'none'] = [first.header, argument.header];
      const reason = `the argument “${name}” has ${one} in one place and ${other} in another`;
      diagnostics.push(diagnose('GG2061', { operation, reason }, span, { labels }));
    }
    if (!sameJson(first.constraints, argument.constraints) || first.notNull !== argument.notNull)
      diagnostics.push(diagnose('GG3034', { operation, argument: name }, span, { labels }));
    if (sameJson(first.fallback, argument.fallback)) return;
    if (first.fallback !== undefined && argument.fallback !== undefined) {
      const params = clash(JSON.stringify(first.fallback), JSON.stringify(argument.fallback));
      diagnostics.push(diagnose('GG3017', params, span, { labels }));
    }
    list.set(at, { ...first, fallback: undefined });
  };
  const stays = (field: GraphField): boolean =>
    types.input(field.type) === field.type &&
    !types.hasNoInput(field.type) &&
    !mustBeGiven(field) &&
    !saysAccess(field);
  const addFields = (fields: readonly GraphField[]): void => {
    if (list === undefined && shared.length === 0 && fields.every(stays)) {
      shared = fields;
      return;
    }
    for (const field of fields) {
      if (types.hasNoInput(field.type)) {
        refuse(field.type, field.span);
        continue;
      }
      const type = types.input(field.type);
      const read = withoutAccess(field);
      const argument = type === field.type ? read : { ...read, type };
      if (!mustBeGiven(field)) add(argument);
      else {
        const { deprecated: _, ...required } = argument;
        add(required);
      }
    }
  };
  const whole = new Set<GraphNode>();
  for (const edge of edges) {
    const unions = edge.args.filter(({ type }) => types.isUnion(type));
    for (const { type, span } of unions) refuse(type, span);
    addFields(unions.length === 0 ? edge.args : edge.args.filter((field) => !unions.includes(field)));
    if (takes === 'nothing') continue;
    for (const source of argumentSources(edge)) {
      if (takes === 'fields' || isInternalNode(source)) addFields(source.fields);
      else whole.add(source);
    }
  }
  for (const node of whole) {
    const type = types.nodeInput(node);
    const name = whole.size === 1 ? 'input' : camelCaseOf(node.typeName);
    if (types.hasNoInput(type)) refuse(type, node.span);
    else add({ name, type, fallback: undefined, description: undefined, span: node.span });
  }
  return list?.toArray() ?? shared;
}

/** Reports two arguments that are read from one header (GG2061). The names of headers ignore case. */
export function checkHeaders(operation: string, args: readonly GqlArgument[], diagnostics: Diagnostic[]): void {
  const owners = new Map<string, PlacedArgument>();
  for (const argument of args as readonly PlacedArgument[]) {
    const { header, name, span } = argument;
    if (header === undefined) continue;
    const owner = owners.get(header.toLowerCase());
    if (owner === undefined) owners.set(header.toLowerCase(), argument);
    else {
      const reason = `“${owner.name}” and “${name}” are both read from ${header}`;
      const labels = [{ span: owner.span, message: `“${owner.name}” is here` }];
      diagnostics.push(diagnose('GG2061', { operation, reason }, span, { labels }));
    }
  }
}

function listOf(fields: readonly GraphField[]): NamedList<PlacedArgument> {
  const list = new NamedList<PlacedArgument>(fields.length);
  for (const field of fields) list.push(field);
  return list;
}

/** Whether a deprecated field is a required argument, which cannot be deprecated (October 2021, section 3.13.3). */
function mustBeGiven({ deprecated, type, fallback }: GraphField): boolean {
  return deprecated !== undefined && type.kind === 'nonNull' && (fallback === undefined || fallback === null);
}

/** Arguments of a topology always have a place, unlike those of a layer. */
type PlacedArgument = GqlArgument & { readonly span: Span };

const none: readonly never[] = [];
