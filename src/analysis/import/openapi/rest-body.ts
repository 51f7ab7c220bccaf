import { JsonPlace } from '../../../base/source/json-place.js';
import { ifGiven } from '../../../compiler/graph/maps.js';
import type { DraftValue } from '../draft/draft.js';
import { singleFile, wholeBody } from '../draft/operation-edge.js';
import { formType, hasMembers, type Media, mediaOf, onlyJson, reportMedia } from './media-types.js';
import type { References } from './references.js';
import type { RestBody, RestDocument, RestOperation } from './rest-document.js';
import { fileFormat, type ObjectParts, otherMembers, partsOf, shapeOf } from './schema-parts.js';
import { pascal } from './schema-types.js';

/** Chooses what is imported of a body: its JSON with the files of its form, else the form, else its bytes. */
export function bodyOf(operation: JsonPlace, method: string, references: References): RestBody | undefined {
  const declared = operation.at('requestBody');
  const place = declared && references.resolve(declared);
  if (place === undefined) return undefined;
  const [media, ...others] = mediaOf(place);
  if (media === undefined || method === 'GET' || method === 'DELETE') return { place, media, others, files: new Map() };
  if (!hasMembers(media)) return { place, media, others, files: new Map([['body', media.place]]) };
  const forms = [media, ...others].filter(({ type }) => formType.test(type));
  return { place, media, others, files: new Map(forms.flatMap((form) => filesOf(form, references))) };
}

function filesOf({ place }: Media, references: References): readonly (readonly [string, JsonPlace])[] {
  const schema = place.at('schema');
  const parts = schema && membersOf(open(schema, references), references);
  return [...(parts?.properties ?? [])].filter(([name, property]) => {
    const contentType = place.at('encoding')?.at(name)?.text('contentType') ?? '';
    const found = open(property, references);
    const items = found.shape.kind === 'list' ? found.shape.items : undefined;
    return isBytes(items ? open(items, references).schema : found.schema, contentType);
  });
}

/** Whether a part of a form is a file (OpenAPI 3.1, section 4.8.14.2; 3.0, section 4.7.14.2). */
function isBytes(schema: JsonPlace, contentType: string): boolean {
  const media = schema.text('contentMediaType') ?? (schema.has('type') ? '' : contentType);
  const isNamed = media !== '' && !/^text\/plain|[/+]json/.test(media) && !schema.has('properties');
  return schema.text('format') === 'binary' || (isNamed && !schema.has('contentEncoding'));
}

/** A schema behind references and choices with one option. */
function open(from: JsonPlace, references: References) {
  let schema = references.resolve(from) ?? from;
  let { shape } = shapeOf(schema, references);
  for (let hops = 0; shape.kind === 'same' && hops < 32; hops++) {
    schema = references.resolve(shape.as) ?? schema;
    shape = shapeOf(schema, references).shape;
  }
  return { schema, shape };
}

/** The members of a schema that is an object, or a choice that has objects among its options. */
function membersOf({ schema, shape }: ReturnType<typeof open>, references: References) {
  if (shape.kind === 'choice') return partsOf(schema, references);
  return shape.kind === 'object' ? shape.parts : undefined;
}

/** Reads the body of an operation as arguments: its members, or itself. */
export function readBody(document: RestDocument, operation: RestOperation): readonly DraftValue[] {
  const { draft, words, types, references } = document;
  const { method, name, subject, body } = operation;
  if (body === undefined) return [];
  const { place, media, others, files } = body;
  const shown = `body of ${name}`;
  words.report('requestBody', place, shown);
  words.reportContent(place, shown);
  if (method === 'GET') {
    draft.lose(place, shown, 'A GET has no body.');
    return [];
  }
  if (method === 'DELETE') draft.lose(place, shown, 'The arguments of a DELETE are in its query string.');
  const given = media?.place.at('schema');
  const isRead = media !== undefined && hasMembers(media) && given && references.resolve(given) !== undefined;
  const opened = isRead ? open(given, references) : undefined;
  // The members of the body are the arguments, so that callers send the JSON of the document.
  const parts = opened && membersOf(opened, references);
  const hasMany = parts !== undefined && parts.properties.size > 0;
  if (media !== undefined) {
    const isMerged = hasMany && media.isJson && files.size > 0;
    const lost = others.filter(({ type }) => !isMerged || !formType.test(type));
    reportMedia(draft, lost, media, shown);
    const isForm = !media.isJson && hasMembers(media);
    if (isForm && files.size === 0) draft.lose(media.place, `${media.type} of ${shown}`, onlyJson);
  }
  const isRequired = place.flag('required');
  const whole = (schema: JsonPlace) =>
    types.valueOf('body', schema, { of: subject, use: 'input', isRequired, hint: `${pascal(name)}Body` });
  if (media !== undefined && files.has('body') && !hasMembers(media)) {
    draft.lose(media.place, `${media.type} of ${shown}`, oneFile);
    return ifGiven(whole(fileAt(given ?? media.place, references)), (value) => value);
  }
  if (opened === undefined) {
    draft.lose(place, shown, 'It is not JSON with a schema.');
    return [];
  }
  const { schema, shape } = opened;
  words.addSchema(schema, shown);
  if (hasMany) {
    words.take(schema, 'additionalProperties');
    if (parts.others !== undefined) draft.loseOnce(schema, shown, otherMembers);
    if (shape.kind === 'choice') draft.lose(schema, shown, oneListOfMembers);
    return types.fieldsOf(withFiles(document, operation, parts, body), subject, 'input', pascal(name));
  }
  draft.lose(schema, shown, wholeBody);
  return ifGiven(whole(given as JsonPlace), (value) => value);
}

/** The members with the files among them. A form has several files only if it requires each (GG3097). */
function withFiles(
  { draft, references }: RestDocument,
  { name }: RestOperation,
  parts: ObjectParts,
  { media, files }: RestBody,
): ObjectParts {
  const properties = new Map(parts.properties);
  const own = [...files].filter(([file]) => media?.isJson !== true || !properties.has(file));
  const required = own.filter(([file]) => parts.required.has(file));
  const kept = new Set((required.length > 0 ? required : own.slice(0, 1)).map(([file]) => file));
  for (const [file, schema] of files) {
    const shown = `file ${file} of ${name}`;
    const isText = media?.isJson === true && properties.has(file);
    if (!kept.has(file)) {
      if (!isText) properties.delete(file);
      draft.lose(schema, shown, isText ? 'Its JSON has a member of this name.' : severalFiles);
      continue;
    }
    const { shape } = open(schema, references);
    if (shape.kind === 'list') draft.lose(schema, shown, singleFile);
    properties.set(file, fileAt(schema, references));
  }
  return { ...parts, properties };
}

/** The schema of a file, whose bytes have no other type. */
function fileAt(from: JsonPlace, references: References): JsonPlace {
  const { schema, shape } = open(from, references);
  const { pointer } = shape.kind === 'list' && shape.items ? open(shape.items, references).schema : schema;
  const description = from.text('description') ?? schema.text('description');
  return new JsonPlace({ type: 'string', format: fileFormat, description }, pointer);
}

const oneFile = 'Files arrive in forms, so callers send it as the part “body”.';
const severalFiles = 'The server takes several files only if each is required.';
const oneListOfMembers =
  'Its options that are objects become one list of members, which are required if all of them require them.';
