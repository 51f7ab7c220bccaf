import { diagnose } from '../../diagnostics/diagnostic.js';
import { printTypeRef } from '../../graph/type-ref.js';
import type { Span } from '../../source/span.js';
import type { GqlArgument } from '../gql-schema.js';
import { queryParameterStyle } from '../wire.js';
import type { FlowRule } from './flow-rule.js';

/**
 * GG3023: an argument of a query that is too deep for the pairs of a query string. Over REST it travels as
 * JSON text, which nobody types and few tools fill in.
 */
export const argumentAsJson: FlowRule = ({ schema }) => {
  // The operations of one edge share their arguments, and edges the fields of a source: each is told once.
  const seen = new Set<readonly GqlArgument[] | Span>();
  return schema.queries.flatMap((query) => {
    if (seen.has(query.arguments)) return [];
    seen.add(query.arguments);
    return query.arguments.flatMap(({ name: argument, type, span }) => {
      if (span === undefined || seen.has(span)) return [];
      if (queryParameterStyle(schema, type) !== 'json') return [];
      seen.add(span);
      return [diagnose('GG3023', { argument, type: printTypeRef(type), operation: query.name }, span)];
    });
  });
};
