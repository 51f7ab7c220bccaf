import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';
import type { Outcome } from '../../diagnostics/outcome.js';
import type { GraphEdge, GraphIR } from '../../graph/graph-ir.js';
import type { Span } from '../../source/span.js';
import { edgeRules } from '../edge-rules/edge-rules.js';
import type { GqlOperation, GqlSchema, OperationKind } from '../gql-schema.js';
import { checkRaces } from './check-races.js';
import { checkSize } from './check-size.js';
import { checkTypeNames } from './check-type-names.js';
import { groupEdges } from './group-edges.js';
import { projectNodes } from './project-nodes.js';
import { projectOperations } from './project-operations.js';
import { projectUnions } from './project-unions.js';
import type { ProjectionContext } from './projection-context.js';
import { TypeProjection } from './type-projection.js';

/** Projects a topology. Each mistake is a diagnostic; with an error, the schema must not be served. */
export function buildSchema(ir: GraphIR): Outcome<GqlSchema> {
  const diagnostics: Diagnostic[] = [];
  const groups = groupEdges(ir, diagnostics);
  // The unions come first, because they replace the types that they race to.
  const unions = projectUnions(checkTypeNames(ir, groups.unions, diagnostics), diagnostics);
  const types = new TypeProjection(ir.nodesByType, unions);
  const context: ProjectionContext = { types, diagnostics };
  const nodeTypes = projectNodes(ir.nodesByType, context);
  const operations = projectOperations(groups.operations, context);
  checkRaces(ir, diagnostics);
  checkSize(ir, operations, unions, diagnostics);
  reportUnprojected(ir, diagnostics);
  reportNoQuery(ir, diagnostics);
  const schema: GqlSchema = {
    kind: 'GqlSchema',
    sources: ir.sources,
    ...nodeTypes,
    unions,
    queries: ofKind(operations, 'query'),
    mutations: ofKind(operations, 'mutation'),
    subscriptions: ofKind(operations, 'subscription'),
  };
  return { value: schema, diagnostics };
}

function ofKind(operations: readonly GqlOperation[], kind: OperationKind): readonly GqlOperation[] {
  return operations.filter((operation) => operation.kind === kind);
}

/** A topology without a PROCESS edge has no query (GG3010); the parser reports one without nodes. */
function reportNoQuery(ir: GraphIR, diagnostics: Diagnostic[]): void {
  const [source] = ir.sources;
  if (source === undefined || ir.nodes.size === 0) return;
  if (ir.edges.some(({ type }) => type === 'PROCESS')) return;
  diagnostics.push(diagnose('GG3010', {}, { file: source.name, start: 0, end: 0 }));
}

/** Reports each edge type without a rule once: its edges do not become part of the API (GG2010). */
function reportUnprojected(ir: GraphIR, diagnostics: Diagnostic[]): void {
  const counts = new Map<string, { readonly first: GraphEdge; count: number }>();
  for (const edge of ir.edges) {
    if (edgeRules.has(edge.type)) continue;
    const seen = counts.get(edge.type);
    if (seen === undefined) counts.set(edge.type, { first: edge, count: 1 });
    else seen.count += 1;
  }
  for (const [type, { first, count }] of counts) {
    diagnostics.push(diagnose('GG2010', { type, count }, placeOfType(first)));
  }
}

function placeOfType({ type, span, typeStart }: GraphEdge): Span {
  return typeStart === undefined ? span : { file: span.file, start: typeStart, end: typeStart + type.length };
}
