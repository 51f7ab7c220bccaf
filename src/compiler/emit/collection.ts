import { apiChains } from '../api/chains/api-chains.js';
import { findIdLinks, type IdLink } from '../api/chains/id-links.js';
import { type LinkedArguments, linkArguments, unconstrainedId } from '../api/chains/linked-arguments.js';
import { orderOperations } from '../api/chains/order-operations.js';
import { exampleArguments, exampleResult } from '../api/examples.js';
import { takesFiles } from '../api/form-parts.js';
import { operationDocument } from '../api/operation-document.js';
import { answerType, type RestRoute, restRoutes, streamRoutes } from '../api/rest-routes.js';
import { answerSelection, defaultSelection } from '../api/selection.js';
import type { JsonValue } from '../graph/json-value.js';
import { appendTo, ifGiven } from '../graph/maps.js';
import type { GqlOperation, GqlSchema } from '../schema/gql-schema.js';
import { comparePrecedence, segmentsOf } from '../schema/route-path.js';
import { toWire, wireView } from '../schema/wire-view.js';
import { addressesOf } from './collection/addresses.js';
import { collectAnswerSchemas } from './collection/answer-schemas.js';
import type {
  Collection,
  CollectionEvent,
  CollectionFolder,
  CollectionItem,
  CollectionVariable,
} from './collection/format.js';
import { collectionAuth, createRequests, type OperationCall, tokenVariable } from './collection/requests.js';
import { stableId } from './collection/stable-id.js';
import * as script from './collection/test-script.js';
import { flat } from './text/text-collector.js';

/**
 * Builds a Postman collection (format v2.1) that calls every query and mutation of a schema, once over REST and once
 * over GraphQL. Each request has example values and an example response. The test script of each folder checks the
 * status of every response and its JSON Schema, and stores the ids that later requests send. Requests are in an order
 * in which they can run one after another. The UUID of a request depends on the name of its operation alone, so that
 * importing a newer collection updates the older one.
 *
 * @param baseUrl the base URL of the GraphQL HTTP endpoint. A URL without a path is read as a server that has GraphQL
 *   at `/graphql`. It becomes the variable `base_url`
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
  const routes = restRoutes(schema);
  const streams = streamRoutes(schema);
  const hasOwnRoutes = routes.some(({ operation }) => operation.route !== undefined);
  const isRouted =
    wireView(schema) !== schema ||
    routes.some(
      ({ operation: { route, status, nullStatus, page } }) => (route ?? status ?? nullStatus ?? page) !== undefined,
    );
  const hasForms = takesFiles(schema);
  const addresses = addressesOf(baseUrl, hasOwnRoutes);
  const chains = apiChains(wireView(schema));
  const hasDurable = chains.some(({ goal }) => goal.operation.durable);
  const { restItem, streamItem, chainItem, graphqlItem } = createRequests(schema, addresses);
  const { auth, variables: credentials } = collectionAuth(schema);
  const members = `${isRouted ? routedMembers(routes) : ''}${filtersMember(schema)}${policiesMember(schema)}`;
  const { calls, links, answers } = planCalls(schema, members);
  return {
    info: {
      _postman_id: stableId(`collection/${name}`),
      name,
      description: [schema.info?.description, collectionDescription].filter(Boolean).join('\n\n'),
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item: [
      folder(
        'REST',
        hasOwnRoutes ? routedDescription : restDescription,
        isRouted ? script.routed : script.rest,
        calls.map(restItem),
      ),
      folder('GraphQL', graphqlDescription(schema), script.graphql(hasForms), calls.map(graphqlItem)),
      ...(chains.length === 0
        ? []
        : [folder('Chains', chainsDescription, script.chains(hasDurable), chains.map(chainItem))]),
      ...(streams.length === 0
        ? []
        : [folder('Events', eventsDescription, script.streams, streams.map(streamItem), script.skipStreams)]),
    ],
    ...(auth === undefined ? {} : { auth }),
    variable: [
      ...addresses.variables,
      ...credentials,
      ...(streams.length === 0 ? [] : [follow]),
      ...(hasForms ? [file] : []),
      ...links.map(([link, example]) => idVariable(link, example)),
      answers,
    ],
  };
}

/** Writes a collection as Postman exports it, with tabs. Most of it is long strings, which `JSON.stringify` is fast at. */
export function writeCollection(collection: Collection): string {
  return `${JSON.stringify(collection, null, '\t')}\n`;
}

