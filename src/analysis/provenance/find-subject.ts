import { operationCoordinate } from '../../compiler/api/operation-coordinate.js';
import { allRoutes } from '../../compiler/api/rest-routes.js';
import { appendTo } from '../../compiler/graph/maps.js';
import { createSuggester } from '../../compiler/graph/suggest.js';
import { allOperations, type GqlSchema } from '../../compiler/schema/gql-schema.js';
import { indexSchema } from '../../compiler/schema/schema-index.js';
import { originsOf } from './origins.js';

/** The coordinates of a subject, or the reason why it has none. */
export type Subject =
  | { readonly found: true; readonly coordinates: readonly string[] }
  | {
      readonly found: false;
      readonly reason: string;
      /** The probable intention, in the form that the user wrote. */
      readonly suggestion: string | undefined;
    };

/** Finds a coordinate (`Query.readUser(id:)`), a route (`GET /api/readUser` or its path), a name or an id. */
export function findSubject(schema: GqlSchema, wanted: string): Subject {
  const words = wanted.trim().replace(/\s+/g, ' ');
  const route = /^(?:([A-Za-z]+) )?(\/.*)$/.exec(words);
  if (route?.[2] !== undefined) return findRoute(schema, route[1]?.toUpperCase(), route[2].replace(/[?#].*$/, ''));
  const origins = originsOf(schema);
  // Users often omit the colon.
  const coordinate = words.replace(/\((\w+):?\)$/, '($1:)');
  if (origins.has(coordinate)) return { found: true, coordinates: [coordinate] };
  const named = namesOf(schema).get(words);
  if (named !== undefined) return { found: true, coordinates: named };
  return explainAbsence(schema, words);
}

function findRoute(schema: GqlSchema, method: string | undefined, path: string): Subject {
  const all = allRoutes(schema);
  const routes = all.filter(({ operation }) => originsOf(schema).has(operationCoordinate(operation)));
  const atPath = routes.filter((route) => route.path === path);
  // HEAD has the routes of GET.
  const asked = method === 'HEAD' ? 'GET' : method;
  const found = atPath.filter((route) => asked === undefined || route.method === asked);
  if (found.length > 0)
    return { found: true, coordinates: found.map(({ operation }) => operationCoordinate(operation)) };
  if (atPath.length === 0 && all.some((route) => route.path === path)) return absent(fromLayer(path));
  const [other] = atPath;
  if (other !== undefined) return absent(`${path} does not support ${method}.`, `${other.method} ${path}`);
  const near = createSuggester(routes.map((route) => route.path)).nearest(path);
  const suggestion = near === undefined || method === undefined ? near : `${method} ${near}`;
  return absent(`No operation has the route ${path}.`, suggestion);
}

function fromLayer(subject: string): string {
  return `${subject} comes from a layer of the server, not from the topology.`;
}

function absent(reason: string, suggestion?: string): Subject {
  return { found: false, reason, suggestion };
}

/** The subjects with a short name: operations by their names, types by the ids of their nodes. */
function namesOf(schema: GqlSchema): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  const add = (name: string, coordinate: string): void => {
    if (names.get(name)?.includes(coordinate) !== true) appendTo(names, name, coordinate);
  };
  for (const operation of allOperations(schema))
    if (operation.edges.length > 0) add(operation.name, operationCoordinate(operation));
  const { objects, enums, scalars, inputs, interfaces = [] } = schema;
  for (const { name, node } of [...objects, ...enums, ...scalars, ...inputs, ...interfaces])
    if (node !== undefined) add(node.id, name);
  return names;
}

function explainAbsence(schema: GqlSchema, words: string): Subject {
  const root = rootTypes.get(words);
  if (root !== undefined) {
    const [example] = schema[root.operations].filter(({ edges }) => edges.length > 0);
    return absent(
      `${words} is a GraphQL root type: its fields are the operations of the ${root.edges} edges.`,
      example && operationCoordinate(example),
    );
  }
  if (schema.scalars.some(({ name, standard }) => standard === true && name === words))
    return absent(`${words} is a standard scalar, which the topology uses without declaring it.`);
  if (isOfLayer(schema, words)) return absent(fromLayer(words));
  const coordinates = [...originsOf(schema).keys()];
  const near = createSuggester([...coordinates, ...namesOf(schema).keys()]).nearest(words);
  return absent(`The topology does not define ${words}.`, near ?? nearestMember(coordinates, words));
}

/** Whether it exists in the schema, as an operation or a type that does not come from a topology. */
function isOfLayer(schema: GqlSchema, words: string): boolean {
  const [owner = ''] = words.split('.');
  const operations = allOperations(schema);
  if (operations.some((operation) => operation.name === words || operationCoordinate(operation) === words)) return true;
  const type = indexSchema(schema).types.get(owner);
  return type !== undefined && type.kind !== 'builtin' && !originsOf(schema).has(owner);
}

/** If one half is right, only the other half is searched for: `User.mail` among the fields of User. */
function nearestMember(coordinates: readonly string[], words: string): string | undefined {
  const [, owner, member] = /^(\w+)\.(\w+)/.exec(words) ?? [];
  if (owner === undefined || member === undefined) return undefined;
  const members = coordinates.filter((coordinate) => coordinate.startsWith(`${owner}.`) && !coordinate.includes('('));
  const names = members.map((coordinate) => coordinate.slice(owner.length + 1));
  const near = createSuggester(names).nearest(member);
  if (near !== undefined) return `${owner}.${near}`;
  const same = coordinates.find((coordinate) => coordinate.endsWith(`.${member}`));
  return same ?? coordinates.find((coordinate) => coordinate === owner);
}

const rootTypes = new Map([
  ['Query', { operations: 'queries', edges: 'PROCESS' } as const],
  ['Mutation', { operations: 'mutations', edges: 'FOLD' } as const],
  ['Subscription', { operations: 'subscriptions', edges: 'FORK' } as const],
]);
