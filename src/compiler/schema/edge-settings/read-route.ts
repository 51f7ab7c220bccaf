import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Setting } from '../../graph/graph-ir.js';
import { createSuggester } from '../../graph/suggest.js';
import { nullable } from '../../graph/type-ref.js';
import type { GqlRoute, OperationKind } from '../gql-schema.js';
import { argumentsIn, segmentsOf, whyInvalidSegment } from '../route-path.js';
import type { OperationPart, SettingScope } from './edge-setting.js';

/** Reads the route of an operation (GG3038): its method fits the kind, and each of its names is an argument. */
export function readRoute({ value, span }: Setting, scope: SettingScope): OperationPart | undefined {
  const [, method, path] = typeof value === 'string' ? (/^([A-Z]+) +(\S+)$/.exec(value) ?? []) : [];
  if (method === undefined || path === undefined) return undefined;
  const reason = whyInvalidMethod(method, scope.kind) ?? whyInvalidPath(path, scope);
  if (reason === undefined) return { route: { method: method as GqlRoute['method'], path } };
  scope.report(diagnose('GG3038', { route: `${method} ${path}`, reason }, span));
  return {};
}

function whyInvalidMethod(method: string, kind: OperationKind): string | undefined {
  // A query is safe and idempotent, a mutation is not safe (RFC 9110, section 9.2).
  if (kind === 'query') return method === 'GET' ? undefined : 'the method of a PROCESS edge is GET';
  const isChanging = ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method);
  return isChanging ? undefined : 'the method of a FOLD edge is POST, PUT, PATCH or DELETE';
}

function whyInvalidPath(path: string, scope: SettingScope): string | undefined {
  if (!path.startsWith('/')) return 'a path begins with /';
  const named = new Set<string>();
  for (const segment of segmentsOf(path)) {
    const invalid = whyInvalidSegment(segment);
    if (invalid !== undefined) return invalid;
    for (const name of argumentsIn(segment)) {
      if (named.has(name)) return `“${name}” occurs twice`;
      named.add(name);
      const reason = whyNotInPath(name, scope);
      if (reason !== undefined) return reason;
    }
  }
  return undefined;
}

function whyNotInPath(name: string, { arguments: args, operation, isLeaf }: SettingScope): string | undefined {
  const argument = args.find((candidate) => candidate.name === name);
  if (argument === undefined) {
    const near = createSuggester(args.map((candidate) => candidate.name)).nearest(name);
    return `${operation} has no argument “${name}”${near === undefined ? '' : ` (did you mean “${near}”?)`}`;
  }
  if (argument.header !== undefined) return `“${name}” is read from the header ${argument.header}`;
  const bare = nullable(argument.type);
  if (bare.kind === 'named' && isLeaf(bare.name)) return undefined;
  return `“${name}” is neither a scalar nor an enum, so it has no place in a path`;
}
