import type { JsonPlace } from '../../base/source/json-place.js';
import { graphqlOf } from './collection/graphql-form.js';
import { jsonOf, listRequests, urlOf } from './collection/requests.js';
import { acceptsEvents } from './collection/rest-request.js';
import { Draft } from './draft/draft.js';
import { hasMembers, mediaOf } from './openapi/media-types.js';
import { References } from './openapi/references.js';

/** One call that a description shows: a request, its response, or both. */
export interface SourceExample {
  /** Its place in the description: a JSON Pointer as a fragment. */
  readonly place: string;
  readonly method: string;
  /** The path, with the parameters in braces. */
  readonly path: string;
  /** The values of the parameters of the path and the query string, as far as there are examples. */
  readonly values: ReadonlyMap<string, unknown>;
  /** The values of headers, by their lower-case names; absent without any. */
  readonly headers?: ReadonlyMap<string, unknown>;
  /** The JSON body; absent without an example. */
  readonly body?: { readonly value: unknown };
  /** The JSON of the response; absent without an example. A part of it if the request may have selected fields. */
  readonly answer?: { readonly value: unknown; readonly isPart?: boolean };
}

/** The calls that an OpenAPI document shows, by the examples of its parameters, bodies and responses. */
export function openApiExamples(root: JsonPlace): readonly SourceExample[] {
  const references = new References(root, new Draft());
  const resolve = (place: JsonPlace | undefined) => place && references.resolve(place);
  /** The examples of a parameter or a media type: its own, or else those of its schema. */
  const examplesAt = (place: JsonPlace | undefined): readonly { readonly value: unknown }[] => {
    const own = place?.at('example');
    if (own !== undefined) return [own];
    const named = place?.entries('examples').flatMap(([, one]) => resolve(one)?.at('value') ?? []) ?? [];
    if (named.length > 0) return named;
    const schema = resolve(place?.at('schema'));
    const inSchema = schema?.at('example');
    return inSchema === undefined ? (schema?.list('examples') ?? []) : [inSchema];
  };
  const jsonIn = (place: JsonPlace | undefined) =>
    place?.entries('content').find(([type]) => /[/+]json(?:;|$)/.test(type))?.[1];
  return root.entries('paths').flatMap(([path, given]) => {
    const item = resolve(given);
    return (item?.entries() ?? []).flatMap(([method, operation]): SourceExample[] => {
      if (!/^(?:get|post|put|patch|delete)$/.test(method)) return [];
      type Values = Map<string, readonly { readonly value: unknown }[]>;
      const [parameters, headers]: [Values, Values] = [new Map(), new Map()];
      for (const one of [...(item?.list('parameters') ?? []), ...operation.list('parameters')]) {
        const parameter = resolve(one);
        const name = parameter?.text('name');
        const isInHeader = parameter?.text('in') === 'header';
        if (name === undefined || (!isInHeader && !/^(?:path|query)$/.test(parameter?.text('in') ?? ''))) continue;
        if (isInHeader) headers.set(name.toLowerCase(), examplesAt(parameter));
        else parameters.set(name, examplesAt(parameter));
      }
      const sent = resolve(operation.at('requestBody'));
      const media = sent && mediaOf(sent).find(hasMembers);
      const bodies = examplesAt(media?.place);
      const [, success] = operation.entries('responses').find(([code]) => /^2/.test(code)) ?? [];
      const response = resolve(success);
      // A stream has no end.
      if (response?.at('content')?.has('text/event-stream') && jsonIn(response) === undefined) return [];
      const answers = examplesAt(jsonIn(response));
      const most = Math.max(
        bodies.length,
        answers.length,
        ...[...parameters.values(), ...headers.values()].map((all) => all.length),
      );
      return Array.from({ length: most }, (_, at) => {
        // An operation with three bodies and one response has three examples with that response.
        const nth = <Item>(all: readonly Item[]): Item | undefined => all[Math.min(at, all.length - 1)];
        const valuesOf = (given: Values) =>
          new Map(
            [...given].flatMap(([name, all]) => {
              const one = nth(all);
              return one === undefined ? [] : [[name, one.value] as const];
            }),
          );
        const [body, answer] = [nth(bodies), nth(answers)];
        // Requests do not contain the fragment of a URL.
        const [requested = ''] = path.split('#');
        return {
          ...{ place: operation.place, method: method.toUpperCase(), path: requested },
          values: valuesOf(parameters),
          ...(headers.size > 0 && { headers: valuesOf(headers) }),
          ...(body && { body: { value: body.value } }),
          ...(answer && { answer: { value: answer.value } }),
        };
      });
    });
  });
}

/** The calls of a collection over REST, each with its successful response. Variables have no values. */
export function collectionExamples(collection: JsonPlace): readonly SourceExample[] {
  return listRequests(collection, new Draft()).flatMap(({ request: shown, calls }) => {
    if (graphqlOf(shown) !== undefined || acceptsEvents(shown)) return [];
    const method = (shown.text('method') ?? 'GET').toUpperCase();
    const path = `/${urlOf(shown).segments.join('/')}`;
    return calls.map(({ request, response }): SourceExample => {
      const { query, variables } = urlOf(request);
      const inPath = variables.filter(({ key }) => path.includes(`{${key}}`));
      const values = [...inPath, ...query].filter(({ value }) => value !== '' && !value.includes('{{'));
      const body = request.at('body');
      const sent = body?.text('mode') === 'raw' ? jsonOf(body.text('raw')) : undefined;
      const answer = jsonOf(response?.text('body'));
      return {
        ...{ place: request.place, method, path },
        values: new Map(values.map(({ key, value }) => [key, value])),
        ...(sent !== undefined && { body: { value: sent } }),
        ...(answer !== undefined && { answer: { value: answer, isPart: true } }),
      };
    });
  });
}
