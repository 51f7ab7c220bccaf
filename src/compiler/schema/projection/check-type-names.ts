import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { builtinScalarNames } from '../../graph/builtin-scalars.js';
import { type GraphIR, type GraphNode, mirroredNode } from '../../graph/graph-ir.js';
import { whyInvalidName } from '../../graph/names.js';
import type { UnionGroup } from './group-edges.js';

/** The names of the root types and the built-in scalars: no node may become a type of that name. */
const reservedNames: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Subscription', ...builtinScalarNames]);

/**
 * Checks that every type of the projection has a unique name. The name of a node is compared with other nodes (GG3001),
 * with names that GraphQL reserves (GG3002, GG3008) and with inputs and unions derived from other nodes (GG3003);
 * unions with a given name are GG3014. Nothing is renamed.
 *
 * @returns the unions that keep their names
 */
export function checkTypeNames(
  ir: GraphIR,
  unionGroups: readonly UnionGroup[],
  diagnostics: Diagnostic[],
): readonly UnionGroup[] {
  checkNodeNames(ir, diagnostics);
  const nodes = ir.nodesByType;
  for (const node of nodes.values()) {
    const mirrored = mirroredNode(nodes, node.typeName);
    // A declared input takes the place of the derived one.
    if (mirrored !== undefined && node.kind !== 'input') diagnostics.push(derivedNameTaken(node, mirrored));
  }
  return checkUnionNames(nodes, unionGroups, diagnostics);
}

function checkNodeNames({ nodes, nodesByType }: GraphIR, diagnostics: Diagnostic[]): void {
  const areDistinct = nodes.size === nodesByType.size;
  for (const node of nodes.values()) {
    const { id, typeName: type, span } = node;
    const first = areDistinct ? node : (nodesByType.get(type) as GraphNode);
    if (first !== node) {
      const labels = [{ span: first.span, message: `“${first.id}” becomes ${type} too` }];
      diagnostics.push(diagnose('GG3001', { type, one: first.id, other: id }, span, { labels }));
      continue;
    }
    const reason = whyInvalidName(type);
    if (reason !== undefined) diagnostics.push(diagnose('GG3008', { name: type, reason }, span));
    else if (reservedNames.has(type)) diagnostics.push(diagnose('GG3002', { node: id, type }, span));
  }
}

function derivedNameTaken(node: GraphNode, of: GraphNode): Diagnostic {
  const params = { node: node.id, type: node.typeName, of: of.id };
  const labels = [{ span: of.span, message: `${node.typeName} is derived from here` }];
  return diagnose('GG3003', params, node.span, { labels });
}

function checkUnionNames(
  nodes: ReadonlyMap<string, GraphNode>,
  unions: readonly UnionGroup[],
  diagnostics: Diagnostic[],
): readonly UnionGroup[] {
  const byName = new Map<string, UnionGroup>();
  for (const union of unions) {
    if (union.namedAt !== undefined) continue;
    const node = nodes.get(union.name);
    if (node !== undefined) diagnostics.push(derivedNameTaken(node, union.target));
    // Two unions with one derived name belong to nodes that clash themselves.
    else if (!byName.has(union.name)) byName.set(union.name, union);
  }
  // Given names come second: of two unions, the one with the given name is easily renamed.
  for (const union of unions) {
    const { name, target, namedAt } = union;
    if (namedAt === undefined) continue;
    const node = nodes.get(name);
    const mirrored = mirroredNode(nodes, name);
    const raced = byName.get(name)?.target;
    let taken: string | undefined;
    if (reservedNames.has(name)) taken = 'a type of GraphQL';
    else if (node !== undefined) taken = `the type of “${node.id}”`;
    else if (mirrored !== undefined) taken = `the input of “${mirrored.id}”`;
    else if (raced !== undefined) taken = `the union of the race to “${raced.id}”`;
    else byName.set(name, union);
    if (taken === undefined) continue;
    const owner = reservedNames.has(name) ? undefined : (node ?? mirrored ?? raced);
    const labels = owner === undefined ? [] : [{ span: owner.span, message: taken }];
    diagnostics.push(diagnose('GG3014', { target: target.id, union: name, taken }, namedAt, { labels }));
  }
  return unions.filter((union) => byName.get(union.name) === union);
}
