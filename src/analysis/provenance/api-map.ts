import { positionAt } from '../../base/source/source-file.js';
import type { Span } from '../../base/source/span.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import { collectionPointers, openApiPointers, type PointerVisitor } from './document-pointers.js';
import { originsOf } from './origins.js';

export const apiMapFile = 'api.map.json';

/**
 * The place in the topology of each part of the artifacts. Places are written `file:line:column`, which terminals
 * and editors understand, both numbers from 1; an operation of several edges has several.
 */
export interface ApiMap {
  readonly version: 1;
  /** By schema coordinate: `User`, `User.email`, `Query.readUser`, `Query.readUser(id:)`. */
  readonly 'schema.graphql': Places;
  /** By JSON Pointer. A part without an entry has the places of the nearest enclosing entry. */
  readonly 'openapi.json': Places;
  /** By JSON Pointer, as for OpenAPI. */
  readonly 'collection.json': Places;
}

/** Places in the topology, at least one for each key. */
export type Places = Readonly<Record<string, readonly string[]>>;

/** The documents of a schema that its map points into. */
export interface MappedDocuments {
  /** The result of `schemaToOpenAPI`. */
  readonly openapi: object;
  /** The result of `schemaToCollection`. */
  readonly collection: object;
}

/**
 * Maps every part of an API to its places in the topology: each schema coordinate, and each JSON Pointer of the
 * OpenAPI document and the collection that belongs to one. Parts of a layer have no places.
 * The same schema and documents give the same map.
 *
 * @example
 * ```ts
 * import { compile, schemaToCollection, schemaToOpenAPI } from 'gg-svc';
 * import { schemaToApiMap } from 'gg-svc/schema';
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
  const sections = sectionsOf(schema, documents);
  const maps = Object.entries(sections).map(([name, entries]) => [name, Object.fromEntries(entries)]);
  return { version: 1, ...(Object.fromEntries(maps) as Record<keyof typeof sections, Places>) };
}

/**
 * The text of a map, one entry a line, for readable diffs. It is written without building the map first, which has
 * some twenty entries for each edge.
 */
export function printApiMap(schema: GqlSchema, documents: MappedDocuments): string {
  const sections = Object.entries(sectionsOf(schema, documents)).map(([name, entries]) => {
    // Coordinates and pointers contain no character that JSON escapes.
    const lines = entries.map(([key, places]) => `    "${key}": ${JSON.stringify(places)}`);
    const body = lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`;
    return `  "${name}": ${body}`;
  });
  return `{\n  "version": 1,\n${sections.join(',\n')}\n}\n`;
}

/** The entries of each section; all entries of one origin share their places. */
function sectionsOf(schema: GqlSchema, { openapi, collection }: MappedDocuments) {
  const write = createPlaceWriter(schema);
  const places = new Map(
    [...originsOf(schema)].map(([coordinate, { spans }]) => [coordinate, [...new Set(spans.map(write))]]),
  );
  const collect = (visitAll: (visit: PointerVisitor) => void) => {
    const entries: [pointer: string, places: readonly string[]][] = [];
    visitAll((pointer, coordinate, ...others) => {
      const all = others.flatMap((other) => places.get(other) ?? []);
      const own = places.get(coordinate) ?? [];
      const found = all.length === 0 ? own : [...new Set([...own, ...all])];
      if (found.length > 0) entries.push([pointer, found]);
    });
    return entries;
  };
  return {
    'schema.graphql': [...places],
    'openapi.json': collect((visit) => openApiPointers(schema, openapi, visit)),
    'collection.json': collect((visit) => collectionPointers(schema, collection, visit)),
  };
}

function createPlaceWriter(schema: GqlSchema): (span: Span) => string {
  const maps = new Map(schema.sources.map((map) => [map.name, map]));
  return ({ file, start }) => {
    const map = maps.get(file);
    if (map === undefined) throw new Error(`invariant: ${file} is not a source of the schema`);
    const { line, column } = positionAt(map, start);
    return `${file}:${line}:${column}`;
  };
}
