import type { JsonPlace } from '../../../base/source/json-place.js';
import { whyInvalidScope } from '../../../compiler/graph/access.js';
import { ifGiven } from '../../../compiler/graph/maps.js';
import { fileScalar } from '../../../compiler/graph/standard-scalars.js';
import { bareName, type Draft, type DraftSetting, type DraftTag, oneLine } from '../draft/draft.js';
import { accessSettings, addOperationEdges } from '../draft/operation-edge.js';
import { givenDescription } from '../draft/own-text.js';
import { readArguments } from './arguments.js';
import { jsonSchema } from './media-types.js';
import { addHeaderFields, isResultHeader, resultOfHeaders } from './response-headers.js';
import { bodyOf } from './rest-body.js';
import type { RestDocument, RestOperation } from './rest-document.js';
import { etagOf } from './rest-document.js';
import { pascal } from './schema-types.js';
import { deprecatedTags } from './value-tags.js';

export function addOperations(document: RestDocument): void {
  const { root, draft, types, words } = document;
  const operations = listOperations(document);
  if (operations.some(({ body }) => body !== undefined && body.files.size > 0)) draft.reserveTypeNames([fileScalar]);
  const read = operations.map((operation) => [operation, readResult(document, operation)] as const);
  types.readWaiting();
  const isSecured = operations.some(({ place }) => securityOf(root, place).some(asksForCredentials));
  for (const [operation, result] of read) {
    const { kind, name, place: json, subject } = operation;
    const { place } = json;
    words.report('operation', json, subject);
    if (result.response !== undefined) addHeaderFields(document, operation, result.response, result.type);
    const { values, route } = readArguments(document, operation);
    const to = types.idOf(bareName(result.type)) ?? draft.scalarTargetAt(place);
    const routes = ifGiven(route, (path) => ({ key: 'route', text: `'${path}'`, place }));
    const access = isSecured ? accessOf(draft, json, securityOf(root, json), name) : [];
    addOperationEdges(draft, {
      kind,
      name,
      sources: [[draft.sourceAt(place)]],
      to,
      result: result.type,
      settings: [...routes, ...result.settings, ...access],
      arguments: values,
      description: descriptionOf(json),
      tags: tagsOf(json),
      subject,
      place,
    });
    types.readWaiting();
  }
}

const methods: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete']);

function listOperations(document: RestDocument): readonly RestOperation[] {
  const { root, draft, references } = document;
  const operations: RestOperation[] = [];
  for (const [path, given] of root.entries('paths')) {
    if (path.startsWith('x-')) continue;
    const item = references.resolve(given);
    const [requested = ''] = path.split('#');
    if (requested !== path) draft.lose(given, `fragment of ${path}`, 'Requests do not contain the fragment of a URL.');
    for (const [key, place] of item?.entries() ?? []) {
      const method = key.toUpperCase();
      if (methods.has(key) && item !== undefined && place.isObject) {
        const kind = key === 'get' ? 'query' : 'mutation';
        const id = place.text('operationId');
        const wanted = id ?? `${key} ${path.replace(/\{/g, ' by ')}`;
        const name = draft.takeOperationName(kind, wanted, place.place, id !== undefined);
        for (const word of ['callbacks', 'servers', 'externalDocs'])
          if (place.has(word))
            draft.lose(`${place.place}/${word}`, `${word} of ${name}`, 'Topologies cannot express this.');
        operations.push({
          ...{ method, path: requested, item, place, kind, name, subject: `operation ${name}` },
          body: bodyOf(place, method, references),
          etag: etagOf(document, item, place, method),
        });
      } else if (['head', 'options', 'trace', 'query'].includes(key))
        draft.lose(place, `${method} ${path}`, 'Topologies have no operations with this method.');
      else if (key === 'servers')
        draft.lose(place, `servers of ${path}`, 'All routes of a topology are on one server.');
      else if (key !== 'parameters')
        draft.lose(place, `${key} of ${path}`, 'A topology describes operations, not paths.');
    }
  }
  return operations;
}

/**
 * The type of the result of an operation, the settings that follow from its responses, and the response whose headers are
 * not in the result yet.
 */
