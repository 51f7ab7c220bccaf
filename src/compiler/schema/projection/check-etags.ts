import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import type { GqlOperation } from '../gql-schema.js';
import { argumentsIn, routeOf, shapeOf } from '../route-path.js';

/** An operation, and the place that gives it the setting in question. */
export interface PlacedOperation {
  readonly operation: GqlOperation;
  readonly span: Span;
}

/** Finds writes with `etag` whose precondition has no read to compare with (GG2062). */
export function checkEtags(
  writes: readonly PlacedOperation[],
  operations: readonly GqlOperation[],
  diagnostics: Diagnostic[],
): void {
  const reads = new Map<string, GqlOperation>();
  for (const operation of operations)
    if (operation.kind === 'query') reads.set(shapeOf(routeOf(operation).path), operation);
  for (const { operation, span } of writes) {
    const { path } = routeOf(operation);
    const reason = whyIncomparable(reads.get(shapeOf(path)));
    if (reason === undefined) continue;
    diagnostics.push(diagnose('GG2062', { operation: operation.name, path, reason }, span));
  }
}

function whyIncomparable(read: GqlOperation | undefined): string | undefined {
  if (read === undefined) return 'there is no GET of the same path';
  const { name, etag, status, arguments: args } = read;
  if (etag === undefined) return `${name}, the GET of the same path, has no etag: true`;
  if (status === 204 || status === 205) return `the response of ${name}, the GET of the same path, has no content`;
  const inPath = new Set(argumentsIn(routeOf(read).path));
  const needed = args.find(
    (one) => !inPath.has(one.name) && one.type.kind === 'nonNull' && (one.fallback ?? null) === null,
  );
  return needed && `${name}, the GET of the same path, requires “${needed.name}” outside the path`;
}