const collectionDescription =
  'Every query and mutation of the API, over REST and over GraphQL. The requests can run one after another: the test ' +
  'scripts store the ids of responses in variables, and later requests send them.';

const chainsDescription =
  'Each request runs the operations that lead to one, and hands their ids on: the result of each is in the response.';

const eventsDescription =
  'Each subscription is a GET that answers with a stream of events. A stream has no end, so that its request is ' +
  `skipped, in a run of the collection too, unless the variable ${script.followVariable} is true.`;

const follow: CollectionVariable = {
  key: script.followVariable,
  value: 'false',
  type: 'string',
  description: 'Whether the requests of the folder Events are sent.',
};

const file: CollectionVariable = {
  key: script.fileVariable,
  value: '',
  type: 'string',
  description: 'The path of the file that forms send. Choose a file in a request to send another one.',
};

const restDescription =
  'Each query is a GET with its arguments in the query string, each mutation a POST with them as JSON.';
const routedDescription =
  'Each query is a GET, each mutation a POST or the method of its own route. Arguments are in the path, in the query ' +
  'string of GET and DELETE, and in the JSON of other methods.';

/** The routes and the statuses that operations have of their own, as JSON members. Longer paths come first, then those that the server prefers. */
function routedMembers(all: readonly RestRoute[]): string {
  const own = all.filter(({ operation }) => operation.route !== undefined);
  const sorted = own.toSorted(
    (one, other) =>
      segmentsOf(other.path).length - segmentsOf(one.path).length || comparePrecedence(one.path, other.path),
  );
  const routes = sorted.map(({ method, path, operation }) => [
    method,
    `${path.replace(/[.$()+]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`,
    `${operation.kind} ${operation.name}`,
  ]);
  const statuses = all.flatMap(({ operation: { kind, name, status = 200, nullStatus } }) => {
    if (status === 200 && nullStatus === undefined) return [];
    return [[`${kind} ${name}`, nullStatus === undefined ? [status] : [status, nullStatus]]];
  });
  return `,"routes":${JSON.stringify(routes)},"statuses":${JSON.stringify(Object.fromEntries(statuses))}`;
}

/** The filters of streams as GraphQL documents with examples, as JSON member. The requests of streams have required filters only. */
function filtersMember(schema: GqlSchema): string {
  const filtered = schema.subscriptions.filter(({ arguments: args }) => args.length > 0);
  if (filtered.length === 0) return '';
  const documents = filtered.map((operation) => {
    const query = operationDocument(schema, operation, '', { withDefaults: true });
    return [operation.name, { query, variables: exampleArguments(schema, operation.arguments) }];
  });
  return `,"filters":${JSON.stringify(Object.fromEntries(documents))}`;
}

/** How runs and logs of events treat operations, as JSON member, for an import of the collection. */
function policiesMember({ queries, mutations, subscriptions }: GqlSchema): string {
  const policies = [...mutations, ...queries, ...subscriptions].flatMap(
    ({ kind, name, undo, retries, awaits, within, pause, partition }) =>
      (undo ?? retries ?? awaits ?? within ?? pause ?? partition) === undefined
        ? []
        : [[`${kind} ${name}`, { undo, retries, awaits, within, pause, partition }] as const],
  );
  return policies.length === 0 ? '' : `,"policies":${JSON.stringify(Object.fromEntries(policies))}`;
}

/** The variables of every collection. */
const variableNames = ['base_url', 'api_url', 'root_url', script.answersVariable, script.followVariable];

