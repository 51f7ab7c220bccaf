import { follow, pointerStep } from '../../base/source/json-pointer.js';
import { operationCoordinate } from '../../compiler/api/operation-coordinate.js';
import { allRoutes, type RestRoute } from '../../compiler/api/rest-routes.js';
import { appendTo } from '../../compiler/graph/maps.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import type { PointerVisitor } from './pointer-visitor.js';

/** Maps the parts of an OpenAPI document to the schema. It reads the document, so every pointer exists. */
export function openApiPointers(schema: GqlSchema, document: unknown, visit: PointerVisitor): void {
  addPaths(schema, follow(document, ['paths']), visit);
  addComponents(follow(document, ['components', 'schemas']), visit);
}

function addPaths(schema: GqlSchema, paths: unknown, visit: PointerVisitor): void {
  const byPath = new Map<string, RestRoute[]>();
  for (const route of allRoutes(schema)) appendTo(byPath, route.path, route);
  for (const [path, routes] of byPath) {
    const item = follow(paths, [path]);
    if (item === undefined) continue;
    const pointer = `/paths${pointerStep(path)}`;
    const [one, ...others] = routes.map(({ operation }) => operationCoordinate(operation));
    if (one !== undefined) visit(pointer, one, ...others);
    for (const route of routes) addOperation(route, item, pointer, visit);
  }
}

function addOperation(
  { method, operation }: RestRoute,
  item: unknown,
  path: string,
  visit: PointerVisitor,
): void {
  const made = follow(item, [method.toLowerCase()]);
  if (made === undefined) return;
  const coordinate = operationCoordinate(operation);
  const pointer = `${path}/${method.toLowerCase()}`;
  visit(pointer, coordinate);
  const parameters = follow(made, ['parameters']);
  for (const [at, parameter] of (Array.isArray(parameters) ? parameters : []).entries()) {
    const name = follow(parameter, ['name']);
    // A query and a subscription with one path share their parameters.
    if (operation.arguments.some((argument) => argument.name === name))
      visit(`${pointer}/parameters/${at}`, `${coordinate}(${name}:)`);
  }
  const body = follow(made, ['requestBody']);
  if (body === undefined) return;
  visit(`${pointer}/requestBody`, coordinate);
  const properties = follow(body, ['content', 'application/json', 'schema', 'properties']);
  for (const name of namesIn(properties)) {
    const property = `${pointer}/requestBody/content/application~1json/schema/properties/${name}`;
    visit(property, `${coordinate}(${name}:)`);
  }
}

/** The name of a component is that of a type, perhaps with a dot and a form, so pointers need not be escaped. */
function addComponents(components: unknown, visit: PointerVisitor): void {
  for (const key of namesIn(components)) {
    const dot = key.indexOf('.');
    const name = dot === -1 ? key : key.slice(0, dot);
    const component = follow(components, [key]);
    const pointer = `/components/schemas/${key}`;
    visit(pointer, name);
    for (const property of namesIn(follow(component, ['properties']))) {
      // At the greatest depth of a response, an object has only its type name.
      visit(`${pointer}/properties/${property}`, property === '__typename' ? name : `${name}.${property}`);
    }
    const values = follow(component, ['enum']);
    for (const [at, value] of (Array.isArray(values) ? values : []).entries()) {
      visit(`${pointer}/enum/${at}`, `${name}.${value}`);
    }
  }
}

function namesIn(properties: unknown): readonly string[] {
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}
