import { ifGiven } from '../../../compiler/graph/maps.js';
import { type Draft, type DraftValue, nearestName } from '../draft/draft.js';
import type { JsonPlace } from '../draft/json-place.js';
import { addArgument, placesOfArguments, wholeBody } from '../draft/operation-edge.js';
import type { References } from './references.js';
import { otherMembers, shapeOf } from './schema-parts.js';
import { pascal, type SchemaTypes } from './schema-types.js';
import type { UnreadWords } from './unread-words.js';
import { deprecatedTags, exampleTags } from './value-tags.js';

export interface RestDocument {
  readonly root: JsonPlace;
  readonly draft: Draft;
  readonly references: References;
  readonly types: SchemaTypes;
  readonly words: UnreadWords;
}

export interface RestOperation {
  readonly method: string;
  readonly path: string;
  readonly item: JsonPlace;
  readonly place: JsonPlace;
  readonly kind: 'query' | 'mutation';
  readonly name: string;
  readonly subject: string;
}

/** Reads the parameters and the body of an operation as arguments, and its route if it is not the default one. */
export function readArguments(document: RestDocument, operation: RestOperation) {
  const { draft } = document;
  const values = new Map<string, DraftValue>();
  const renamed = new Map<string, string>();
  for (const parameter of parametersOf(document, operation)) {
    const value = readParameter(document, parameter, operation);
    if (value === undefined) continue;
    if (parameter.text('in') === 'path') renamed.set(parameter.text('name') ?? '', value.name);
    addArgument(draft, values, value, operation.subject);
  }
  for (const value of readBody(document, operation)) addArgument(draft, values, value, operation.subject);
  return { values: [...values.values()], route: routeOf(document, operation, renamed, values) };
}

/** The parameters of the operation, then those of the path that it does not replace. */
function parametersOf({ references }: RestDocument, { item, place }: RestOperation): readonly JsonPlace[] {
  const found = new Map<string, JsonPlace>();
  for (const given of [...place.list('parameters'), ...item.list('parameters')]) {
    const parameter = references.resolve(given);
    if (parameter === undefined) continue;
    const key = `${parameter.text('in')} ${parameter.text('name')}`;
    if (!found.has(key)) found.set(key, parameter);
  }
  return [...found.values()];
}

function readParameter(
  { draft, words, types }: RestDocument,
  parameter: JsonPlace,
  { method, name: operation, subject }: RestOperation,
): DraftValue | undefined {
  const given = parameter.text('name') ?? '';
  const place = parameter.text('in');
  if (place !== 'path' && place !== 'query')
    return draft.loseOnce(parameter, `${place} parameter ${given}`, placesOfArguments);
  const shown = `parameter ${given} of ${operation}`;
  const schema = parameter.at('schema') ?? jsonSchema(parameter, draft, shown);
  if (schema === undefined) return draft.lose(parameter, shown, 'It has no schema.');
  words.report('parameter', parameter, shown);
  words.reportContent(parameter, shown);
  const isRequired = place === 'path' || parameter.flag('required');
  const hint = `${pascal(operation)}${pascal(given)}`;
  const value = types.valueOf(given, schema, { of: subject, use: 'input', isRequired, hint });
  if (value === undefined) return undefined;
  if (place === 'query' && method !== 'GET' && method !== 'DELETE')
    draft.loseOnce(parameter, `query ${shown}`, 'It moves into the JSON of the body.');
  const style = parameter.text('style') ?? 'form';
  const isJoined = parameter.has('explode') && !parameter.flag('explode') && value.type.startsWith('[');
  if (place === 'query' && (isJoined || !['form', 'deepObject'].includes(style))) {
    draft.lose(parameter, `style of ${given} of ${operation}`, 'Lists are repeated parameters: `a=1&a=2`.');
  }
  if (place === 'path' && parameter.has('style') && style !== 'simple')
    draft.lose(parameter, `style of ${given} of ${operation}`, 'A path segment is the plain value.');
  const tags = [...(value.tags ?? []), ...deprecatedTags(parameter), ...exampleTags(parameter)];
  const byText = new Map(tags.map((tag) => [`${tag.name} ${tag.text}`, tag]));
  const description = parameter.text('description') ?? value.description;
  return { ...value, description, tags: [...byText.values()] };
}

