import { restRoute, streamRoutes } from '../../api/rest-routes.js';
import { baseName } from '../../graph/type-ref.js';
import { feedsOf } from '../../schema/fed-subscriptions.js';
import type { GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { inputTypeOf, memberNames, namedType, objectFields } from '../../schema/schema-index.js';
import { reachableTypes } from './resolver-types.js';
import { docComment } from './type-text.js';

/**
 * The paths of the queries that a mutation or an event makes stale, as a constant: a query is stale if its answer can have
 * an object of a type that the mutation changes.
 */
export function stalePaths(schema: GqlSchema): string {
  const read = schema.queries.map((query) => ({ query, types: reachableTypes(schema, [query]) }));
  const changedBy = new Map(schema.mutations.map((mutation) => [mutation, [...changedTypes(schema, mutation)]]));
  const staleAfter = (mutations: readonly GqlOperation[]): readonly string[] => {
    const changed = mutations.flatMap((mutation) => changedBy.get(mutation) ?? []);
    const stale = read.filter(({ types }) => changed.some((name) => types.has(name)));
    return [...new Set(stale.map(({ query }) => restRoute(query).path))];
  };
  const mutations = schema.mutations.map((mutation): Row => {
    const { method, path } = restRoute(mutation);
    return [`${method} ${path}`, staleAfter([mutation])];
  });
  const feeding = feedsOf(schema);
  const events = streamRoutes(schema).map(({ path, operation }): Row => [path, staleAfter(feeding(operation))]);
  return (
    docComment('The paths of the queries whose answers a mutation or an event can change.') +
    `export const stale = {\n${tableText('mutations', mutations)}${tableText('events', events)}} as const;\n`
  );
}

type Row = readonly [key: string, paths: readonly string[]];

/**
 * The types of the objects that a mutation changes: those of its result, and below it those of fields for which it takes
 * an input of the same name.
 */
function changedTypes(schema: GqlSchema, { type, edges, arguments: args }: GqlOperation): ReadonlySet<string> {
  const changed = new Set<string>();
  const add = (name: string, inputs: readonly string[]): void => {
    const found = namedType(schema, name);
    for (const member of [...(found.kind === 'object' ? [name] : []), ...memberNames(found)]) {
      if (changed.has(member)) continue;
      changed.add(member);
      const given = inputs.flatMap((input) => inputTypeOf(schema, input)?.fields ?? []);
      for (const field of objectFields(schema, member)) {
        const below = given.filter((one) => one.name === field.name).map((one) => baseName(one.type));
        if (below.some((input) => inputTypeOf(schema, input) !== undefined)) add(baseName(field.type), below);
      }
    }
  };
  const inputs = args.map((argument) => baseName(argument.type));
  const targets = schema.objects.filter(({ node }) => edges.some(({ to }) => to === node?.id));
  for (const name of [baseName(type), ...targets.map(({ name }) => name)]) add(name, inputs);
  return changed;
}

function tableText(name: string, rows: readonly Row[]): string {
  const lines = rows.map(([key, paths]) => `    '${key}': [${paths.map((path) => `'${path}'`).join(', ')}],\n`);
  return `  ${name}: {${lines.length === 0 ? '' : `\n${lines.join('')}  `}},\n`;
}
