import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';
import type { Outcome } from '../../diagnostics/outcome.js';
import type { GraphIR } from '../../graph/graph-ir.js';
import { nearWord } from '../../graph/near-word.js';
import type { GqlOperation, GqlSchema, OperationKind } from '../gql-schema.js';
import { checkInterfaces } from './check-interfaces.js';
import { checkRaces } from './check-races.js';
import { checkSize } from './check-size.js';
import { checkTypeNames } from './check-type-names.js';
import { checkWords } from './check-words.js';
import { groupEdges } from './group-edges.js';
import { projectNodes } from './project-nodes.js';
import { projectOperations } from './project-operations.js';
import { projectUnions } from './project-unions.js';
import type { ProjectionContext } from './projection-context.js';
import { TypeProjection } from './type-projection.js';

/**
 * Projects a topology. Each mistake is a diagnostic; with an error, the schema must not be served.
 *
 * @param isStrict - Whether to report every setting that has no effect.
 */
export function buildSchema(ir: GraphIR, isStrict = false): Outcome<GqlSchema> {
  const diagnostics: Diagnostic[] = [];
  const groups = groupEdges(ir, diagnostics);
  // The unions come first, because they replace the types that they race to.
  const unions = projectUnions(checkTypeNames(ir, groups.unions, diagnostics), diagnostics);
  const types = new TypeProjection(ir.nodesByType, unions);
  const context: ProjectionContext = { nodes: ir.nodesByType, types, diagnostics };
  const nodeTypes = projectNodes(ir.nodesByType, context);
  checkInterfaces(nodeTypes, unions, context);
  const operations = projectOperations(groups.operations, context);
  checkRaces(ir, diagnostics);
  checkSize(ir, operations, unions, diagnostics);
  checkWords(ir, isStrict, diagnostics);
  reportNoQuery(ir, diagnostics);
  const standard = types.standardScalars();
  const schema: GqlSchema = {
    kind: 'GqlSchema',
    sources: ir.sources,
    ...nodeTypes,
    ...(standard.length === 0 ? {} : { scalars: [...nodeTypes.scalars, ...standard] }),
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
  // A misspelt PROCESS was reported.
  if (ir.edges.some(({ type }) => nearWord(type, ['PROCESS']) !== undefined)) return;
  diagnostics.push(diagnose('GG3010', {}, { file: source.name, start: 0, end: 0 }));
}
