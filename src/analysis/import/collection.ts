import { JsonPlace } from '../../base/source/json-place.js';
import { typeNameOf } from '../../compiler/graph/names.js';
import { pageArguments } from '../../compiler/schema/cursor.js';
import { answersOf } from './collection/answers.js';
import { schemaOfExample, unite } from './collection/example-schema.js';
import { graphqlOf } from './collection/graphql-form.js';
import { GraphqlRequests } from './collection/graphql-request.js';
import {
  type CollectionCall,
  type CollectionRequest,
  joinRequests,
  jsonOf,
  listRequests,
  textOf,
  urlOf,
} from './collection/requests.js';
import { acceptsEvents, readRestRequest } from './collection/rest-request.js';
import { bareName, Draft, type DraftSetting, type DraftValue, nodeIdOf, pageSetting } from './draft/draft.js';
import { accessSettings, addOperationEdges, policySettings } from './draft/operation-edge.js';
import { accessOfTags, givenDescription, splitDescription } from './draft/own-text.js';
import { References } from './openapi/references.js';
import { counted, pageWord } from './openapi/schema-parts.js';
import { pascal, SchemaTypes } from './openapi/schema-types.js';
import { noPageSize } from './openapi/value-tags.js';

type CollectionOperation = CollectionCall & { readonly request: CollectionRequest };

/** Imports a Postman collection of format 2.0 or 2.1. */
export function importCollection(collection: JsonPlace): Draft {
  const draft = new Draft();
  const answers = answersOf(collection, draft);
  const types = new SchemaTypes(draft, new References(answers ?? collection, draft));
  const chains = answers === undefined ? new Map<string, JsonPlace>() : chainsOf(collection);
  const operations = new CollectionOperations(collection, draft, types, answers, chains);
  const ofChains = new Set([...chains.values()].map(({ pointer }) => pointer));
  const requests = listRequests(collection, draft).filter(({ item }) => !ofChains.has(item.pointer));
  // In a collection of our own, the documents of GraphQL have the types of the arguments.
  const documents = answers === undefined ? [] : requests.filter(isGraphql);
  const others =
    answers === undefined ? joinRequests(requests, routeKey, draft) : requests.filter((request) => !isGraphql(request));
  for (const request of [...documents, ...others]) operations.add(request);
  operations.addEdges();
  types.readWaiting();
  types.addNodes();
  return draft;
}

/** The requests of the chains of our own collections, by the names of their goals. */
function chainsOf(collection: JsonPlace): Map<string, JsonPlace> {
  const [folder] = collection.list('item').filter((item) => item.text('name') === 'Chains');
  return new Map(folder?.list('item').map((item) => [item.text('name') ?? '', item]));
}

class CollectionOperations {
  readonly #graphql: GraphqlRequests;
  readonly #operations = new Map<string, CollectionOperation>();

  constructor(
    private readonly collection: JsonPlace,
    private readonly draft: Draft,
    private readonly types: SchemaTypes,
    private readonly answers: JsonPlace | undefined,
    /** The goals that no operation has been found for yet. */
    private readonly chains: Map<string, JsonPlace>,
  ) {
    for (const place of [collection.at('info'), collection.at('variable')]) {
      if (place !== undefined)
        draft.lose(place, place.pointer.slice(1), 'Topologies have neither titles nor variables.');
    }
    const objects = (answers?.entries('definitions') ?? []).filter(([, type]) => type.has('properties'));
    const byInput = new Map(objects.map(([name, type]) => [`${name}Input`, type]));
    this.#graphql = new GraphqlRequests(draft, types, this.#knownTypes(), byInput);
  }

  add(request: CollectionRequest): void {
    const subject = `request ${request.name}`;
    const content = graphqlOf(request.request);
    const known = (kind: string, operation: string) => this.#knownArguments(kind, operation, subject);
    const call = content
      ? this.#graphql.read(content, subject)
      : readRestRequest(request, this.draft, this.types, this.answers && known);
    if (call !== undefined) this.#take(request, call);
  }

