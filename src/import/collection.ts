import { answersOf } from './collection/answers.js';
import { schemaOfExample } from './collection/example-schema.js';
import { GraphqlRequests } from './collection/graphql-request.js';
import { type CollectionRequest, jsonOf, listRequests, textOf } from './collection/requests.js';
import { readRestRequest } from './collection/rest-request.js';
import { Draft, type DraftSetting, type DraftValue } from './draft/draft.js';
import { EdgeEnds } from './draft/edge-ends.js';
import { JsonPlace } from './draft/json-place.js';
import { operationEdge } from './draft/operation-edge.js';
import { givenDescription } from './draft/own-text.js';
import { References } from './openapi/references.js';
import { pascal, SchemaTypes } from './openapi/schema-types.js';

/** One operation of a collection, from its requests over REST and GraphQL. */
interface CollectionOperation {
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly name: string;
  readonly request: CollectionRequest;
  arguments: readonly DraftValue[];
  settings: readonly DraftSetting[];
}

/** Imports a Postman collection of format 2.0 or 2.1. */
export function importCollection(collection: JsonPlace): Draft {
  const draft = new Draft();
  const answers = answersOf(collection);
  const types = new SchemaTypes(draft, new References(answers ?? collection, draft));
  const operations = new CollectionOperations(collection, draft, types, answers);
  for (const request of listRequests(collection, draft)) operations.add(request);
  operations.addEdges();
  types.readWaiting();
  types.addNodes();
  return draft;
}

class CollectionOperations {
  readonly #draft: Draft;
  readonly #types: SchemaTypes;
  readonly #answers: JsonPlace | undefined;
  readonly #graphql: GraphqlRequests;
  readonly #operations = new Map<string, CollectionOperation>();
  readonly #collection: JsonPlace;

  constructor(collection: JsonPlace, draft: Draft, types: SchemaTypes, answers: JsonPlace | undefined) {
    this.#draft = draft;
    this.#types = types;
    this.#answers = answers;
    this.#collection = collection;
    for (const place of [collection.at('info'), collection.at('variable')]) {
      if (place !== undefined)
        draft.lose(place.place, place.pointer.slice(1), 'A topology has neither a title nor variables.');
    }
    this.#graphql = new GraphqlRequests(draft, types, this.#knownTypes());
  }

