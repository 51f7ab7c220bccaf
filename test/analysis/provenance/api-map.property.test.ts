import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ApiMap, type Places, printApiMap, schemaToApiMap } from '../../../src/analysis/provenance/api-map.js';
import { hasErrors } from '../../../src/base/diagnostics/diagnostic.js';
import { follow, parsePointer } from '../../../src/base/source/json-pointer.js';
import { lineMapOf, type SourceFile } from '../../../src/base/source/source-file.js';
import { analyze } from '../../../src/compiler/analyze.js';
import { schemaToCollection } from '../../../src/compiler/emit/collection.js';
import { schemaToOpenAPI } from '../../../src/compiler/emit/openapi.js';
import type { GqlSchema } from '../../../src/compiler/schema/gql-schema.js';
import { runs } from '../../arbitraries/runs.js';
import { type AbstractTopology, topologies } from '../../arbitraries/topology.js';

interface Mapped {
  readonly map: ApiMap;
  readonly schema: GqlSchema;
  readonly openapi: object;
  readonly collection: object;
  readonly source: SourceFile;
}

function mapOf({ text }: AbstractTopology): Mapped {
  const { schema, sources, diagnostics } = analyze({ name: 'dir/random.gg', source: text });
  if (hasErrors(diagnostics)) throw new Error('the topology has errors');
  const openapi = schemaToOpenAPI(schema, 'Random');
  const collection = schemaToCollection(schema, 'Random', 'http://localhost:4000/graphql');
  return {
    map: schemaToApiMap(schema, { openapi, collection }),
    schema,
    openapi,
    collection,
    source: sources[0] as SourceFile,
  };
}

/** The text from a place to the end of its line. */
function textAt(source: SourceFile, place: string | undefined): string {
  const [, line, column] = /^dir\/random\.gg:(\d+):(\d+)$/.exec(place ?? '') ?? [];
  if (line === undefined || column === undefined) throw new Error(`${place} is no place in the source`);
  const start = (lineMapOf(source).lineStarts[Number(line) - 1] ?? Number.NaN) + Number(column) - 1;
  if (Number.isNaN(start)) throw new Error(`${place} is outside of the source`);
  return source.text.slice(start);
}

function only(places: Places, key: string): string {
  const found = places[key];
  if (found?.length !== 1) throw new Error(`${key} has not one place but ${found?.length}`);
  return found[0] as string;
}

/** Holds a fact against random topologies. */
function holds(fact: (topology: AbstractTopology) => void): void {
  fc.assert(fc.property(topologies(), fact), { numRuns: runs(60) });
}

