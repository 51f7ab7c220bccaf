import { JsonPlace } from '../../base/source/json-place.js';
import { apiChains } from '../../compiler/api/chains/api-chains.js';
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
  const root = new JsonPlace(document, '');
  const byPath = new Map<string, RestRoute[]>();
  const documented = documentPaths();
  for (const route of allRoutes(schema)) appendTo(byPath, documented(route).path, route);
  for (const [path, routes] of byPath) {
    const item = root.at('paths')?.at(path);
    const [one, ...others] = routes.map(({ operation }) => operationCoordinate(operation));
    if (item === undefined || one === undefined) continue;
    visit(item.pointer, one, ...others);
    for (const route of routes) addOperation(route, item, visit);
  }
  for (const { path, goal } of apiChains(schema)) {
    const item = root.at('paths')?.at(path);
    if (item !== undefined) visit(item.pointer, operationCoordinate(goal.operation));
  }
  for (const [key, component] of root.at('components')?.entries('schemas') ?? []) addComponent(key, component, visit);
}

function addOperation({ method, operation }: RestRoute, item: JsonPlace, visit: PointerVisitor): void {
  const made = item.at(method.toLowerCase());
  if (made === undefined) return;
  const coordinate = operationCoordinate(operation);
  visit(made.pointer, coordinate);
  for (const parameter of made.list('parameters')) {
    const name = parameter.text('x-argument') ?? parameter.text('name');
    // A query and a subscription with one path share their parameters.
    if (operation.arguments.some((argument) => argument.name === name))
      visit(parameter.pointer, `${coordinate}(${name}:)`);
  }
  const body = made.at('requestBody');
  if (body === undefined) return;
  visit(body.pointer, coordinate);
  for (const [, media] of body.entries('content')) {
    // A part of a form may be a file in an argument: `input.picture`.
    for (const [name, { pointer }] of media.at('schema')?.entries('properties') ?? [])
      visit(pointer, `${coordinate}(${name.split('.', 1)[0]}:)`);
  }
}

/** @param key - The name of a type, perhaps with a dot and a form. */
function addComponent(key: string, component: JsonPlace, visit: PointerVisitor): void {
  const [name = ''] = key.split('.', 1);
  visit(component.pointer, name);
  for (const [property, { pointer }] of component.entries('properties')) {
    // At the greatest depth of a response, an object has only its type name.
    visit(pointer, property === '__typename' ? name : `${name}.${property}`);
  }
  for (const { pointer, value } of component.list('enum')) visit(pointer, `${name}.${value}`);
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
  visitItems(new JsonPlace(collection, ''), (item, request) => {
    const url = request.at('url')?.text('raw') ?? request.text('url') ?? '';
    const coordinate = operations.get(ownRouteOf(request, url)) ?? operations.get(operationOf(request, url));
    if (coordinate === undefined) return;
    visit(item.pointer, coordinate);
    for (const part of ['query', 'variable']) {
      for (const pair of request.at('url')?.list(part) ?? []) {
        const key = pair.text('key');
        if (key === undefined) continue;
        // An input of flat fields travels as `name[field]=value`; a variable may be a segment with several arguments.
        const names = part === 'query' ? [key.replace(/\[.*$/s, '')] : variableArguments(key);
        const [one, ...others] = names.map((argument) => `${coordinate}(${argument}:)`);
        if (one !== undefined) visit(pair.pointer, one, ...others);
      }
    }
  });
}

function visitItems(parent: JsonPlace, visitRequest: (item: JsonPlace, request: JsonPlace) => void): void {
  for (const item of parent.list('item')) {
    const request = item.at('request');
    if (request === undefined) visitItems(item, visitRequest);
    else visitRequest(item, request);
  }
}

/** `GET /books/:isbn`: the method and the path below the server of a REST request. */
function ownRouteOf(request: JsonPlace, url: string): string {
  return `${request.text('method')} ${/^\{\{\w+\}\}(\/[^?]*)/.exec(url)?.[1]}`;
}

/** `query readUser`, from a GraphQL document or from the method and the URL of a REST request. */
function operationOf(request: JsonPlace, url: string): string {
  const document = request.at('body')?.at('graphql')?.text('query');
  if (document !== undefined) return /^(?:query|mutation) \w+/.exec(document)?.[0] ?? '';
  const name = /\/(\w+)(?:\?|$)/.exec(url)?.[1];
  if (request.list('header')[0]?.text('value') === 'text/event-stream') return `subscription ${name}`;
  return `${request.text('method') === 'GET' ? 'query' : 'mutation'} ${name}`;
}
