import { JsonPlace } from '../../../base/source/json-place.js';
import { isHeaderName, whyReservedHeader } from '../../../compiler/graph/header-names.js';
import { ifGiven } from '../../../compiler/graph/maps.js';
import { type DraftValue, nearestName } from '../draft/draft.js';
import { addArgument, placesOfArguments } from '../draft/operation-edge.js';
import { jsonSchema } from './media-types.js';
import { readBody } from './rest-body.js';
import { isCondition, parametersOf, type RestDocument, type RestOperation } from './rest-document.js';
import { isLarge, isScalarChoice } from './schema-parts.js';
import { pascal } from './schema-types.js';
import { deprecatedTags, exampleTags } from './value-tags.js';

/** Reads the parameters and the body of an operation as arguments, and its route if it is not the default one. */
export function readArguments(document: RestDocument, operation: RestOperation) {
  const { draft } = document;
  const { subject } = operation;
  const parameters = parametersOf(document, operation).flatMap((parameter) =>
    ifGiven(readParameter(document, parameter, operation), (value) => ({ parameter, value })),
  );
  const isInPath = ({ parameter }: (typeof parameters)[number]) => parameter.text('in') === 'path';
  const declared = parameters
    .filter(isInPath)
    .map(({ parameter, value }) => [parameter.text('name') ?? '', value] as const);
  const inPath = [...declared, ...undeclared(document, operation, declared)];
  const body = readBody(document, operation);
  const others = parameters.filter((one) => !isInPath(one)).map(({ value }) => value);
  // Requests do not have the names of arguments in the path, so that these give way.
  const named = new Map<string, DraftValue>();
  const names = new Map<DraftValue, string>();
  for (const value of [...body, ...others, ...inPath.map(([, one]) => one)])
    names.set(value, addArgument(draft, named, value, subject));
  const inOrder = new Set([...parameters.map(({ value }) => value), ...inPath.map(([, value]) => value), ...body]);
  const values = [...inOrder].map((value) => named.get(names.get(value) ?? '') ?? value);
  const renamed = new Map(inPath.map(([given, value]) => [given, names.get(value) ?? '']));
  return { values, route: routeOf(document, operation, renamed) };
}

/** The parameters of the path that the document does not declare. */
function undeclared(
  { draft }: RestDocument,
  { method, path, place }: RestOperation,
  declared: readonly (readonly [given: string, DraftValue])[],
): readonly (readonly [given: string, DraftValue])[] {
  const known = new Set(declared.map(([given]) => given));
  const found = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, given]) => given as string);
  return [...new Set(found)].flatMap((given) => {
    const name = nearestName(given);
    if (known.has(given) || name === undefined) return [];
    draft.lose(
      place,
      `parameter ${given} of ${method} ${path}`,
      'The document does not declare it, so it is a String.',
    );
    return [[given, { name, type: 'String!', place: place.place }] as const];
  });
}

function readParameter(
  { draft, words, types, references }: RestDocument,
  parameter: JsonPlace,
  { method, name: operation, subject, place: at, etag }: RestOperation,
): DraftValue | undefined {
  const given = parameter.text('name') ?? '';
  const place = parameter.text('in');
  const isRequired = place === 'path' || parameter.flag('required');
  const lose = (reason: string) =>
    isRequired
      ? draft.lose(at, `required ${place} parameter ${given} of ${operation}`, reason)
      : draft.loseOnce(parameter, `${place} parameter ${given}`, reason);
  const isInHeader = place === 'header' && isHeaderName(given);
  if (isInHeader && etag !== undefined && isCondition(given)) return undefined;
  const reserved = isInHeader ? whyReservedHeader(given) : undefined;
  if (reserved !== undefined) return lose(`${reserved}.`);
  if (place !== 'path' && place !== 'query' && !isInHeader) return lose(placesOfArguments);
  const shown = `parameter ${given} of ${operation}`;
  const declared = parameter.at('schema') ?? jsonSchema(parameter, draft, shown);
  if (declared === undefined) draft.lose(parameter, shown, 'It has no schema, so it is a String.');
  const isChoice = declared !== undefined && isScalarChoice(declared, references);
  if (isChoice) draft.lose(declared, shown, 'It has several types, so it is a String: URLs contain text.');
  const schema =
    declared === undefined || isChoice
      ? new JsonPlace({ type: 'string', description: declared?.text('description') }, (declared ?? parameter).pointer)
      : declared;
  words.report('parameter', parameter, shown);
  words.reportContent(parameter, shown);
  const hint = `${pascal(operation)}${pascal(given)}`;
  // Requests have the name of the header.
  const name = isInHeader ? (nearestName(given) ?? given) : given;
  const read = types.valueOf(name, schema, { of: subject, use: 'input', isRequired, hint });
  if (read === undefined) return undefined;
  if (isInHeader && (!types.isLeaf(read.type) || /^JSON/.test(read.type)))
    return lose('An argument in a header is a single value.');
  const isText = place === 'path' && (!types.isLeaf(read.type) || /^JSON/.test(read.type));
  if (isText) draft.lose(parameter, shown, 'A segment of a path is one value, so it is a String.');
  // The examples of a parameter are beside its schema.
  const isWide = /^Int!?$/.test(read.type) && isLarge(parameter);
  const value: DraftValue = isText
    ? { ...read, type: 'String!', fallback: undefined, tags: [] }
    : { ...read, type: isWide ? `Safe${read.type}` : read.type };
  if (place === 'query' && method !== 'GET' && method !== 'DELETE')
    draft.loseOnce(parameter, `query ${shown}`, 'It moves into the body.');
  const style = parameter.text('style') ?? 'form';
  const isJoined = parameter.has('explode') && !parameter.flag('explode') && value.type.startsWith('[');
  if (place === 'query' && (isJoined || !['form', 'deepObject'].includes(style)))
    draft.lose(parameter, `style of ${given} of ${operation}`, 'Lists are repeated parameters: `a=1&a=2`.');
  if (place === 'path' && parameter.has('style') && style !== 'simple')
    draft.lose(parameter, `style of ${given} of ${operation}`, 'A path segment is the plain value.');
  const tags = [
    ...(isInHeader ? [{ name: 'header', text: given }] : []),
    ...(value.tags ?? []),
    ...deprecatedTags(parameter),
    ...exampleTags(parameter, types.enumName(value.type)),
  ];
  const byText = new Map(tags.map((tag) => [`${tag.name} ${tag.text}`, tag]));
  const description = parameter.text('description') ?? value.description;
  return { ...value, description, tags: [...byText.values()] };
}

function routeOf(
  { draft }: RestDocument,
  { method, path, name, kind, place }: RestOperation,
  renamed: ReadonlyMap<string, string>,
): string | undefined {
  const route = path.replace(/\{([^{}]*)\}/g, (_, parameter: string) => `{${renamed.get(parameter) ?? ''}}`);
  if (!route.startsWith('/') || /['"\\\s]/.test(route) || route.includes('{}')) {
    const reason = 'Routes cannot have this path. The operation has the default route.';
    return draft.lose(place, `route ${method} ${path}`, reason);
  }
  return route === `/api/${name}` && method === (kind === 'query' ? 'GET' : 'POST') ? undefined : `${method} ${route}`;
}
