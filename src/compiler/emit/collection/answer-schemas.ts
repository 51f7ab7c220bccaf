import type { Selection } from '../../api/selection.js';
import { nullable, type TypeRef } from '../../graph/type-ref.js';
import type { GqlField, GqlSchema } from '../../schema/gql-schema.js';
import { namedType, objectFields } from '../../schema/schema-index.js';
import { flat } from '../text/text-collector.js';

/**
 * Collects the JSON Schemas (draft 7, as Postman's) of selections as text, each defined once.
 *
 * @param prefix - Precedes the names of the definitions.
 */
export function collectAnswerSchemas(schema: GqlSchema, prefix = '') {
  const names = new Map<Selection, string>();
  /** The names of the definitions of each type: the deeper an object is nested, the fewer of its fields are selected. */
  const variants = new Map<string, readonly string[]>();
  const texts = new Map<string, string>();

  const members = (given: TypeRef, selection: Selection | undefined): string => {
    const isNullable = given.kind !== 'nonNull';
    const type = nullable(given);
    const typed = (name: string) => (isNullable ? `"type":["${name}","null"]` : `"type":"${name}"`);
    if (type.kind === 'list') return `${typed('array')},"items":{${members(type.of, selection)}}`;
    let reference = '';
    if (selection !== undefined) reference = `"$ref":"#/definitions/${define(selection)}"`;
    else {
      const found = namedType(schema, type.name);
      if (found.kind === 'builtin') return typed(String(found.wire.jsonSchema.type));
      if (found.kind !== 'enum') return isNullable ? '' : '"not":{"type":"null"}';
      const name = prefix + type.name;
      const { values, spellings } = found.type;
      const more = spellings === undefined ? '' : `,"x-spellings":${JSON.stringify(spellings)}`;
      if (!texts.has(name)) texts.set(name, `{"enum":${JSON.stringify(values)}${more}}`);
      reference = `"$ref":"#/definitions/${name}"`;
    }
    // A reference cannot allow null.
    return isNullable ? `"anyOf":[{${reference}},{"type":"null"}]` : reference;
  };
  const define = (selection: Selection): string => {
    const known = names.get(selection);
    if (known !== undefined) return known;
    // Nested objects are defined first, so that equal definitions have equal texts.
    const text = flat(selection.members.length > 0 ? unionText(selection) : objectText(selection, noAliases));
    const alike = variants.get(selection.type) ?? [];
    let name = alike.find((variant) => texts.get(variant) === text);
    if (name === undefined) {
      // GraphQL names contain no dot.
      name = prefix + (alike.length === 0 ? selection.type : `${selection.type}.${alike.length + 1}`);
      texts.set(name, text);
      variants.set(selection.type, [...alike, name]);
    }
    names.set(selection, name);
    return name;
  };
  const objectText = ({ type, typename, fields }: Selection, aliases: ReadonlyMap<string, string>): string => {
    const all = objectFields(schema, type);
    let at = 0;
    let properties = typename ? `"__typename":{"const":"${type}"}` : '';
    let required = typename ? '"__typename"' : '';
    for (const { name, selection } of fields) {
      // A selection keeps the order of the fields.
      while (all[at]?.name !== name) at++;
      // GraphQL returns such a field under an alias, and from the 21st on not at all.
      if (aliases.has(name)) continue;
      const comma = required === '' ? '' : ',';
      properties += `${comma}"${name}":{${members((all[at] as GqlField).type, selection)}}`;
      required += `${comma}"${name}"`;
    }
    return `{"type":"object","required":[${required}],"properties":{${properties}}}`;
  };
  const unionText = ({ members: options }: Selection): string => {
    const texts = options.map(({ selection, aliases }) => {
      const typename = `"properties":{"__typename":{"const":"${selection.type}"}},"required":["__typename"]`;
      const rest =
        aliases.size === 0 ? `{"$ref":"#/definitions/${define(selection)}"}` : objectText(selection, aliases);
      return `{${typename},"allOf":[${rest}]}`;
    });
    return `{"anyOf":[${texts}]}`;
  };

  return {
    /** The members of the schema of a result, as JSON without braces; all definitions it refers to exist by then. */
    membersFor: members,
    /** The definitions, by their names. */
    texts: texts as ReadonlyMap<string, string>,
  };
}

const noAliases: ReadonlyMap<string, string> = new Map();
