import type { GqlSchema } from '../schema/gql-schema.js';
import { type RestRoute, restRoutes } from '../schema/rest-routes.js';
import { escapeStep, follow } from './json-pointer.js';
import { operationCoordinate } from './origins.js';
import type { PointerTable } from './pointer-table.js';

/**
 * What in an OpenAPI document stands for what in the schema: its paths, operations, parameters, bodies and
 * components. It looks at the document itself, so that every pointer leads somewhere.
 */
export function openApiPointers(schema: GqlSchema, document: unknown, table: PointerTable): void {
  addPaths(schema, follow(document, ['paths']), table);
  addComponents(schema, follow(document, ['components', 'schemas']), table);
}

function addPaths(schema: GqlSchema, paths: unknown, table: PointerTable): void {
  const byPath = new Map<string, RestRoute[]>();
  for (const route of restRoutes(schema)) {
    const same = byPath.get(route.path);
    if (same === undefined) byPath.set(route.path, [route]);
    else same.push(route);
  }
  for (const [path, routes] of byPath) {
    const item = follow(paths, [path]);
    if (item === undefined) continue;
    const pointer = `/paths/${escapeStep(path)}`;
    table.add(pointer, ...routes.map(({ operation }) => operationCoordinate(operation)));
    for (const route of routes) addOperation(route, item, pointer, table);
  }
}

function addOperation(
  { method, operation }: RestRoute,
  item: unknown,
  path: string,
  table: PointerTable,
): void {
  const made = follow(item, [method.toLowerCase()]);
  if (made === undefined) return;
  const coordinate = operationCoordinate(operation);
  const pointer = `${path}/${method.toLowerCase()}`;
  table.add(pointer, coordinate);
  const parameters = follow(made, ['parameters']);
  for (const [at, parameter] of (Array.isArray(parameters) ? parameters : []).entries()) {
    const name = follow(parameter, ['name']);
    if (typeof name === 'string') table.add(`${pointer}/parameters/${at}`, `${coordinate}(${name}:)`);
  }
  const body = follow(made, ['requestBody']);
  if (body === undefined) return;
  table.add(`${pointer}/requestBody`, coordinate);
  const properties = follow(body, ['content', 'application/json', 'schema', 'properties']);
  for (const name of namesIn(properties)) {
    const property = `${pointer}/requestBody/content/application~1json/schema/properties/${name}`;
    table.add(property, `${coordinate}(${name}:)`);
  }
}

/** The names of GraphQL need no escaping in a pointer. */
function addComponents(schema: GqlSchema, components: unknown, table: PointerTable): void {
  const add = (name: string, coordinate: string): unknown => {
    const component = follow(components, [name]);
    if (component !== undefined) table.add(`/components/schemas/${name}`, coordinate);
    return component;
  };
  for (const types of [schema.objects, schema.inputs]) {
    for (const { name } of types) {
      const properties = follow(add(name, name), ['properties']);
      for (const property of namesIn(properties)) {
        // Where an answer ends, an object shows the name of its type.
        const coordinate = property === '__typename' ? name : `${name}.${property}`;
        table.add(`/components/schemas/${name}/properties/${property}`, coordinate);
      }
    }
  }
  for (const { name } of schema.enums) {
    const values = follow(add(name, name), ['enum']);
    for (const [at, value] of (Array.isArray(values) ? values : []).entries()) {
      table.add(`/components/schemas/${name}/enum/${at}`, `${name}.${value}`);
    }
  }
  for (const { name } of schema.scalars) add(name, name);
  for (const { name } of schema.unions) add(name, name);
  for (const member of new Set(schema.unions.flatMap(({ members }) => members)))
    add(`${member}.Variant`, member);
}

function namesIn(properties: unknown): readonly string[] {
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}
