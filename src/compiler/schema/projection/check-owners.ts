import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import type { GraphField, GraphIR, GraphNode } from '../../graph/graph-ir.js';
import { baseName, nullable, type TypeRef } from '../../graph/type-ref.js';
import type { GqlObjectType, GqlOperation, GqlSchema } from '../gql-schema.js';
import type { ProjectionContext } from './type-projection.js';

type ResultTypes = Pick<GqlSchema, 'objects' | 'interfaces' | 'unions'>;

/**
 * Checks that the owner of a type, a field or an operation is the name of one value that callers can be compared with
 * (GG3076): a misspelt one would protect nothing, or refuse everybody.
 */
export function checkOwners(
  ir: GraphIR,
  results: ResultTypes,
  operations: readonly GqlOperation[],
  context: ProjectionContext,
): void {
  const report = (place: string, owner: string, among: string, span: Span): void => {
    context.diagnostics.push(diagnose('GG3076', { place, owner, among }, span));
  };
  const isValue = ({ type }: { readonly type: TypeRef }): boolean =>
    nullable(type).kind === 'named' && context.types.isLeaf(baseName(type));
  for (const node of ir.nodes.values()) {
    if (node.owner === undefined && node.fields.every(({ owner }) => owner === undefined)) continue;
    const checkNode = (place: string, owner: string | undefined, { span }: GraphNode | GraphField): void => {
      if (owner === undefined || node.fields.some((field) => field.name === owner && isValue(field))) return;
      report(place, owner, `a single value among the fields of “${node.id}”`, span);
    };
    checkNode(`“${node.id}”`, node.owner, node);
    for (const field of node.fields) checkNode(`“${field.name}”`, field.owner, field);
  }
  const typesOf = operations.some(({ owner }) => owner !== undefined) ? typesByName(results) : () => [];
  for (const { name, owner, arguments: args, type, page, edges } of operations) {
    if (owner === undefined || args.some((argument) => argument.name === owner && isValue(argument))) continue;
    const types = typesOf(page?.node ?? baseName(type));
    const isInResult =
      types.length > 0 && types.every(({ fields }) => fields.some((field) => field.name === owner && isValue(field)));
    const among = 'a single value among its arguments or the fields of its result';
    if (!isInResult) report(name, owner, among, (edges[0] as { readonly span: Span }).span);
  }
}

/** Finds the types of which each result of a type has one. */
function typesByName({ objects, interfaces = [], unions }: ResultTypes) {
  const types = new Map([...interfaces, ...objects].map((type) => [type.name, type]));
  const members = new Map(unions.map((union) => [union.name, union.members]));
  return (name: string): readonly GqlObjectType[] =>
    (members.get(name) ?? [name]).flatMap((one) => types.get(one) ?? []);
}
