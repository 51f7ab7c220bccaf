import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import { builtinScalars } from '../../graph/builtin-scalars.js';
import type { GraphIR } from '../../graph/graph-ir.js';
import { remember } from '../../graph/maps.js';
import { nullable, printTypeRef, type TypeRef } from '../../graph/type-ref.js';
import type { GqlArgument } from '../gql-schema.js';
import { queryParameterStyle } from '../wire.js';
import type { FlowRule } from './flow-rule.js';

/**
 * GG3023: an argument of a query that is too deep for name=value pairs. Over REST it travels as JSON text in the query
 * string, which users do not type and few tools support.
 */
export const argumentAsJson: FlowRule = ({ ir, schema }) => {
  const isJson = new Map<TypeRef, boolean>();
  const travelsAsJson = (type: TypeRef): boolean =>
    remember(isJson, type, () => !isSimple(ir, type) && queryParameterStyle(schema, type) === 'json');
  // The operations of one edge share their arguments, and edges share the fields of a source: each is reported once.
  const reported = new Set<Span>();
  const seen = new Set<readonly GqlArgument[]>();
  const findings: Diagnostic[] = [];
  for (const { name: operation, arguments: args } of schema.queries) {
    if (seen.has(args)) continue;
    seen.add(args);
    for (const { name: argument, type, span } of args) {
      if (span === undefined || !travelsAsJson(type) || reported.has(span)) continue;
      reported.add(span);
      findings.push(diagnose('GG3023', { argument, type: printTypeRef(type), operation }, span));
    }
  }
  return findings;
};

/** Whether a type is a built-in scalar, an enum or a list of those: the others need an index of the whole schema. */
function isSimple({ nodesByType }: GraphIR, type: TypeRef): boolean {
  const bare = nullable(type);
  const item = bare.kind === 'list' ? nullable(bare.of) : bare;
  if (item.kind === 'list') return false;
  return builtinScalars.has(item.name) || nodesByType.get(item.name)?.kind === 'enum';
}