  add(request: CollectionRequest): void {
    const { name, request: place } = request;
    const subject = `request ${name}`;
    const body = place.at('body');
    if (body?.text('mode') === 'graphql') {
      const content = body.at('graphql');
      const call = content && this.#graphql.read(content, subject);
      if (call !== undefined) this.#take(request, call.kind, call.name, call.arguments, []);
      return;
    }
    const read = readRestRequest(request, this.#draft, this.#types, this.#answers !== undefined);
    if (read !== undefined) this.#take(request, read.kind, read.name, read.arguments, read.settings);
  }

  addEdges(): void {
    const draft = this.#draft;
    const types = this.#types;
    const ends = new EdgeEnds(draft);
    const all = [...this.#operations.values()];
    const isSecured = this.#collection.has('auth') || all.some(({ request }) => isRequired(request));
    for (const { kind, name, request, arguments: args, settings } of all) {
      const { place } = request.request;
      const schema = this.#resultSchema(kind, name, request);
      const read =
        schema &&
        types.read(schema, kind === 'subscription' ? pascal(name) : `${pascal(name)}Result`, 'output');
      types.readWaiting();
      const base = read?.type.replace(/[[\]!]/g, '') ?? '';
      const result =
        read === undefined
          ? 'JSON'
          : `${read.type}${read.isNullable || this.#answers === undefined ? '' : '!'}`;
      const own = this.#ownSettings(kind, name, place);
      const auth = isSecured
        ? [{ key: 'auth', text: isRequired(request) ? "'required'" : "'optional'", place }]
        : [];
      draft.edges.push(
        operationEdge({
          kind,
          name,
          source: ends.source(place),
          to: types.idOf(base) ?? ends.scalarTarget(place),
          result,
          arguments: own.isPaged
            ? args.filter((one) => !/^(?:first|after|last|before)$/.test(one.name))
            : args,
          settings: [...settings, ...own.settings, ...auth],
          description: this.#descriptionOf(request),
          subject: `operation ${name}`,
          place,
        }),
      );
    }
  }

  /** The types of the responses, by the names that documents have for them and for their inputs. */
  #knownTypes(): ReadonlyMap<string, string> {
    const known = new Map<string, string>();
    for (const [name, definition] of this.#answers?.entries('definitions') ?? []) {
      const { type } = this.#types.read(definition, name, 'output');
      known.set(definition.has('properties') ? `${name}Input` : name, type);
    }
    this.#types.readWaiting();
    return known;
  }

  /** Our own collections have each operation twice, over REST and over GraphQL; others have requests of one kind. */
  #take(
    request: CollectionRequest,
    kind: CollectionOperation['kind'],
    wanted: string,
    args: readonly DraftValue[],
    settings: readonly DraftSetting[],
  ): void {
    const key = `${kind} ${wanted}`;
    const before = this.#answers === undefined ? undefined : this.#operations.get(key);
    if (before !== undefined) {
      before.arguments = args;
      return;
    }
    const name = this.#draft.takeOperationName(kind, wanted, request.request.place);
    this.#operations.set(this.#answers === undefined ? `${kind} ${name}` : key, {
      kind,
      name,
      request,
      arguments: args,
      settings,
    });
  }

  #resultSchema(
    kind: string,
    name: string,
    { item, request, name: shown }: CollectionRequest,
  ): JsonPlace | undefined {
    const isStream = kind === 'subscription';
    const schemas = isStream ? undefined : this.#answers?.at('schemas');
    if (schemas !== undefined) return schemas.at(`rest ${kind} ${name}`) ?? schemas.at(`${kind} ${name}`);
    for (const response of item.list('response')) {
      const text = response.text('body');
      const example = jsonOf(isStream ? /^data: ?(.*)$/m.exec(text ?? '')?.[1] : text);
      const code = response.at('code')?.value ?? 200;
      if (example === undefined || typeof code !== 'number' || code < 200 || code > 299) continue;
      const isGraphql = request.at('body')?.text('mode') === 'graphql';
      const body = new JsonPlace(example, `${response.pointer}/body`);
      const value = isGraphql ? body.at('data')?.at(name) : body;
      if (value !== undefined) return new JsonPlace(schemaOfExample(value.value), body.pointer);
    }
    this.#draft.lose(
      item.place,
      `result of ${shown}`,
      'There is no example of a response in JSON, so its type is JSON.',
    );
    return undefined;
  }

  /** The statuses and the pages that a collection of our own says. */
  #ownSettings(kind: string, name: string, place: string) {
    const settings: DraftSetting[] = [];
    const statuses = this.#answers?.at('statuses')?.at(`${kind} ${name}`)?.value;
    if (Array.isArray(statuses) && typeof statuses[1] === 'number') {
      settings.push({ key: 'null', text: String(statuses[1]), place });
    }
    const isPaged = this.#answers?.at('schemas')?.has(`rest ${kind} ${name}`) === true;
    if (isPaged) {
      settings.push({ key: 'page', text: '20', place });
      this.#draft.lose(place, `page of ${name}`, 'A collection does not say the number of items in a page.');
    }
    return { settings, isPaged };
  }

  #descriptionOf({ request }: CollectionRequest): string | undefined {
    const description = textOf(request.at('description'));
    return this.#answers === undefined ? description : givenDescription(description);
  }
}

function isRequired({ auth }: CollectionRequest): boolean {
  const type = auth?.text('type');
  return type !== undefined && type !== 'noauth';
}
