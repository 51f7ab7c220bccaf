import { type DraftTag, type DraftValue, nearestName } from '../draft/draft.js';
import type { JsonPlace } from '../draft/json-place.js';
import { isTakenByEdges } from '../draft/operation-edge.js';
import { jsonSchema, type RestDocument, type RestOperation } from './rest-operation.js';
import { shapeOf } from './schema-parts.js';
import { pascal } from './schema-types.js';
import { deprecatedTags, exampleTags } from './value-tags.js';

/** The arguments of an operation, and its route if it is not the default one. */
interface RestArguments {
  readonly values: readonly DraftValue[];
  readonly route: string | undefined;
}

/** Reads the parameters and the body of an operation as arguments. */
export function readArguments(document: RestDocument, operation: RestOperation): RestArguments {
  const { draft } = document;
  const values = new Map<string, DraftValue>();
  const add = (value: DraftValue): void => {
    const subject = `argument ${value.name} of ${operation.subject}`;
    if (isTakenByEdges(draft, value, subject)) return;
    if (values.has(value.name)) draft.lose(value, subject, 'Another argument has this name.');
    else values.set(value.name, value);
  };
  const renamed = new Map<string, string>();
  for (const parameter of parametersOf(document, operation)) {
    const value = readParameter(document, parameter, operation);
    if (value === undefined) continue;
    if (parameter.text('in') === 'path') renamed.set(parameter.text('name') ?? '', value.name);
    add(value);
  }
  for (const value of readBody(document, operation)) add(value);
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
  if (place !== 'path' && place !== 'query') {
    draft.loseOnce(
      parameter,
      `${place} parameter ${given}`,
      'Arguments are in the path, the query string or the JSON of the body.',
    );
    return undefined;
  }
  const schema = parameter.at('schema') ?? jsonSchema(parameter, draft, `parameter ${given} of ${operation}`);
  if (schema === undefined) {
    draft.lose(parameter, `parameter ${given} of ${operation}`, 'It has no schema.');
    return undefined;
  }
  words.report('parameter', parameter, `parameter ${given} of ${operation}`);
  for (const [type, media] of parameter.entries('content'))
    words.report('mediaType', media, `${type} of parameter ${given} of ${operation}`);
  const isRequired = place === 'path' || parameter.flag('required');
  const value = types.valueOf(given, schema, {
    of: subject,
    use: 'input',
    isRequired,
    hint: `${pascal(operation)}${pascal(given)}`,
  });
  if (value === undefined) return undefined;
  if (place === 'query' && method !== 'GET' && method !== 'DELETE') {
    draft.loseOnce(
      parameter,
      `query parameter ${given} of ${operation}`,
      'It moves into the JSON of the body.',
    );
  }
  const style = parameter.text('style') ?? 'form';
  const isJoined = parameter.has('explode') && !parameter.flag('explode') && value.type.startsWith('[');
  if (place === 'query' && (isJoined || !['form', 'deepObject'].includes(style))) {
    draft.lose(parameter, `style of ${given} of ${operation}`, 'Lists are repeated parameters: `a=1&a=2`.');
  }
  if (place === 'path' && parameter.has('style') && style !== 'simple')
    draft.lose(parameter, `style of ${given} of ${operation}`, 'A path segment is the plain value.');
  const tags: readonly DraftTag[] = [
    ...(value.tags ?? []),
    ...deprecatedTags(parameter),
    ...exampleTags(parameter),
  ];
  return {
    ...value,
    description: parameter.text('description') ?? value.description,
    tags: withoutRepeats(tags),
  };
}

function readBody(
  { draft, words, types, references }: RestDocument,
  { method, place, name, subject }: RestOperation,
): readonly DraftValue[] {
  const given = place.at('requestBody');
  const body = given && references.resolve(given);
  if (body === undefined) return [];
  words.report('requestBody', body, `body of ${name}`);
  for (const [type, media] of body.entries('content'))
    words.report('mediaType', media, `${type} of body of ${name}`);
  if (method === 'GET') {
    draft.lose(body, `body of ${name}`, 'A GET has no body.');
    return [];
  }
  if (method === 'DELETE')
    draft.lose(body, `body of ${name}`, 'The arguments of a DELETE are in its query string.');
  const schema = jsonSchema(body, draft, `body of ${name}`);
  const resolved = schema && references.resolve(schema);
  if (schema === undefined || resolved === undefined) {
    draft.lose(body, `body of ${name}`, 'It is not JSON with a schema.');
    return [];
  }
  let open = resolved;
  let { shape } = shapeOf(open, references);
  for (let hops = 0; shape.kind === 'same' && hops < 32; hops++) {
    open = references.resolve(shape.as) ?? open;
    shape = shapeOf(open, references).shape;
  }
  words.addSchema(open, `body of ${name}`);
  // The members of the body are the arguments, so that callers send the JSON of the document.
  if (shape.kind === 'object') {
    words.take(open, 'additionalProperties');
    if (shape.parts.others !== undefined) {
      draft.loseOnce(
        open,
        `body of ${name}`,
        'Its additional members, which have arbitrary names, are left out.',
      );
    }
    return types.fieldsOf(shape.parts, subject, 'input', pascal(name));
  }
  const isRequired = body.flag('required');
  const value = types.valueOf('body', schema, {
    of: subject,
    use: 'input',
    isRequired,
    hint: `${pascal(name)}Body`,
  });
  draft.lose(
    resolved,
    `body of ${name}`,
    'It is not an object with members, so callers pass it as the member “body”.',
  );
  return value === undefined ? [] : [value];
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
    draft.lose(place, `route ${method} ${path}`, `${reason} The operation has the default route.`);
    return undefined;
  }
  return route === `/api/${name}` && method === (kind === 'query' ? 'GET' : 'POST')
    ? undefined
    : `${method} ${route}`;
}

function withoutRepeats(tags: readonly DraftTag[]): readonly DraftTag[] {
  const seen = new Set<string>();
  return tags.filter(({ name, text }) => {
    const key = `${name} ${text}`;
    return !seen.has(key) && seen.add(key);
  });
}
