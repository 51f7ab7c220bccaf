import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import type { GraphNode } from '../../graph/graph-ir.js';
import { printTypeRef, type TypeRef } from '../../graph/type-ref.js';
import { kindText, type TypeProjection } from './type-projection.js';

/** Shared by the parts of the projection. */
export interface ProjectionContext {
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly types: TypeProjection;
  readonly diagnostics: Diagnostic[];
}

/** The error of an input, or a declared error, as the type of a field or a result (GG3013, GG3030). */
export function cannotReturn(
  type: TypeRef,
  position: 'a field' | 'a result',
  span: Span,
  { types }: ProjectionContext,
): Diagnostic {
  const node = types.unreturned(type);
  if (node === undefined) return diagnose('GG3013', { name: printTypeRef(type), position }, span);
  const params = { type: node.typeName, kind: kindText(node), position: `the type of ${position}` };
  const labels = [{ span: node.span, message: `“${node.id}” is ${kindText(node)}` }];
  return diagnose('GG3030', params, span, { labels });
}
