import { follow, pointerStep } from '../../base/source/json-pointer.js';
import { operationCoordinate } from '../../compiler/api/operation-coordinate.js';
import { allRoutes, documentPaths, type RestRoute } from '../../compiler/api/rest-routes.js';
import { postmanSegments, variableArguments } from '../../compiler/emit/collection/path-variables.js';
import { appendTo } from '../../compiler/graph/maps.js';
import { allOperations, type GqlSchema } from '../../compiler/schema/gql-schema.js';

/**
 * Called once for each JSON Pointer into a document that belongs to an element of the schema.
 *
 * @param coordinate - The coordinate of the element, which may come from a layer.
 * @param others - The other operations of a path with several methods.
 */
export type PointerVisitor = (pointer: string, coordinate: string, ...others: readonly string[]) => void;

/** Maps the parts of an OpenAPI document to the schema. It reads the document, so every pointer exists. */
export function openApiPointers(schema: GqlSchema, document: unknown, visit: PointerVisitor): void {
  const byPath = new Map<string, RestRoute[]>();
  const documented = documentPaths();
  for (const route of allRoutes(schema)) appendTo(byPath, documented(route).path, route);
  for (const [path, routes] of byPath) {
    const item = follow(document, ['paths', path]);
    if (item === undefined) continue;
    const pointer = `/paths${pointerStep(path)}`;
    const [one, ...others] = routes.map(({ operation }) => operationCoordinate(operation));
    if (one !== undefined) visit(pointer, one, ...others);
    for (const route of routes) addOperation(route, item, pointer, visit);
  }
  addComponents(follow(document, ['components', 'schemas']), visit);
}

function addOperation({ method, operation }: RestRoute, item: unknown, path: string, visit: PointerVisitor) {
  const made = follow(item, [method.toLowerCase()]);
  if (made === undefined) return;
  const coordinate = operationCoordinate(operation);
  const pointer = `${path}/${method.toLowerCase()}`;
  visit(pointer, coordinate);
  for (const [at, parameter] of listAt(made, ['parameters'])) {
    const name = follow(parameter, ['x-argument']) ?? follow(parameter, ['name']);
    // A query and a subscription with one path share their parameters.
    if (operation.arguments.some((argument) => argument.name === name))
      visit(`${pointer}/parameters/${at}`, `${coordinate}(${name}:)`);
  }
  const body = follow(made, ['requestBody']);
  if (body === undefined) return;
  visit(`${pointer}/requestBody`, coordinate);
  const properties = follow(body, ['content', 'application/json', 'schema', 'properties']);
  for (const name of namesIn(properties)) {
    const way = 'requestBody/content/application~1json/schema/properties';
    visit(`${pointer}/${way}/${name}`, `${coordinate}(${name}:)`);
  }
}

/** The name of a component is that of a type, perhaps with a dot and a form, so pointers need not be escaped. */
function addComponents(components: unknown, visit: PointerVisitor): void {
  for (const key of namesIn(components)) {
    const [name = ''] = key.split('.', 1);
    const component = follow(components, [key]);
    const pointer = `/components/schemas/${key}`;
    visit(pointer, name);
    for (const property of namesIn(follow(component, ['properties']))) {
      // At the greatest depth of a response, an object has only its type name.
      visit(`${pointer}/properties/${property}`, property === '__typename' ? name : `${name}.${property}`);
    }
    for (const [at, value] of listAt(component, ['enum'])) visit(`${pointer}/enum/${at}`, `${name}.${value}`);
  }
}

/** The items of the list at a path in a document, with their indices; none if there is no list. */
function listAt(document: unknown, way: readonly string[]): Iterable<[number, unknown]> {
  const list = follow(document, way);
  return (Array.isArray(list) ? list : []).entries();
}

function namesIn(properties: unknown): readonly string[] {
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}

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
    operations.set(`${method} /${postmanSegments(path).join('/')}`, coordinate);
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
        // An input of flat fields travels as `name[field]=value`; a variable may be a segment with several arguments.
        const names = part === 'query' ? [key.replace(/\[.*$/s, '')] : variableArguments(key);
        const [one, ...others] = names.map((argument) => `${coordinate}(${argument}:)`);
        if (one !== undefined) visit(`${pointer}/request/url/${part}/${at}`, one, ...others);
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
