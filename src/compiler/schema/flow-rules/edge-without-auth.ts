import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import { appendTo } from '../../graph/maps.js';
import { allOperations } from '../gql-schema.js';
import type { FlowRule } from './flow-rule.js';

/**
 * GG3073: an edge whose operations have neither `auth` nor `scopes`, in a topology that uses them. The operations of
 * one edge are one finding.
 */
export const edgeWithoutAuth: FlowRule = ({ schema }) => {
  if (schema.security === undefined) return [];
  const open = new Map<Span, string[]>();
  for (const { name, auth, edges } of allOperations(schema)) {
    if (auth !== undefined) continue;
    for (const { span } of edges) appendTo(open, span, name);
  }
  return [...open].map(([span, operations]) => diagnose('GG3073', { operations }, span));
};