function readBody(
  { draft, words, types, references }: RestDocument,
  { method, place, name, subject }: RestOperation,
): readonly DraftValue[] {
  const declared = place.at('requestBody');
  const body = declared && references.resolve(declared);
  if (body === undefined) return [];
  const shown = `body of ${name}`;
  words.report('requestBody', body, shown);
  words.reportContent(body, shown);
  if (method === 'GET') {
    draft.lose(body, shown, 'A GET has no body.');
    return [];
  }
  if (method === 'DELETE') draft.lose(body, shown, 'The arguments of a DELETE are in its query string.');
  const schema = jsonSchema(body, draft, shown);
  const resolved = schema && references.resolve(schema);
  if (schema === undefined || resolved === undefined) {
    draft.lose(body, shown, 'It is not JSON with a schema.');
    return [];
  }
  let open = resolved;
  let { shape } = shapeOf(open, references);
  for (let hops = 0; shape.kind === 'same' && hops < 32; hops++) {
    open = references.resolve(shape.as) ?? open;
    shape = shapeOf(open, references).shape;
  }
  words.addSchema(open, shown);
  // The members of the body are the arguments, so that callers send the JSON of the document.
  if (shape.kind === 'object') {
    words.take(open, 'additionalProperties');
    if (shape.parts.others !== undefined) draft.loseOnce(open, shown, otherMembers);
    return types.fieldsOf(shape.parts, subject, 'input', pascal(name));
  }
  const isRequired = body.flag('required');
  const hint = `${pascal(name)}Body`;
  const value = types.valueOf('body', schema, { of: subject, use: 'input', isRequired, hint });
  draft.lose(resolved, shown, wholeBody);
  return ifGiven(value, (given) => given);
}

function routeOf(
  { draft }: RestDocument,
  { method, path, name, kind, place }: RestOperation,
  renamed: ReadonlyMap<string, string>,
  values: ReadonlyMap<string, DraftValue>,
): string | undefined {
  const route = path.replace(/\{([^{}]*)\}/g, (_, parameter: string) => {
    const argument = renamed.get(parameter) ?? nearestName(parameter);
    return values.has(argument ?? '') ? `{${argument}}` : '{}';
  });
  const isPlain = route.startsWith('/') && !/['"\\\s]/.test(route);
  if (!isPlain || route.includes('{}')) {
    const reason = isPlain
      ? 'The document does not declare each parameter of the path.'
      : 'Routes cannot have this path.';
    return draft.lose(place, `route ${method} ${path}`, `${reason} The operation has the default route.`);
  }
  return route === `/api/${name}` && method === (kind === 'query' ? 'GET' : 'POST')
    ? undefined
    : `${method} ${route}`;
}

/** The schema of a JSON body; undefined, and perhaps reported, if there is none. */
export function jsonSchema(body: JsonPlace, draft: Draft, subject: string): JsonPlace | undefined {
  const types = body.entries('content');
  const isJson = (type: string) =>
    /^application\/(?:json|[\w.+-]*\+json)(?:;|$)/.test(type) || type === '*/*';
  const [type, media] = types.find(([name]) => isJson(name)) ?? types[0] ?? [];
  if (type === undefined || media === undefined) return undefined;
  if (!isJson(type)) draft.lose(media, `${type} of ${subject}`, 'The server reads and writes JSON.');
  const isForm = type === 'application/x-www-form-urlencoded' || type === 'multipart/form-data';
  return isJson(type) || isForm ? media.at('schema') : undefined;
}
