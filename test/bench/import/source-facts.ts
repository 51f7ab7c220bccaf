// What a description itself says, read without the import that is measured.

import { buildASTSchema, GraphQLNonNull, type GraphQLSchema, isInputObjectType, parse, visit } from 'graphql';
import type { JsonPlace } from '../../../src/base/source/json-place.js';
import { parsePointer } from '../../../src/base/source/json-pointer.js';

/** One operation of a description. */
export interface SourceOperation {
  /** The method and the path without the names of parameters, or the kind and the name of a GraphQL field. */
  readonly key: string;
  readonly place: string;
  readonly required: readonly RequiredArgument[];
}

/** An argument without which every call is refused. */
export interface RequiredArgument {
  readonly name: string;
  readonly in: string;
  readonly place: string;
}

/** A method and a path; the names in braces and fragments, which requests lack, do not count. */
export function routeKey(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replace(/#.*/, '').replace(/\{[^{}]*\}/g, '{}')}`;
}

const methods = 'get put post delete options head patch trace query'.split(' ');

/** The operations of an OpenAPI document. */
export function openApiFacts(root: JsonPlace) {
  const resolve = (from: JsonPlace | undefined): JsonPlace | undefined => {
    let place = from;
    for (let hops = 0; hops < 50; hops++) {
      const reference = place?.text('$ref');
      if (reference === undefined) return place;
      place = root;
      for (const step of parsePointer(decodeURIComponent(reference.slice(1)))) place = place?.at(step);
    }
    return undefined;
  };
  const requiredMembers = (schema: JsonPlace | undefined, depth = 0): readonly RequiredArgument[] => {
    const open = resolve(schema);
    if (open === undefined || depth > 8) return [];
    const properties = membersOf(open, resolve);
    const own = open.texts('required').flatMap((name) => {
      const property = properties.get(name);
      const isRead = property !== undefined && resolve(property)?.flag('readOnly') !== true;
      return isRead ? [{ name, in: 'body', place: property.place }] : [];
    });
    return [...own, ...open.list('allOf').flatMap((part) => requiredMembers(part, depth + 1))];
  };
  const operations = root.entries('paths').flatMap(([path, given]) => {
    const item = resolve(given);
    return (item?.entries() ?? []).flatMap(([method, operation]): SourceOperation[] => {
      if (!methods.includes(method)) return [];
      const parameters = new Map<string, RequiredArgument | undefined>();
      for (const one of [...(item?.list('parameters') ?? []), ...operation.list('parameters')]) {
        const parameter = resolve(one);
        const name = parameter?.text('name') ?? '';
        const place = parameter?.text('in') ?? '';
        const isRequired = place === 'path' || parameter?.flag('required') === true;
        const found = { name, in: place, place: parameter?.place ?? one.place };
        parameters.set(`${place} ${name}`, isRequired ? found : undefined);
      }
      const body = resolve(operation.at('requestBody'));
      const media = body?.entries('content') ?? [];
      const [, json] = media.find(([type]) => /[/+]json(?:;|$)/.test(type)) ?? media[0] ?? [];
      return [
        {
          key: routeKey(method, path),
          place: operation.place,
          required: [
            ...[...parameters.values()].flatMap((one) => one ?? []),
            ...(body?.flag('required') === true ? requiredMembers(json?.at('schema')) : []),
          ],
        },
      ];
    });
  });
  return { operations, resolve };
}

function membersOf(
  schema: JsonPlace,
  resolve: (place: JsonPlace) => JsonPlace | undefined,
  depth = 0,
): Map<string, JsonPlace> {
  const all = new Map(schema.entries('properties'));
  if (depth > 8) return all;
  for (const part of schema.list('allOf')) {
    const open = resolve(part);
    if (open === undefined) continue;
    for (const [name, property] of membersOf(open, resolve, depth + 1)) all.set(name, property);
  }
  return all;
}

/** The requests of a collection. */
export function collectionFacts(collection: JsonPlace): readonly SourceOperation[] {
  const walk = (place: JsonPlace): readonly SourceOperation[] => {
    const request = place.at('request');
    const inside = place.list('item').flatMap(walk);
    if (request === undefined) return inside;
    const raw = request.text('url') ?? request.at('url')?.text('raw') ?? '';
    const [, path = ''] = /^(?:\w+:\/\/)?[^/]*(\/[^?#]*)/.exec(raw) ?? [];
    const shape = path
      .replace(/\{\{[^{}]*\}\}/g, '{}')
      .replace(/\/:[^/]+/g, '/{}')
      .replace(/\/$/, '');
    const key = routeKey(request.text('method') ?? 'GET', shape);
    return [{ key, place: request.place, required: [] }, ...inside];
  };
  return walk(collection);
}

/** The fields of the root types of a GraphQL schema, and its inputs as they are written, by name. */
export function graphqlFacts(text: string) {
  const schema = schemaOf(text);
  const roots = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const;
  const operations = roots.flatMap(([kind, type]) =>
    Object.values(type?.getFields() ?? {}).map((field): SourceOperation => {
      const { line = 1, column = 1 } = field.astNode?.loc?.startToken ?? {};
      const place = `${line}:${column}`;
      const required = field.args.flatMap(({ name, type: of, defaultValue }) =>
        of instanceof GraphQLNonNull && defaultValue === undefined ? [{ name, in: 'argument', place }] : [],
      );
      return { key: `${kind} ${field.name}`, place, required };
    }),
  );
  const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType);
  return {
    operations,
    inputs: new Map(
      inputs.map((input) => [
        input.name,
        Object.values(input.getFields())
          .map(({ name, type }) => `${name}: ${type}`)
          .toSorted()
          .join(', '),
      ]),
    ),
  };
}

function schemaOf(text: string): GraphQLSchema {
  // Directives are not compared, and a schema need not declare them.
  return buildASTSchema(visit(parse(text), { Directive: () => null }), { assumeValidSDL: true });
}