/** The calls in their order, and what the test scripts need to know about their answers. */
function planCalls(schema: GqlSchema, more: string) {
  const reserved = [...variableNames];
  if (schema.security !== undefined) reserved.push(tokenVariable);
  if (takesFiles(schema)) reserved.push(script.fileVariable);
  const idLinks = findIdLinks(schema, reserved);
  const write = ({ variable }: IdLink) => `{{${variable}}}`;
  const sent = new Map<GqlOperation, LinkedArguments>();
  for (const operation of [...schema.mutations, ...schema.queries])
    sent.set(operation, linkArguments(schema, operation, idLinks, write));
  const linked = (operation: GqlOperation) => sent.get(operation) as LinkedArguments;
  const links = new Map<IdLink, JsonValue>();
  for (const { reads } of sent.values()) {
    for (const [link, example] of reads) {
      if (!links.has(link) || links.get(link) === unconstrainedId) links.set(link, example);
    }
  }
  const captures = new Map<GqlOperation, IdLink[]>();
  for (const link of links.keys()) appendTo(captures, link.producer, link);

  const wire = wireView(schema);
  const answerSchemas = collectAnswerSchemas(schema);
  const wireSchemas = wire === schema ? answerSchemas : collectAnswerSchemas(wire, 'rest.');
  const schemas: string[] = [];
  const ids: string[] = [];
  const order = orderOperations(schema, (operation) =>
    [...linked(operation).reads.keys()].map(({ producer }) => producer),
  );
  const calls = order.map((operation): OperationCall => {
    const selection = defaultSelection(schema, operation.type);
    const { values } = linked(operation);
    const key = `"${operation.kind} ${operation.name}"`;
    schemas.push(flat(`${key}:{${answerSchemas.membersFor(operation.type, selection)}}`));
    const captured = captures.get(operation) ?? [];
    const paths = Object.fromEntries(captured.map(({ variable, path }) => [variable, path]));
    if (captured.length > 0) ids.push(`${key}:${JSON.stringify(paths)}`);
    const exampleText = JSON.stringify(exampleResult(schema, operation.type, selection), null, 2);
    const valuesText = JSON.stringify(values, null, 2);
    const call = { operation, selection, values, valuesText, exampleText };
    const { page, fields, type } = operation;
    const isSpelt = toWire(schema, type) !== undefined;
    const isAlike = page === undefined && fields === undefined && !isSpelt;
    const restValues = wire === schema ? values : spelt(schema, operation, values);
    const restValuesText = restValues === values ? valuesText : JSON.stringify(restValues, null, 2);
    const rest = { ...call, restValues, restValuesText };
    if (isAlike) return { ...rest, restExampleText: exampleText };
    // REST answers with the items of a page, with the fields that the edge names, and with spellings of enums.
    const answer = answerType(operation);
    const items = answerSelection(wire, operation);
    schemas.push(`"rest ${operation.kind} ${operation.name}":{${wireSchemas.membersFor(answer, items)}}`);
    return { ...rest, restExampleText: JSON.stringify(exampleResult(wire, answer, items), null, 2) };
  });
  for (const { kind, name, type } of schema.subscriptions)
    schemas.push(`"${kind} ${name}":{${answerSchemas.membersFor(type, defaultSelection(schema, type))}}`);
  const definitions = [...new Map([...answerSchemas.texts, ...wireSchemas.texts])].map(
    ([name, text]) => `"${name}":${text}`,
  );
  const answers: CollectionVariable = {
    key: script.answersVariable,
    value: `{"schemas":{${schemas}},"definitions":{${definitions}},"ids":{${ids}}${more}}`,
    type: 'string',
    description: 'The JSON Schemas of the responses, and where in them the ids are that later requests send.',
  };
  return { calls, links: [...links], answers };
}

/** The arguments of a call as REST spells them: the same ones if no enum has other spellings. */
function spelt(
  schema: GqlSchema,
  { arguments: args }: GqlOperation,
  values: LinkedArguments['values'],
): LinkedArguments['values'] {
  const others = args.flatMap(({ name, type }) => {
    const value = values[name];
    return value === undefined ? [] : ifGiven(toWire(schema, type), (spell) => [name, spell(value)] as const);
  });
  return others.length === 0 ? values : { ...values, ...Object.fromEntries(others) };
}

function idVariable({ variable, producer, path }: IdLink, example: JsonValue): CollectionVariable {
  const description = `${path.join('.')} in the response of ${producer.name}; until that request has run, this value.`;
  return { key: variable, value: String(example), type: 'string', description };
}

function folder(
  name: string,
  description: string,
  exec: readonly string[],
  item: readonly CollectionItem[],
  before?: readonly string[],
): CollectionFolder {
  return {
    id: stableId(`folder/${name}`),
    name,
    description,
    event: [...(before === undefined ? [] : [scriptOf('prerequest', before)]), scriptOf('test', exec)],
    item,
  };
}

function scriptOf(listen: CollectionEvent['listen'], exec: readonly string[]): CollectionEvent {
  return { listen, script: { type: 'text/javascript', exec } };
}

function graphqlDescription({ subscriptions }: GqlSchema): string {
  const start = 'Each query and mutation as a GraphQL document with variables.';
  if (subscriptions.length === 0) return start;
  const names = subscriptions.map(({ name }) => name).join(', ');
  return `${start}\n\nSubscriptions answer with a stream of events, so this folder has no requests for them: ${names}.`;
}
