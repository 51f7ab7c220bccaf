import type { GqlSchema } from '../schema/gql-schema.js';
import { restRoutes } from '../schema/rest-routes.js';
import { addressesOf } from './collection/addresses.js';
import type { Collection, CollectionFolder, CollectionItem } from './collection/format.js';
import { graphqlItem, restItem } from './collection/requests.js';
import { stableId } from './collection/stable-id.js';

/**
 * Makes a Postman collection (format v2.1) that calls every query and mutation of a schema, once over
 * REST and once over GraphQL. Each request has example values, a test script and an example answer.
 * The ids are made from the names of the operations, so that a newer collection replaces an older one.
 *
 * @param schema the projection of a topology
 * @param name the name of the collection
 * @param baseUrl the base URL of the GraphQL HTTP endpoint. One without a path is taken as a server
 *   that has GraphQL at `/graphql`; it becomes the variable `base_url`
 *
 * @example
 * ```ts
 * import { compile, schemaToCollection } from 'gg-svc';
 *
 * const result = compile("(root)-[:PROCESS { id: ID! }]->(user { id: ID!, name: String! })");
 * if (result.ok) console.log(schemaToCollection(result.schema, 'Users', 'http://localhost:4000/graphql'));
 * ```
 */
export function schemaToCollection(schema: GqlSchema, name: string, baseUrl: string): Collection {
  const { variables, graphql, rest } = addressesOf(baseUrl);
  const operations = [...schema.queries, ...schema.mutations];
  return {
    info: {
      _postman_id: stableId(`collection/${name}`),
      name,
      description: 'Every query and mutation of the API, over REST and over GraphQL.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item: [
      folder(
        'REST',
        'Each query is a GET with its arguments in the query string, each mutation a POST with them as JSON.',
        restRoutes(schema).map((route) => restItem(schema, route, rest)),
      ),
      folder(
        'GraphQL',
        graphqlDescription(schema),
        operations.map((operation) => graphqlItem(schema, operation, graphql)),
      ),
    ],
    variable: variables,
  };
}

function folder(name: string, description: string, item: readonly CollectionItem[]): CollectionFolder {
  return { id: stableId(`folder/${name}`), name, description, item };
}

function graphqlDescription({ subscriptions }: GqlSchema): string {
  const start = 'Each query and mutation as a GraphQL document with variables.';
  if (subscriptions.length === 0) return start;
  const names = subscriptions.map(({ name }) => name).join(', ');
  return `${start}\n\nSubscriptions answer with a stream, which is no single request, so they are not among the requests: ${names}.`;
}
