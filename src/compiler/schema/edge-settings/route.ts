import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import { createSuggester } from '../../graph/suggest.js';
import { nullable } from '../../graph/type-ref.js';
import type { GqlRoute, OperationKind } from '../gql-schema.js';
import { argumentOfSegment } from '../route-path.js';
import type { EdgeSetting, SettingScope } from './edge-setting.js';

/** `route: 'PUT /books/{isbn}'`: the REST route in place of the default one. */
export const routeSetting: EdgeSetting = {
  key: 'route',
  kinds: ['query', 'mutation'],
  detail: 'the method and the path of the REST route',
  snippet: "'",
  expected: (kind) =>
    `a method and a path in quotes, such as '${kind === 'query' ? 'GET' : 'PUT'} /books/{isbn}'`,
  read: ({ value, span }, scope) => {
    const [, method, path] = typeof value === 'string' ? (/^([A-Z]+) +(\S+)$/.exec(value) ?? []) : [];
    if (method === undefined || path === undefined) return undefined;
    const reason = whyInvalidMethod(method, scope.kind) ?? whyInvalidPath(path, scope);
    if (reason === undefined) return { route: { method: method as GqlRoute['method'], path } };
    scope.report(diagnose('GG3038', { route: `${method} ${path}`, reason }, span));
    return {};
  },
};

function whyInvalidMethod(method: string, kind: OperationKind): string | undefined {
  // A query is safe and idempotent, a mutation is not safe (RFC 9110, section 9.2).
  if (kind === 'query') return method === 'GET' ? undefined : 'the method of a PROCESS edge is GET';
  const isChanging = ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method);
  return isChanging ? undefined : 'the method of a FOLD edge is POST, PUT, PATCH or DELETE';
}

function whyInvalidPath(path: string, scope: SettingScope): string | undefined {
  if (!path.startsWith('/')) return 'a path begins with /';
  const named = new Set<string>();
  for (const segment of path.slice(1).split('/')) {
    const name = argumentOfSegment(segment);
    if (name === undefined) {
      // Dots alone would be resolved by clients, and other characters would have to be percent-encoded.
      if (/^[\w.~-]+$/.test(segment) && !/^\.+$/.test(segment)) continue;
      return segment === ''
        ? 'no segment of a path is empty'
        : `“${segment}” is neither an argument in braces nor letters, digits and - . _ ~`;
    }
    if (named.has(name)) return `“${name}” occurs twice`;
    named.add(name);
    const reason = whyNotInPath(name, scope);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function whyNotInPath(
  name: string,
  { arguments: args, operation, isLeaf }: SettingScope,
): string | undefined {
  const argument = args.find((candidate) => candidate.name === name);
  if (argument === undefined) {
    const near = createSuggester(args.map((candidate) => candidate.name)).nearest(name);
    return `${operation} has no argument “${name}”${near === undefined ? '' : ` (did you mean “${near}”?)`}`;
  }
  const bare = nullable(argument.type);
  if (bare.kind === 'named' && isLeaf(bare.name)) return undefined;
  return `“${name}” is neither a scalar nor an enum, so it has no place in a path`;
}