  addEdges(): void {
    const { draft, types } = this;
    const all = [...this.#operations.values()];
    const isSecured = this.collection.has('auth') || all.some(({ request }) => isRequired(request));
    const described = all.map((call) => ({ ...call, ...this.#readDescription(call.request) }));
    const saysAccess = described.some(({ access }) => access.some(({ key }) => key !== 'open'));
    for (const { kind, name, request, arguments: args, settings, access: said, ...texts } of described) {
      const { place } = request.request;
      const schema = this.#resultSchema(kind, name, request);
      const hint = kind === 'subscription' ? pascal(name) : `${pascal(name)}Result`;
      const read = schema && types.read(schema, hint, 'output');
      types.readWaiting();
      const base = bareName(read?.type ?? '');
      const mark = read === undefined || read.isNullable || this.answers === undefined ? '' : '!';
      const result = `${read?.type ?? 'JSON'}${mark}`;
      const to =
        types.targetOf(base, kind === 'mutation') ??
        (kind === 'subscription' ? this.#eventNode(name, place) : draft.scalarTargetAt(place));
      if (to === undefined) continue;
      if (kind === 'subscription' && result !== typeNameOf(to) && this.answers === undefined) {
        const type = typeNameOf(to);
        draft.lose(place, `result of ${name}`, `It is ${type} instead of ${result}: an event is one object.`);
      }
      const { isPaged, settings: own } = this.#ownSettings(kind, name, args, place);
      const auth = isRequired(request) ? 'required' : 'optional';
      const access = isSecured && !saysAccess ? [...accessSettings({ auth }, place), ...said] : said;
      addOperationEdges(draft, {
        kind,
        name,
        sources: [[draft.sourceAt(place)]],
        to,
        result,
        arguments: isPaged ? args.filter((one) => !pageArguments.has(one.name)) : args,
        settings: [...settings, ...own, ...access],
        ...texts,
        subject: `operation ${name}`,
        place,
      });
    }
    for (const [name, item] of this.chains) draft.lose(item, `chain ${name}`, 'No operation has its name.');
  }

  /** The scalar node of events that are not objects; undefined, and reported, in collections of other tools. */
  #eventNode(name: string, place: string): string | undefined {
    if (this.answers !== undefined) return nodeIdOf(this.types.scalarOf(pascal(name), place));
    return this.draft.lose(place, `operation ${name}`, 'A subscription returns the type of a node.');
  }

  /** The types of the responses, by the names that documents have for them and for their inputs. */
  #knownTypes(): ReadonlyMap<string, string> {
    const known = new Map<string, string>();
    for (const [name, definition] of this.answers?.entries('definitions') ?? []) {
      const { type } = this.types.read(definition, name, 'output');
      known.set(definition.has('properties') ? `${name}Input` : name, type);
    }
    this.types.readWaiting();
    return known;
  }

  /** The arguments with the types of a GraphQL document; undefined without one. */
  #knownArguments(kind: string, name: string, subject: string): readonly DraftValue[] | undefined {
    if (kind !== 'subscription') return this.#operations.get(`${kind} ${name}`)?.arguments;
    const filters = this.answers?.at('filters')?.at(name);
    return filters && this.#graphql.read(filters, subject)?.arguments;
  }

  /** Our own collections have each operation twice, over GraphQL and over REST; others have one request each. */
  #take(request: CollectionRequest, call: CollectionCall): void {
    const { kind, name: wanted } = call;
    const isOwn = this.answers !== undefined;
    const before = isOwn ? this.#operations.get(`${kind} ${wanted}`) : undefined;
    const name = before?.name ?? this.draft.takeOperationName(kind, wanted, request.request.place);
    this.#operations.set(`${kind} ${isOwn ? wanted : name}`, { ...call, name, request });
  }

  #resultSchema(kind: string, name: string, request: CollectionRequest): JsonPlace | undefined {
    const { item, name: shown, calls } = request;
    const isStream = kind === 'subscription';
    const known = this.answers?.at('schemas')?.at(`${kind} ${name}`);
    if (known !== undefined) return known;
    const found = calls.flatMap(({ response }) => {
      const text = response?.text('body');
      const example = jsonOf(isStream ? /^data: ?(.*)$/m.exec(text ?? '')?.[1] : text);
      if (response === undefined || example === undefined) return [];
      const body = new JsonPlace(example, `${response.pointer}/body`);
      return (isGraphql(request) ? body.at('data')?.at(name) : body) ?? [];
    });
    const [first] = found;
    if (first !== undefined) {
      const schema = found.map(({ value }) => schemaOfExample(value)).reduce(unite);
      return new JsonPlace(schema, first.pointer);
    }
    const reason = 'There is no example of a response in JSON, so its type is JSON.';
    return this.draft.lose(item, `result of ${shown}`, reason);
  }

