import type { GqlSchema } from '../schema/gql-schema.js';
import { positionAt } from '../source/source-file.js';
import type { Span } from '../source/span.js';
import { collectionPointers } from './collection-pointers.js';
import { openApiPointers } from './openapi-pointers.js';
import { type Origin, originsOf } from './origins.js';
import { type PointerEntry, PointerTable } from './pointer-table.js';

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
export function schemaToApiMap(schema: GqlSchema, documents: MappedDocuments): ApiMap {
  const placesOf = createPlaceFinder(schema);
  const [graphql, openapi, collection] = sectionsOf(schema, documents).map(
    (entries): Places =>
      Object.fromEntries(entries.map(({ pointer, coordinates }) => [pointer, placesOf(coordinates)])),
  ) as [Places, Places, Places];
  return { version: 1, 'schema.graphql': graphql, 'openapi.json': openapi, 'collection.json': collection };
}

/**
 * The text of a map, one entry a line, so that a difference shows what moved. It is written without making the
 * map first, which has some forty entries for each edge.
 */
export function printApiMap(schema: GqlSchema, documents: MappedDocuments): string {
  const placesOf = createPlaceFinder(schema);
  const printed = new Map<readonly string[], string>();
  const print = (places: readonly string[]): string => {
    let text = printed.get(places);
    if (text === undefined) {
      text = JSON.stringify(places);
      printed.set(places, text);
    }
    return text;
  };
  const sections = sectionsOf(schema, documents).map((entries, at) => {
    const lines = entries.map(
      // Neither coordinates nor pointers hold a character that JSON would escape.
      ({ pointer, coordinates }) => `    "${pointer}": ${print(placesOf(coordinates))}`,
    );
    const body = lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`;
    return `  "${sectionNames[at]}": ${body}`;
  });
  return `{\n  "version": 1,\n${sections.join(',\n')}\n}\n`;
}

const sectionNames = ['schema.graphql', 'openapi.json', 'collection.json'] as const;

/** The entries of each section; in the first, a coordinate stands for itself. */
function sectionsOf(
  schema: GqlSchema,
  { openapi, collection }: MappedDocuments,
): readonly (readonly PointerEntry[])[] {
  const origins = originsOf(schema);
  const rest = new PointerTable(origins);
  const requests = new PointerTable(origins);
  openApiPointers(schema, openapi, rest);
  collectionPointers(schema, collection, requests);
  const itself = [...origins.keys()].map((coordinate) => ({
    pointer: coordinate,
    coordinates: [coordinate],
  }));
  return [itself, rest.entries, requests.entries];
}

/** Finds the places of coordinates; what is asked for again is the same list again. */
function createPlaceFinder(schema: GqlSchema): (coordinates: readonly string[]) => readonly string[] {
  const origins = originsOf(schema);
  const maps = new Map(schema.sources.map((map) => [map.name, map]));
  const write = (span: Span): string => {
    const map = maps.get(span.file);
    if (map === undefined) throw new Error(`invariant: ${span.file} is no source of the schema`);
    const { line, column } = positionAt(map, span.start);
    return `${span.file}:${line}:${column}`;
  };
  const found = new Map<Origin | undefined, readonly string[]>();
  const placesOf = (coordinate: string): readonly string[] => {
    const origin = origins.get(coordinate);
    let places = found.get(origin);
    if (places === undefined) {
      places = [...new Set((origin?.spans ?? []).map(write))];
      found.set(origin, places);
    }
    return places;
  };
  return (coordinates) =>
    coordinates.length === 1
      ? placesOf(coordinates[0] as string)
      : [...new Set(coordinates.flatMap(placesOf))];
}
