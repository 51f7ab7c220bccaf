import type { Collection, CollectionItem, CollectionRequest } from '../../../src/compiler/emit/collection/format.js';

/** A JSON Schema of the results in a collection. */
interface AnswerSchema {
  readonly properties?: Readonly<Record<string, AnswerSchema>>;
  readonly required?: readonly string[];
  readonly const?: unknown;
  readonly anyOf?: readonly OptionSchema[];
}

/** The schema of a type in a union or an interface. */
interface OptionSchema {
  readonly properties?: { readonly __typename: { readonly const: string } };
  readonly allOf?: readonly [AnswerSchema];
}

/**
 * What a collection says of its operations: their routes, statuses, access, descriptions, arguments with types, and results
 * with the fields of their types. Their order depends on the links between them, and the examples on the limits of values.
 */
export function factsOf(text: string) {
  const { item, variable } = JSON.parse(text) as Collection;
  const [rest, graphql] = item;
  const named = (wanted: string) => item.find(({ name }) => name === wanted)?.item ?? [];
  const answers = JSON.parse(variable.find(({ key }) => key === 'answers')?.value ?? '');
  const requests = (rest?.item ?? []).map((one) => factsOfRequest(one, addressOf(one)));
  return {
    rest: requests.toSorted((one, other) => (one.operation < other.operation ? -1 : 1)),
    // The access of a chain follows from its steps, and these from links.
    chains: named('Chains')
      .map(({ name }) => name)
      .toSorted(),
    streams: named('Events').map((one) => factsOfRequest(one, urlOf(one).replace(/=[^&]*/g, ''))),
    graphql: (graphql?.item ?? []).map(({ request }) => signatureOf(documentOf(request.body))).toSorted(),
    filters: Object.values<{ readonly query: string }>(answers.filters ?? {}).map(({ query }) => signatureOf(query)),
    // A definition has a number where a response has fewer of its fields.
    results: withoutNumbers(answers.schemas),
    statuses: answers.statuses,
    types: typesOf(withoutNumbers(Object.entries(answers.definitions))),
  };
}

/** The URLs of the requests for streams, with the values of required filters. */
export function streamUrls(text: string): readonly string[] {
  const events = (JSON.parse(text) as Collection).item.find(({ name }) => name === 'Events');
  return (events?.item ?? []).map(urlOf);
}

function urlOf({ request: { url } }: CollectionItem): string {
  return typeof url === 'string' ? url : url.raw;
}

function addressOf(item: CollectionItem): string {
  return urlOf(item).replace(/\?.*/, '');
}

function factsOfRequest({ name, request, response: [{ code }] }: CollectionItem, address: string) {
  const { method, url, auth, description } = request;
  const pairs = typeof url === 'string' ? [] : [...(url.variable ?? []), ...(url.query ?? [])];
  return {
    operation: `${method} ${address} ${name} ${code} ${auth?.type ?? ''}`,
    // If only fields have access rules, the operations of the import say that authentication is optional.
    description: description
      ?.replace(/(?:(?:^|\n\n)Authentication is optional\.$|(?<=^|\n\n)Authentication is optional\. (?=Open))/, '')
      .replace(defaultDescription, ''),
    arguments: pairs.flatMap(({ key, description: said }) => (said === undefined ? [] : [`${key}: ${said}`])),
  };
}

/** The description of an operation without one names the nodes of its edges. */
const defaultDescription = /^(?:Query from topology edges?|Mutation \(fold\) from|Subscription \(fork\) from) [^\n]*/;

/** The document of a GraphQL request in JSON or in a form. */
function documentOf(body: CollectionRequest['body']): string {
  if (body?.mode === 'graphql') return body.graphql.query;
  const [operations] = body?.mode === 'formdata' ? body.formdata : [];
  return operations?.type === 'text' ? JSON.parse(operations.value).query : '';
}

function signatureOf(document: string): string {
  return document.replace(/\{[\s\S]*/, '');
}

function withoutNumbers<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value).replace(/(\w)\.\d+"/g, '$1"'));
}

/** The fields of objects, which several definitions may have, the options of choices, and the values of enums. */
function typesOf(definitions: readonly (readonly [string, AnswerSchema])[]) {
  const objects = new Map<string, Set<string>>();
  const others = new Map<string, unknown>();
  const addObject = (name: string, { properties, required }: AnswerSchema): void => {
    const fields = objects.get(name) ?? new Set();
    objects.set(name, fields);
    for (const [field, schema] of Object.entries(properties ?? {})) {
      if (field === '__typename') continue;
      fields.add(`${field}${required?.includes(field) ? '' : '?'}: ${JSON.stringify(schema)}`);
    }
  };
  for (const [name, definition] of definitions) {
    const { anyOf, properties } = definition;
    if (anyOf !== undefined) {
      for (const { properties: own, allOf } of anyOf) {
        // The names of other fields of an option depend on the fields of the options before.
        if (allOf?.[0].properties !== undefined) addObject(own?.__typename.const ?? '', allOf[0]);
      }
      others.set(name, anyOf.map(({ properties: own }) => own?.__typename.const).toSorted());
    } else if (properties !== undefined) addObject(name, definition);
    else others.set(name, definition);
  }
  // A type whose fields no response shows has an id in the import.
  for (const fields of objects.values()) if (fields.size === 0) fields.add('id: {"type":"string"}');
  const lists = [...objects].map(([name, fields]) => [name, [...fields].toSorted()] as const);
  return Object.fromEntries([...others, ...lists]);
}
