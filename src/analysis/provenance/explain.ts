import { enclosingPointers, follow, parsePointer } from '../../base/source/json-pointer.js';
import { defined } from '../../base/values/defined.js';
import { describeAccess } from '../../compiler/api/access.js';
import { operationAt, operationCoordinate } from '../../compiler/api/operation-coordinate.js';
import { allRoutes } from '../../compiler/api/rest-routes.js';
import { signatureOf } from '../../compiler/api/signature.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import type { MappedDocuments } from './api-map.js';
import { collectionPointers, openApiPointers, type PointerVisitor } from './document-pointers.js';
import { type Origin, type OriginPlace, originsOf, placesOf } from './origins.js';
import { type Rule, rules } from './rules.js';

/** The origin of one part of an API, the rule behind it, and the other parts with the same origin. */
export interface Explanation {
  readonly coordinate: string;
  /** The part on one line: `query readUser(id: ID!): ReadUser`. */
  readonly signature: string;
  /** The access that the operation or the field requires, as a sentence; absent if the topology does not state it. */
  readonly access?: string;
  readonly rule: Rule;
  readonly places: readonly OriginPlace[];
  /** Its parts of the artifacts, and other parts with the same origin, artifact by artifact. */
  readonly parts: readonly ArtifactPart[];
}

export interface ArtifactPart {
  readonly artifact: 'REST' | 'schema.graphql' | 'openapi.json' | 'collection.json';
  /** A route, a schema coordinate with its signature, or a JSON Pointer. */
  readonly at: string;
  /** The names of the folders and of the request. */
  readonly name?: string;
}

/**
 * Explains parts of an API that come from a topology, by their schema coordinates.
 *
 * @throws {Error} `invariant: …` for a coordinate without an origin.
 */
export function explain(
  schema: GqlSchema,
  documents: MappedDocuments,
  coordinates: readonly string[],
): readonly Explanation[] {
  const origins = originsOf(schema);
  const { openapi, collection } = documents;
  return coordinates.map((coordinate) => {
    const origin = origins.get(coordinate);
    if (origin === undefined) throw new Error(`invariant: ${coordinate} comes from no topology`);
    const others = [...origins.values()].filter((other) => other !== origin && haveSamePlace(origin, other));
    // Each operation of an edge has its own request, but everything that a property becomes belongs together.
    const isEdge = origin.rule in operationRules;
    const meant = new Set(isEdge ? [coordinate] : [coordinate, ...others.map((other) => other.coordinate)]);
    const inOpenApi = pointersTo(meant, (visit) => openApiPointers(schema, openapi, visit));
    const inCollection = pointersTo(meant, (visit) => collectionPointers(schema, collection, visit));
    return {
      coordinate,
      signature: signatureOf(schema, coordinate),
      ...defined({ access: accessAt(schema, coordinate) }),
      rule: rules[origin.rule],
      places: placesOf(schema, origin),
      parts: [
        ...routesOf(schema, coordinate),
        ...[origin, ...others].map((same) => ({ artifact: 'schema.graphql' as const, at: same.coordinate })),
        ...inOpenApi.map((at) => ({ artifact: 'openapi.json' as const, at })),
        ...inCollection.map((at) => {
          return { artifact: 'collection.json' as const, at, name: requestName(collection, at) };
        }),
      ],
    };
  });
}

const operationRules = { query: true, mutation: true, subscription: true, union: true };

function accessAt(schema: GqlSchema, coordinate: string): string | undefined {
  const { objects, interfaces = [] } = schema;
  const [type, field] = coordinate.split('.');
  const owner = [...objects, ...interfaces].find(({ name }) => name === type);
  const found =
    operationAt(schema, coordinate) ?? (field === undefined ? owner : owner?.fields.find(({ name }) => name === field));
  return found && describeAccess(found);
}

function haveSamePlace(one: Origin, other: Origin): boolean {
  return one.spans.some((span) =>
    other.spans.some(({ file, start, end }) => start === span.start && end === span.end && file === span.file),
  );
}

function routesOf(schema: GqlSchema, coordinate: string): ArtifactPart[] {
  const routes = allRoutes(schema).filter(({ operation }) => operationCoordinate(operation) === coordinate);
  return routes.map(({ method, path }) => ({ artifact: 'REST', at: `${method} ${path}` }));
}

/** The pointers to any of the coordinates; of nested pointers only the outer one. */
function pointersTo(meant: ReadonlySet<string>, visitAll: (visit: PointerVisitor) => void) {
  const pointers = new Set<string>();
  visitAll((pointer, coordinate) => {
    if (meant.has(coordinate) && !secondary.test(pointer)) pointers.add(pointer);
  });
  return [...pointers].filter((pointer) => {
    const [, ...outer] = enclosingPointers(pointer);
    return !outer.some((one) => pointers.has(one));
  });
}

/** A path, whose operations are more specific, or another form of a component. */
const secondary = /^\/paths\/[^/]+$|^\/components\/schemas\/\w+\./;

/** The names of the folders and of the request on the way to a pointer: `REST / readUser`. */
function requestName(collection: object, pointer: string): string {
  const way = parsePointer(pointer);
  const names = way.flatMap((_, at) => follow(collection, [...way.slice(0, at + 1), 'name']) ?? []);
  return names.filter((name) => typeof name === 'string').join(' / ');
}