describe('api.map.json of a random topology', () => {
  test('maps every type, field and value to its declaration', () =>
    holds((topology) => {
      const { map, source } = mapOf(topology);
      const places = map['schema.graphql'];
      const interfaces = topology.nodes.filter(({ kind }) => kind === 'interface').map((node) => node.typeName);
      for (const node of topology.nodes) {
        // Neither internal nodes nor declared errors are in the SDL.
        if (node.internal || node.kind === 'problem') continue;
        expect(textAt(source, only(places, node.typeName)).startsWith(node.id)).toBe(true);
        for (const { name, type } of node.fields) {
          expect(textAt(source, only(places, `${node.typeName}.${name}`)).startsWith(name)).toBe(true);
          if (node.kind !== 'object' || interfaces.includes(type.replace(/\W/g, ''))) continue;
          expect(places[`${node.typeName}Input.${name}`]).toEqual(places[`${node.typeName}.${name}`]);
        }
        for (const value of node.values) {
          expect(textAt(source, only(places, `${node.typeName}.${value}`)).startsWith(value)).toBe(true);
        }
      }
    }));

  test('maps every operation to all of its edges', () =>
    holds((topology) => {
      const { map } = mapOf(topology);
      const roots: Readonly<Record<string, string>> = {
        PROCESS: 'Query',
        FOLD: 'Mutation',
        FORK: 'Subscription',
      };
      const expected = new Map<string, number>();
      const camel = new Map(topology.nodes.map(({ id, camelName }) => [id, camelName]));
      for (const edge of topology.edges) {
        const root = roots[edge.type];
        if (root === undefined || edge.settings.some(({ name }) => name === 'internal')) continue;
        for (const target of edge.targets) {
          const coordinate = `${root}.${edge.name ?? camel.get(target)}`;
          expected.set(coordinate, (expected.get(coordinate) ?? 0) + 1);
        }
      }
      const found = Object.entries(map['schema.graphql']).filter(([key]) =>
        /^(?:Query|Mutation|Subscription)\.\w+$/.test(key),
      );
      expect(Object.fromEntries(found.map(([key, places]) => [key, places.length]))).toEqual(
        Object.fromEntries(expected),
      );
    }));

  test('has an entry for every path, operation, parameter, component and property', () =>
    holds((topology) => {
      const { map, openapi, schema } = mapOf(topology);
      const places = map['openapi.json'];
      // No line of the topology declares the parts of pages and standard scalars; declared errors are not mapped.
      const implied = [
        ...[...schema.objects, ...schema.scalars].filter(({ node }) => node === undefined),
        ...(schema.problems ?? []),
      ];
      for (const pointer of topologyPointers(openapi)) {
        const component = /^\/components\/schemas\/(\w+)/.exec(pointer)?.[1];
        const parameter = follow(openapi, [...parsePointer(pointer), 'name']);
        if (implied.some(({ name }) => name === component) || isOfPage(pointer, parameter)) continue;
        expect(places).toHaveProperty([pointer]);
      }
    }));

  test('has an entry for every request', () =>
    holds((topology) => {
      const { map, collection } = mapOf(topology);
      const requests = requestPointers(collection);
      expect(Object.keys(map['collection.json']).filter((pointer) => !pointer.includes('/request/'))).toEqual(requests);
      for (const pointer of requests) {
        const pairs = follow(collection, [...parsePointer(pointer), 'request', 'url', 'query']);
        for (const [at, pair] of Array.isArray(pairs) ? pairs.entries() : []) {
          if (isOfPage('/parameters/', follow(pair, ['key']))) continue;
          expect(map['collection.json']).toHaveProperty([`${pointer}/request/url/query/${at}`]);
        }
      }
    }));

  test('has only pointers and places that exist', () =>
    holds((topology) => {
      const { map, openapi, collection, source } = mapOf(topology);
      for (const pointer of Object.keys(map['openapi.json']))
        expect(follow(openapi, parsePointer(pointer))).toBeDefined();
      for (const pointer of Object.keys(map['collection.json']))
        expect(follow(collection, parsePointer(pointer))).toBeDefined();
      for (const file of ['schema.graphql', 'openapi.json', 'collection.json'] as const) {
        for (const places of Object.values(map[file])) {
          expect(places.length).toBeGreaterThan(0);
          for (const place of places) expect(textAt(source, place)).not.toBe('');
        }
      }
    }));

  test('is deterministic, and valid JSON', () =>
    holds((topology) => {
      const { map, schema, openapi, collection } = mapOf(topology);
      const text = printApiMap(schema, { openapi, collection });
      const again = mapOf(topology);
      expect(printApiMap(again.schema, again)).toBe(text);
      expect(JSON.parse(text)).toEqual(map);
    }));
});

function isOfPage(pointer: string, parameter: unknown): boolean {
  return pointer.includes('/parameters/') && /^(?:first|after|last|before)$/.test(`${parameter}`);
}

/** The pointers into an OpenAPI document that stand for something of a topology, found by their places alone. */
function topologyPointers(openapi: object): string[] {
  const escaped = (step: string) => step.replaceAll('~', '~0').replaceAll('/', '~1');
  const pointers: string[] = [];
  for (const [path, item] of Object.entries(follow(openapi, ['paths']) as object)) {
    pointers.push(`/paths/${escaped(path)}`);
    for (const [method, operation] of Object.entries(item as object)) {
      const at = `/paths/${escaped(path)}/${method}`;
      pointers.push(at);
      const parameters = (follow(operation, ['parameters']) ?? []) as object[];
      for (const [index, parameter] of parameters.entries())
        if (!('$ref' in parameter)) pointers.push(`${at}/parameters/${index}`);
      const body = `${at}/requestBody/content/application~1json/schema/properties`;
      for (const name of Object.keys((follow(openapi, parsePointer(body)) as object) ?? {}))
        pointers.push(`${body}/${name}`);
    }
  }
  for (const [name, schema] of Object.entries(follow(openapi, ['components', 'schemas']) as object)) {
    if (/^(?:Problem|Event\.(?:Message|Error|Complete))$/.test(name)) continue;
    pointers.push(`/components/schemas/${name}`);
    for (const property of Object.keys((follow(schema, ['properties']) as object) ?? {})) {
      pointers.push(`/components/schemas/${name}/properties/${property}`);
    }
    for (const at of ((follow(schema, ['enum']) ?? []) as unknown[]).keys())
      pointers.push(`/components/schemas/${name}/enum/${at}`);
  }
  return pointers;
}

function requestPointers(parent: object, pointer = ''): string[] {
  const items = (follow(parent, ['item']) ?? []) as object[];
  return items.flatMap((item, at) =>
    'request' in item ? [`${pointer}/item/${at}`] : requestPointers(item, `${pointer}/item/${at}`),
  );
}

test('parses a JSON Pointer into the steps that made it', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (steps) => {
      const pointer = steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
      expect(parsePointer(pointer)).toEqual(steps);
    }),
  );
});
