import { exampleResult } from '../api/examples.js';
import { defaultSelection } from '../api/selection.js';
import type { GqlOperation, GqlSchema } from '../schema/gql-schema.js';
import { addressesOf } from './collection/addresses.js';
import { collectAnswerSchemas } from './collection/answer-schemas.js';
import type {
  Collection,
  CollectionFolder,
  CollectionItem,
  CollectionVariable,
} from './collection/format.js';
import { findIdLinks, type IdLink } from './collection/id-links.js';
import { type LinkedArguments, linkArguments } from './collection/linked-arguments.js';
import { orderRequests } from './collection/request-order.js';
import { graphqlItem, type OperationCall, restItem } from './collection/requests.js';
import { stableId } from './collection/stable-id.js';
import { schemasVariable, schemaTest } from './collection/test-script.js';

/**
 * Makes a Postman collection (format v2.1) that calls every query and mutation of a schema, once over
 * REST and once over GraphQL. Each request has example values, an example answer, and a test script that
 * holds the answer against its JSON Schema. They are in the order of the topology, and what a mutation makes
 * is what later queries read: ids go from answers into variables, and from there into requests. The ids are made from the names of the operations, so that a newer collection replaces an older one.
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
  const { calls, links, definitions } = planCalls(schema);
  return {
    info: {
      _postman_id: stableId(`collection/${name}`),
      name,
      description: collectionDescription,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item: [
      folder(
        'REST',
        'Each query is a GET with its arguments in the query string, each mutation a POST with them as JSON.',
        calls.map((call) => restItem(call, rest)),
      ),
      folder(
        'GraphQL',
        graphqlDescription(schema),
        calls.map((call) => graphqlItem(call, graphql)),
      ),
    ],
    variable: [...variables, ...links.map(idVariable), ...schemasOf(definitions)],
  };
}

const collectionDescription =
  'Every query and mutation of the API, over REST and over GraphQL, in an order in which they can be run one ' +
  'after another: what one request makes, a later one reads. Ids are handed on in variables.';

/** The calls in their order, with the ids that they hand on. */
function planCalls(schema: GqlSchema) {
  const idLinks = findIdLinks(schema);
  const sent = new Map<GqlOperation, LinkedArguments>();
  for (const operation of [...schema.mutations, ...schema.queries]) {
    sent.set(operation, linkArguments(schema, operation, idLinks));
  }
  const linked = (operation: GqlOperation): LinkedArguments =>
    sent.get(operation) ?? { values: {}, reads: [] };
  const links = new Set<IdLink>();
  for (const { reads } of sent.values()) for (const link of reads) links.add(link);
  const captures = new Map<GqlOperation, IdLink[]>();
  for (const link of links) {
    const before = captures.get(link.producer);
    if (before === undefined) captures.set(link.producer, [link]);
    else before.push(link);
  }

  const answers = collectAnswerSchemas(schema);
  const order = orderRequests(schema, (operation) => linked(operation).reads.map(({ producer }) => producer));
  const calls = order.map((operation): OperationCall => {
    const selection = defaultSelection(schema, operation.type);
    const { values } = linked(operation);
    return {
      schema,
      operation,
      selection,
      values,
      valuesText: JSON.stringify(values, null, 2),
      exampleText: JSON.stringify(exampleResult(schema, operation.type, selection), null, 2),
      check: schemaTest(answers.membersFor(operation.type, selection)),
      captures: captures.get(operation) ?? [],
    };
  });
  return { calls, links: [...links], definitions: answers.definitions() };
}

function idVariable({ variable, producer, path }: IdLink): CollectionVariable {
  const description = `${path.join('.')} of what ${producer.name} answers; until it has, the value that stands here.`;
  return { key: variable, value: '1', type: 'string', description };
}

/** A collection without objects needs no definitions. */
function schemasOf(definitions: string): readonly CollectionVariable[] {
  if (definitions === '{}') return [];
  const description = 'The JSON Schemas that the tests hold answers against.';
  return [{ key: schemasVariable, value: definitions, type: 'string', description }];
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