function readResult(document: RestDocument, operation: RestOperation) {
  const { method, place, name, kind, subject, etag } = operation;
  const { draft, references, types } = document;
  const responses = place.entries('responses').map(([code, response]) => [code, references.resolve(response)] as const);
  const found =
    responses.find(([code, response]) => /^2\d\d$/.test(code) && response?.has('content')) ??
    responses.find(([code]) => /^2/.test(code)) ??
    responses.find(
      ([code, response]) => code === 'default' && response?.has('content') === true && responses.length === 1,
    );
  const settings: DraftSetting[] = [];
  const set = (key: string, text: string) => settings.push({ key, text, place: place.place });
  const [code = '200', response] = found ?? [];
  const sent = response?.has('content') === false ? resultOfHeaders(response, references) : undefined;
  reportOthers(document, responses, code, operation);
  if (etag !== undefined) set('etag', etag);
  if (/^2\d\d$/.test(code) && code !== '200') set('status', code);
  const schema = sent ?? (response && jsonSchema(response, draft, `response ${code} of ${name}`));
  if (schema === undefined) {
    const reason = 'The document does not type it, so it is Boolean.';
    if (code !== '204' && code !== '205') draft.lose(response ?? place, `result of ${subject}`, reason);
    return { type: 'Boolean', settings, response: response?.has('content') ? response : undefined };
  }
  const read = types.read(schema, `${pascal(name)}Result`, 'output');
  const isAbsent = responses.some(([status]) => status === '404') && kind === 'query' && method === 'GET';
  if (isAbsent && !read.isNullable) set('null', '404');
  const type = read.isNullable || isAbsent ? read.type : `${read.type}!`;
  return { type, settings, response: sent === undefined ? response : undefined };
}

/** Reports the responses that the server does not send. */
function reportOthers(
  { draft, words }: RestDocument,
  responses: readonly (readonly [string, JsonPlace | undefined])[],
  success: string,
  { name, method, etag }: RestOperation,
): void {
  for (const [code, response] of responses) {
    if (response === undefined) continue;
    const description = response.at('description');
    if (description !== undefined && description.value !== '')
      draft.loseOnce(description, 'descriptions of responses', 'A topology describes types and operations.');
    words.reportContent(response, `response ${code} of ${name}`);
    for (const [header, place] of response.entries('headers')) {
      const isTag = /^etag$/i.test(header);
      const isField = isResultHeader(header);
      if (isTag ? etag !== undefined && method === 'GET' : isField && code === success) continue;
      const reason = isTag
        ? onlyReads
        : isField
          ? 'Only the successful response has it.'
          : 'The server sets it itself.';
      draft.loseOnce(place, `response header ${header}`, reason);
    }
    if (response.has('links'))
      draft.lose(`${response.place}/links`, `links of ${name}`, 'A topology derives them from types.');
    const content = response.at('content');
    if (code === success || content === undefined || content.has('application/problem+json')) continue;
    const isError = /^[45]|^default$/.test(code);
    const reason = isError
      ? 'The server answers errors as problem details (RFC 9457); declare it as a node with the label Problem.'
      : 'An operation has one successful response.';
    draft.loseOnce(response, isError ? 'error response' : `response ${code}`, reason);
  }
}

const onlyReads = 'Responses to GET have it, with “etag: true”.';

function descriptionOf(place: JsonPlace): string | undefined {
  const summary = place.text('summary');
  const description = givenDescription(place.text('description'));
  if (summary === undefined || description === undefined) return description ?? summary;
  return description.startsWith(summary) ? description : `${summary}\n\n${description}`;
}

function tagsOf(place: JsonPlace): readonly DraftTag[] {
  const names = [...new Set(place.texts('tags').map(oneLine))].filter((name) => name !== '');
  return [...names.map((text) => ({ name: 'tag', text })), ...deprecatedTags(place)];
}

/** The security requirements of an operation, of which callers meet one. */
function securityOf(root: JsonPlace, operation: JsonPlace): readonly JsonPlace[] {
  return (operation.has('security') ? operation : root).list('security');
}

function asksForCredentials(requirement: JsonPlace): boolean {
  return requirement.entries().length > 0;
}

export function accessOf(
  draft: Draft,
  operation: JsonPlace,
  requirements: readonly JsonPlace[],
  name: string,
): readonly DraftSetting[] {
  const { place } = operation;
  if (requirements.length === 0 || !requirements.every(asksForCredentials))
    return accessSettings({ auth: 'optional' }, place);
  const [first, ...others] = requirements.map((requirement) =>
    requirement.entries().flatMap(([scheme]) => requirement.texts(scheme)),
  );
  const scopes = [...new Set(first)];
  const isAlike = others.every(
    (other) => other.length === scopes.length && other.every((scope) => scopes.includes(scope)),
  );
  const unfit = scopes.find((scope) => whyInvalidScope(scope) !== undefined);
  if (isAlike && unfit === undefined) return accessSettings({ auth: 'required', scopes }, place);
  const reason = isAlike
    ? `“${unfit}” ${whyInvalidScope(unfit ?? '')}.`
    : 'A topology has one list of scopes for an operation; callers must authenticate.';
  draft.lose(operation, `scopes of ${name}`, reason);
  return accessSettings({ auth: 'required' }, place);
}
