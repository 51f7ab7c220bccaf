import type { GqlSchema } from '../schema/gql-schema.js';
import { positionAt } from '../source/source-file.js';
import type { Span } from '../source/span.js';
import { collectionPointers } from './collection-pointers.js';
import { openApiPointers } from './openapi-pointers.js';
import { originsOf } from './origins.js';
import type { PointerVisitor } from './pointer-visitor.js';

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
  const write = createPlaceWriter(schema);
  const sections = sectionsOf(schema, documents, (spans) => [...new Set(spans.map(write))]);
  const [graphql, openapi, collection] = sections.map((entries) =>
    Object.fromEntries<readonly string[]>(entries),
  );
  return {
    version: 1,
    'schema.graphql': graphql as Places,
    'openapi.json': openapi as Places,
    'collection.json': collection as Places,
  };
}

/**
 * The text of a map, one entry a line, so that a difference shows what moved. It is written without making the
 * map first, which has some twenty entries for each edge.
 */
export function printApiMap(schema: GqlSchema, documents: MappedDocuments): string {
  const write = createPlaceWriter(schema);
  const print = (spans: readonly Span[]): string =>
    JSON.stringify(spans.length === 1 ? [write(spans[0] as Span)] : [...new Set(spans.map(write))]);
  const sections = sectionsOf(schema, documents, print).map((entries, at) => {
    // Neither coordinates nor pointers hold a character that JSON would escape.
    const lines = entries.map(([key, places]) => `    "${key}": ${places}`);
    const body = lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`;
    return `  "${sectionNames[at]}": ${body}`;
  });
  return `{\n  "version": 1,\n${sections.join(',\n')}\n}\n`;
}

const sectionNames = ['schema.graphql', 'openapi.json', 'collection.json'] as const;

type Entry<Value> = readonly [key: string, value: Value];

/** The entries of each section; the value of each is made once for all that comes from one origin. */
function sectionsOf<Value>(
  schema: GqlSchema,
  { openapi, collection }: MappedDocuments,
  valueAt: (spans: readonly Span[]) => Value,
): readonly (readonly Entry<Value>[])[] {
  const origins = originsOf(schema);
  const values = new Map<string, Value>();
  for (const { coordinate, spans } of origins.values()) values.set(coordinate, valueAt(spans));
  const valueOfBoth = (...coordinates: readonly string[]): Value | undefined => {
    const spans = coordinates.flatMap((coordinate) => origins.get(coordinate)?.spans ?? []);
    return spans.length === 0 ? undefined : valueAt(spans);
  };
  const collect = (visitAll: (visit: PointerVisitor) => void): readonly Entry<Value>[] => {
    const entries: Entry<Value>[] = [];
    visitAll((pointer, coordinate, other) => {
      const value = other === undefined ? values.get(coordinate) : valueOfBoth(coordinate, other);
      if (value !== undefined) entries.push([pointer, value]);
    });
    return entries;
  };
  return [
    [...values],
    collect((visit) => openApiPointers(schema, openapi, visit)),
    collect((visit) => collectionPointers(schema, collection, visit)),
  ];
}

function createPlaceWriter(schema: GqlSchema): (span: Span) => string {
  const maps = new Map(schema.sources.map((map) => [map.name, map]));
  return ({ file, start }) => {
    const map = maps.get(file);
    if (map === undefined) throw new Error(`invariant: ${file} is no source of the schema`);
    const { line, column } = positionAt(map, start);
    return `${file}:${line}:${column}`;
  };
}
