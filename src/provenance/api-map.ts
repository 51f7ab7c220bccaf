import type { GqlSchema } from '../schema/gql-schema.js';
import { positionAt } from '../source/source-file.js';
import type { Span } from '../source/span.js';
import { collectionPointers } from './collection-pointers.js';
import { openApiPointers } from './openapi-pointers.js';
import { type Origin, originsOf } from './origins.js';
import { PointerTable } from './pointer-table.js';

/** The name of the file that holds an {@link ApiMap}. */
export const apiMapFile = 'api.map.json';

/**
 * Where in the topology each part of the artifacts comes from. Places are written `file:line:column`, as
 * terminals and editors read them, both numbers from 1; an operation of several edges has several.
 */
export interface ApiMap {
  readonly version: 1;
  /** By schema coordinate: `User`, `User.email`, `Query.readUser`, `Query.readUser(id:)`. */
  readonly 'schema.graphql': Places;
  /** By JSON Pointer. What has no entry of its own has the places of the nearest one around it. */
  readonly 'openapi.json': Places;
  /** By JSON Pointer, as for OpenAPI. */
  readonly 'collection.json': Places;
}

/** Places in the topology, one at least, by what comes from there. */
export type Places = Readonly<Record<string, readonly string[]>>;

/** The documents that a map points into, of the schema that it is made of. */
export interface MappedDocuments {
  /** What `schemaToOpenAPI` made. */
  readonly openapi: object;
  /** What `schemaToCollection` made. */
  readonly collection: object;
}

/**
 * Maps every part of an API that comes from a topology to its places there: each schema coordinate, and each
 * JSON Pointer of the OpenAPI document and the collection that stands for one. What a layer added has none.
 * The same schema and documents give the same map.
 *
 * @example
 * ```ts
 * import { compile, schemaToApiMap, schemaToCollection, schemaToOpenAPI } from 'gg-svc';
 *
 * const { schema } = compile({ name: 'hello.gg', source: "(root)-[:PROCESS]->(hello { text: 'Hello' })" });
 * const map = schemaToApiMap(schema, {
 *   openapi: schemaToOpenAPI(schema, 'Hello'),
 *   collection: schemaToCollection(schema, 'Hello', 'http://localhost:4000'),
 * });
 * console.log(map['openapi.json']['/paths/~1api~1hello/get']); // [ 'hello.gg:1:1' ]
 * ```
 */
export function schemaToApiMap(schema: GqlSchema, { openapi, collection }: MappedDocuments): ApiMap {
  const origins = originsOf(schema);
  const places = createPlaceWriter(schema, origins);
  const rest = new PointerTable(origins);
  const requests = new PointerTable(origins);
  openApiPointers(schema, openapi, rest);
  collectionPointers(schema, collection, requests);
  return {
    version: 1,
    'schema.graphql': Object.fromEntries(
      [...origins.keys()].map((coordinate) => [coordinate, places([coordinate])]),
    ),
    'openapi.json': placesOf(rest, places),
    'collection.json': placesOf(requests, places),
  };
}

/** The text of a map, one entry a line, so that a difference shows what moved. */
export function printApiMap(map: ApiMap): string {
  const sections = Object.entries(map).map(([name, value]) => {
    const entries = typeof value === 'object' ? Object.entries(value) : undefined;
    if (entries === undefined || entries.length === 0)
      return `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`;
    const lines = entries.map(([key, places]) => `    ${JSON.stringify(key)}: ${JSON.stringify(places)}`);
    return `  ${JSON.stringify(name)}: {\n${lines.join(',\n')}\n  }`;
  });
  return `{\n${sections.join(',\n')}\n}\n`;
}

type PlaceWriter = (coordinates: readonly string[]) => readonly string[];

function placesOf({ entries }: PointerTable, places: PlaceWriter): Places {
  return Object.fromEntries([...entries].map(([pointer, coordinates]) => [pointer, places(coordinates)]));
}

function createPlaceWriter(schema: GqlSchema, origins: ReadonlyMap<string, Origin>): PlaceWriter {
  const maps = new Map(schema.sources.map((map) => [map.name, map]));
  const write = (span: Span): string => {
    const map = maps.get(span.file);
    if (map === undefined) throw new Error(`invariant: ${span.file} is no source of the schema`);
    const { line, column } = positionAt(map, span.start);
    return `${span.file}:${line}:${column}`;
  };
  const written = new Map<string, readonly string[]>();
  const one = (coordinate: string): readonly string[] => {
    let places = written.get(coordinate);
    if (places === undefined) {
      places = [...new Set((origins.get(coordinate)?.places ?? []).map(({ span }) => write(span)))];
      written.set(coordinate, places);
    }
    return places;
  };
  return (coordinates) =>
    coordinates.length === 1 ? one(coordinates[0] as string) : [...new Set(coordinates.flatMap(one))];
}
