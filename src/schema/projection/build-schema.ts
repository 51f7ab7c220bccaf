import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';
import type { Outcome } from '../../diagnostics/outcome.js';
import type { GraphIR } from '../../graph/graph-ir.js';
import type { GqlOperation, GqlSchema, OperationKind } from '../gql-schema.js';
import { checkRaces } from './check-races.js';
import { checkTypeNames } from './check-type-names.js';
import { groupEdges } from './group-edges.js';
import { projectNodes } from './project-nodes.js';
import { projectOperations } from './project-operations.js';
import { projectUnions } from './project-unions.js';
import { nodeIn, type ProjectionContext } from './projection-context.js';
import { reportUnprojected } from './report-unprojected.js';
import { TypeProjection } from './type-projection.js';

/**
 * Projects a topology: nodes become types, edges become operations and unions by the rules of
 * `edge-rules.ts`. What has no projection, or a surprising one, is told in the diagnostics, one for each
 * mistake; with an error among them the schema lacks what is wrong and is not fit to be served.
 */
export function buildSchema(ir: GraphIR): Outcome<GqlSchema> {
  const diagnostics: Diagnostic[] = [];
  const groups = groupEdges(ir, diagnostics);
  // The unions come first, because they stand in the place of the types that they race to.
  const names = checkTypeNames(ir, groups.unions, diagnostics);
  const unions = projectUnions(ir, names.unions, diagnostics);
  const types = new TypeProjection(names.nodes, unions);
  const context: ProjectionContext = { types, nodeOf: (id) => nodeIn(ir, id), diagnostics };
  const nodeTypes = projectNodes(names.nodes, context);
  const operations = projectOperations(groups.operations, context);
  checkRaces(ir, diagnostics);
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

/** A topology without a PROCESS edge offers nothing to ask for (GG3010); one without nodes is no matter of ours. */
function reportNoQuery(ir: GraphIR, diagnostics: Diagnostic[]): void {
  const [source] = ir.sources;
  if (source === undefined || ir.nodes.size === 0) return;
  if (ir.edges.some(({ type }) => type === 'PROCESS')) return;
  diagnostics.push(diagnose('GG3010', {}, { file: source.name, start: 0, end: 0 }));
}
