import { type Diagnostic, diagnose, type Outcome } from '../../../base/diagnostics/diagnostic.js';
import { wholeFile } from '../../../base/source/span.js';
import { withSvcSpan } from '../../../base/tracing/svc-tracing.js';
import { type GraphIR, type GraphNode, hasInternalNodes, isInternalNode } from '../../graph/graph-ir.js';
import { fileScalar } from '../../graph/standard-scalars.js';
import { nearWord } from '../../graph/suggest.js';
import {
  type GqlAccess,
  type GqlInternal,
  type GqlOperation,
  type GqlSchema,
  type GqlVent,
  type OperationKind,
  securityOf,
} from '../gql-schema.js';
import { checkFiles } from './check-files.js';
import { checkInterfaces } from './check-interfaces.js';
import { checkInternal } from './check-internal.js';
import { checkOwners } from './check-owners.js';
import { checkRaces } from './check-races.js';
import { checkSize } from './check-size.js';
import { checkTypeNames } from './check-type-names.js';
import { checkWords } from './check-words.js';
import { withColumnLimits } from './column-limits.js';
import { type EdgeGroups, groupEdges } from './group-edges.js';
import { projectNodes } from './project-nodes.js';
import { projectOperations } from './project-operations.js';
import { PageProjection } from './project-pages.js';
import { projectUnions } from './project-unions.js';
import { projectVents } from './project-vents.js';
import { demandsOfTypes, withResultAccess, withTypeAccess } from './type-access.js';
import { type ProjectionContext, TypeProjection } from './type-projection.js';

/**
 * Projects a topology. Each mistake is a diagnostic; with an error, the schema must not be served.
 *
 * @param isStrict - Whether to report every setting that has no effect.
 */
export function buildSchema(ir: GraphIR, isStrict = false): Outcome<GqlSchema> {
  return withSvcSpan('gg.schema', () => project(ir, isStrict));
}

function project(ir: GraphIR, isStrict: boolean): Outcome<GqlSchema> {
  const diagnostics: Diagnostic[] = [];
  const groups = groupEdges(ir, diagnostics);
  // The unions come first, because they replace the types that they race to.
  const unions = projectUnions(checkTypeNames(ir, groups.unions, diagnostics), diagnostics);
  const types = new TypeProjection(ir.nodesByType, unions);
  const context: ProjectionContext = { nodes: ir.nodesByType, types, diagnostics };
  checkInternal(ir, diagnostics);
  const pages = new PageProjection(context);
  const { nodeTypes, demands } = withTypeAccess(projectNodes(ofNodes(ir, false), context, pages));
  checkInterfaces(nodeTypes, unions, context);
  const projected = { inputs: nodeTypes.inputs, operations: projectOperations(groups.operations, context, pages) };
  const given = withColumnLimits(projected, nodeTypes.objects, diagnostics);
  const operations = withResultAccess(given.operations, demands);
  checkOwners(ir, { ...nodeTypes, unions }, operations, context);
  checkRaces(ir, diagnostics);
  checkSize(ir, operations, unions, diagnostics);
  checkWords(ir, isStrict, diagnostics);
  reportNoQuery(ir, diagnostics);
  const internal = projectInternal(ir, groups.internal, operations, context, demands);
  const all = internal === undefined ? operations : [...operations, ...internal.queries];
  const vents = projectVents(ir, { operations: all, unions, diagnostics });
  // A field that leads to a connection has the demands of its items.
  const connections = pages.types();
  const standard = types.standardScalars();
  if (standard.some(({ name }) => name === fileScalar)) checkFiles(ir, operations, context);
  const schema: GqlSchema = {
    kind: 'GqlSchema',
    sources: ir.sources,
    ...nodeTypes,
    inputs: given.inputs,
    ...(connections.length === 0 ? {} : { objects: [...nodeTypes.objects, ...connections] }),
    ...(standard.length === 0 ? {} : { scalars: [...nodeTypes.scalars, ...standard] }),
    unions,
    queries: withVents(ofKind(operations, 'query'), vents),
    mutations: ofKind(operations, 'mutation'),
    subscriptions: ofKind(operations, 'subscription'),
    ...(internal && { internal: { ...internal, queries: withVents(internal.queries, vents) } }),
  };
  return { value: { ...schema, ...securityOf(schema) }, diagnostics };
}

/** The public or the internal nodes, by their type names. */
function ofNodes(ir: GraphIR, isInternal: boolean): ReadonlyMap<string, GraphNode> {
  if (!hasInternalNodes(ir)) return isInternal ? new Map() : ir.nodesByType;
  return new Map([...ir.nodesByType].filter(([, node]) => isInternalNode(node) === isInternal));
}

/**
 * Operations that run, but are not part of the API; a public query of the same name takes the place of an internal one.
 */
function projectInternal(
  ir: GraphIR,
  groups: EdgeGroups,
  operations: readonly GqlOperation[],
  context: ProjectionContext,
  demands: ReadonlyMap<string, GqlAccess>,
): GqlInternal | undefined {
  const taken = new Set(ofKind(operations, 'query').map(({ name }) => name));
  const asked = groups.operations.filter(({ name, rule }) => rule.produces === 'query' && !taken.has(name));
  // No type has such a name, and errors of the race read well with it.
  const races = projectUnions(groups.unions, context.diagnostics).map((race) => {
    return { ...race, name: `the race to ${race.target}` };
  });
  const { objects } = projectNodes(ofNodes(ir, true), context);
  const queries = withResultAccess(
    projectOperations(asked, context),
    new Map([...demands, ...demandsOfTypes(objects)]),
  );
  return objects.length + queries.length + races.length === 0 ? undefined : { objects, queries, races };
}

function withVents(queries: readonly GqlOperation[], vents: ReturnType<typeof projectVents>): readonly GqlOperation[] {
  if (vents.size === 0) return queries;
  return queries.map((query) => ({
    ...query,
    ...(vents.has(query) && { vent: vents.get(query) as GqlVent }),
  }));
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
  diagnostics.push(diagnose('GG3010', {}, wholeFile(source.name)));
}
