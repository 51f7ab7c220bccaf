import { follow } from '../../base/source/json-pointer.js';
import { operationCoordinate } from '../../compiler/api/operation-coordinate.js';
import { fillPath } from '../../compiler/api/rest-routes.js';
import { allOperations, type GqlSchema } from '../../compiler/schema/gql-schema.js';
import { listAt, type PointerVisitor } from './openapi-pointers.js';

/**
 * Maps a collection to the schema: its requests, in any folder, and the arguments in their URLs. A GraphQL request is
 * identified by its document, a REST request by its method and its path.
 */
export function collectionPointers(schema: GqlSchema, collection: unknown, visit: PointerVisitor): void {
  const operations = new Map<string, string>();
  for (const operation of allOperations(schema)) {
    const coordinate = operationCoordinate(operation);
    operations.set(`${operation.kind} ${operation.name}`, coordinate);
    if (operation.route === undefined) continue;
    const { method, path } = operation.route;
    operations.set(`${method} ${fillPath(path, (argument) => `:${argument}`)}`, coordinate);
  }
  visitItems(collection, '', (request, pointer) => {
    const raw = follow(request, ['url', 'raw']) ?? follow(request, ['url']);
    const url = typeof raw === 'string' ? raw : '';
    const coordinate = operations.get(ownRouteOf(request, url)) ?? operations.get(operationOf(request, url));
    if (coordinate === undefined) return;
    visit(pointer, coordinate);
    for (const part of ['query', 'variable']) {
      for (const [at, pair] of listAt(request, ['url', part])) {
        const key = follow(pair, ['key']);
        if (typeof key !== 'string') continue;
        // An input of flat fields travels as `name[field]=value`.
        const argument = key.replace(/\[.*$/s, '');
        visit(`${pointer}/request/url/${part}/${at}`, `${coordinate}(${argument}:)`);
      }
    }
  });
}

function visitItems(
  parent: unknown,
  pointer: string,
  visitRequest: (request: unknown, pointer: string) => void,
): void {
  for (const [at, item] of listAt(parent, ['item'])) {
    const request = follow(item, ['request']);
    if (request === undefined) visitItems(item, `${pointer}/item/${at}`, visitRequest);
    else visitRequest(request, `${pointer}/item/${at}`);
  }
}

/** `GET /books/:isbn`: the method and the path below the server of a REST request. */
function ownRouteOf(request: unknown, url: string): string {
  return `${follow(request, ['method'])} ${/^\{\{\w+\}\}(\/[^?]*)/.exec(url)?.[1]}`;
}

/** `query readUser`, from a GraphQL document or from the method and the URL of a REST request. */
function operationOf(request: unknown, url: string): string {
  const document = follow(request, ['body', 'graphql', 'query']);
  if (typeof document === 'string') return /^(?:query|mutation) \w+/.exec(document)?.[0] ?? '';
  const name = /\/(\w+)(?:\?|$)/.exec(url)?.[1];
  if (follow(request, ['header', '0', 'value']) === 'text/event-stream') return `subscription ${name}`;
  return `${follow(request, ['method']) === 'GET' ? 'query' : 'mutation'} ${name}`;
}