  /** The statuses, the chains, the policies and the pages in a collection of our own. */
  #ownSettings(kind: string, name: string, args: readonly DraftValue[], place: string) {
    const settings: DraftSetting[] = [];
    const statuses = this.answers?.at('statuses')?.at(`${kind} ${name}`)?.value;
    if (Array.isArray(statuses) && typeof statuses[1] === 'number')
      settings.push({ key: 'null', text: String(statuses[1]), place });
    const chain = kind === 'subscription' ? undefined : this.chains.get(name);
    if (chain !== undefined) {
      this.chains.delete(name);
      settings.push({ key: 'chain', text: 'true', place });
      if (chain.list('response')[0]?.at('code')?.value === 202) settings.push({ key: 'durable', text: 'true', place });
    }
    const policies = this.answers?.at('policies')?.at(`${kind} ${name}`);
    settings.push(...policySettings((key) => policies?.at(key), place));
    const page = this.answers?.at('schemas')?.at(`${kind} ${name}`)?.at(pageWord);
    if (page !== undefined) {
      const first = args.find((one) => one.name === 'first');
      const size = /(\d+)\.$/.exec(first?.description ?? '')?.[1];
      settings.push(pageSetting(size ?? '20', page.value === counted, place));
      if (size === undefined) this.draft.lose(place, `page of ${name}`, noPageSize);
    }
    return { settings, isPaged: page !== undefined };
  }

  /** The description of a request. In a collection of our own, it ends with sentences for the access and a deprecation. */
  #readDescription({ request }: CollectionRequest) {
    const text = textOf(request.at('description'));
    if (this.answers === undefined) return { description: text, tags: [], access: [] };
    const { description, tags } = splitDescription(text);
    const isRepeated = tags.some(({ name }, at) => tags.findIndex((tag) => tag.name === name) !== at);
    if (isRepeated) this.draft.lose(request, 'access', 'An edge has one list of roles and one owner.');
    return {
      description: givenDescription(description),
      tags: tags.filter(({ name }) => name === 'deprecated'),
      access: accessSettings(accessOfTags(tags), request.place),
    };
  }
}

/** The method and the path of a request over REST, without the names of arguments. */
function routeKey(request: CollectionRequest): string | undefined {
  if (isGraphql(request) || acceptsEvents(request.request)) return undefined;
  const path = urlOf(request.request)
    .segments.join('/')
    .replace(/\{[^{}]*\}/g, '{}');
  return `${request.request.text('method')?.toUpperCase() ?? 'GET'} ${path}`;
}

function isGraphql({ request }: CollectionRequest): boolean {
  return graphqlOf(request) !== undefined;
}

function isRequired({ auth }: CollectionRequest): boolean {
  const type = auth?.text('type');
  return type !== undefined && type !== 'noauth';
}
