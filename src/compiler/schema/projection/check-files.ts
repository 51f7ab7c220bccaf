import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import type { GraphField, GraphIR } from '../../graph/graph-ir.js';
import { fileScalar } from '../../graph/standard-scalars.js';
import { baseName, nullable, type TypeRef } from '../../graph/type-ref.js';
import { argumentSources } from '../edge-rules/edge-rules.js';
import type { GqlArgument, GqlOperation } from '../gql-schema.js';
import { argumentsIn, routeOf } from '../route-path.js';
import type { ProjectionContext } from './type-projection.js';

/**
 * Checks the places of files: only the body of a mutation can hold them, as arguments or as fields of an input that is
 * an argument (GG3095). A body is read once, from its start to its end, so that their number must be known before:
 * a list of files is an error (GG3096), and if there are several files, each is required (GG3097).
 */
export function checkFiles(
  ir: GraphIR,
  operations: readonly GqlOperation[],
  { diagnostics }: Pick<ProjectionContext, 'diagnostics'>,
): void {
  const inputs = new Map<string, readonly GraphField[]>();
  for (const { kind, typeName, fields } of ir.nodes.values()) {
    const files = fields.filter(({ type }) => baseName(type) === fileScalar);
    if (kind === 'input' && files.length > 0) inputs.set(typeName, files);
  }
  const hasFiles = (type: TypeRef): boolean => baseName(type) === fileScalar || inputs.has(baseName(type));
  const misplaced = (place: string, reason: string, span: Span): void => {
    diagnostics.push(diagnose('GG3095', { place, reason }, span));
  };
  const checkList = ({ name, type, span }: GraphField): void => {
    if (nullable(type).kind === 'list') diagnostics.push(diagnose('GG3096', { name }, span));
  };
  for (const { kind, id, fields } of ir.nodes.values()) {
    for (const field of fields) {
      const { name, type, span, arguments: args = [] } = field;
      const place = `The field “${name}” of “${id}”`;
      for (const one of args.filter((given) => hasFiles(given.type)))
        misplaced(`The argument “${one.name}” of the field “${name}”`, 'fields are read', one.span);
      if (baseName(type) === fileScalar) {
        if (kind === 'input') checkList(field);
        else misplaced(place, `“${id}” is not an Input`, span);
      } else if (kind === 'input' && inputs.has(baseName(type)))
        misplaced(place, 'an input with files must itself be an argument', span);
    }
  }
  for (const edge of ir.edges) {
    const { type, args, returns, span } = edge;
    const isFold = type === 'FOLD';
    if (returns !== undefined && baseName(returns.type) === fileScalar)
      misplaced('A result', 'files are only received', returns.span);
    for (const argument of args.filter((one) => hasFiles(one.type))) {
      if (isFold) checkList(argument);
      else misplaced(`The argument “${argument.name}”`, `a ${type} edge takes no body`, argument.span);
    }
    if (type !== 'PROCESS') continue;
    for (const { typeName, id } of argumentSources(edge))
      if (inputs.has(typeName)) misplaced(`A field of “${id}”`, 'a PROCESS edge takes no body', span);
  }
  for (const operation of operations) checkOperation(operation);

  function checkOperation(operation: GqlOperation): void {
    const given = operation.arguments.filter(({ type }) => hasFiles(type));
    const [{ span: edge } = { span: undefined }] = operation.edges;
    if (operation.kind !== 'mutation' || edge === undefined || given.length === 0) return;
    const { method, path } = routeOf(operation);
    const inPath = given.find(({ name }) => argumentsIn(path).includes(name));
    if (inPath !== undefined) misplaced(`The argument “${inPath.name}”`, 'it is in the path', edge);
    else if (method === 'DELETE') misplaced(`An argument of ${operation.name}`, 'DELETE has no body', edge);
    const files = given.flatMap(filesOf);
    const optional = files.length > 1 ? files.find(({ isRequired }) => !isRequired) : undefined;
    if (optional === undefined) return;
    const params = { operation: operation.name, argument: optional.name };
    diagnostics.push(diagnose('GG3097', params, edge));
  }

  function filesOf({ name, type }: GqlArgument) {
    const isRequired = type.kind === 'nonNull';
    const fields = inputs.get(baseName(type));
    if (fields === undefined) return [{ name, isRequired }];
    return fields.map((field) => ({
      name: `${name}.${field.name}`,
      isRequired: isRequired && field.type.kind === 'nonNull',
    }));
  }
}
