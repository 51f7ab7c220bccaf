import type { GqlSchema } from '../schema/gql-schema.js';
import { restRoutes } from '../schema/rest-routes.js';
import { follow, jsonPointer } from './json-pointer.js';
import { operationCoordinate } from './origins.js';
import type { PointerTable } from './pointer-table.js';

/**
 * What in an OpenAPI document stands for what in the schema: its paths, operations, parameters, bodies and
 * components. It looks at the document itself, so that every pointer leads somewhere.
 */
export function openApiPointers(schema: GqlSchema, document: unknown, table: PointerTable): void {
  const add = (way: readonly (string | number)[], coordinate: string): void => {
    if (follow(document, way) !== undefined) table.add(jsonPointer(way), coordinate);
  };
  for (const { method, path, operation } of restRoutes(schema)) {
    const coordinate = operationCoordinate(operation);
    const way = ['paths', path, method.toLowerCase()];
    add(['paths', path], coordinate);
    add(way, coordinate);
    const parameters = follow(document, [...way, 'parameters']);
    for (const [at, parameter] of (Array.isArray(parameters) ? parameters : []).entries()) {
      const name = follow(parameter, ['name']);
      if (typeof name === 'string') add([...way, 'parameters', at], `${coordinate}(${name}:)`);
    }
    const body = [...way, 'requestBody'];
    add(body, coordinate);
    for (const { name } of method === 'POST' ? operation.arguments : []) {
      add([...body, 'content', 'application/json', 'schema', 'properties', name], `${coordinate}(${name}:)`);
    }
  }
  const component = (name: string): readonly string[] => ['components', 'schemas', name];
  for (const { name, fields } of [...schema.objects, ...schema.inputs]) {
    add(component(name), name);
    add([...component(name), 'properties', '__typename'], name);
    for (const field of fields) add([...component(name), 'properties', field.name], `${name}.${field.name}`);
  }
  for (const { name, values } of schema.enums) {
    add(component(name), name);
    for (const [at, value] of values.entries()) add([...component(name), 'enum', at], `${name}.${value}`);
  }
  for (const { name } of schema.scalars) add(component(name), name);
  for (const { name, members } of schema.unions) {
    add(component(name), name);
    for (const member of members) add(component(`${member}.Variant`), member);
  }
}
