import type { Selection } from '../../api/selection.js';
import type { TypeRef } from '../../graph/type-ref.js';
import type { GqlField, GqlSchema } from '../../schema/gql-schema.js';
import { namedType } from '../../schema/schema-index.js';
import { flat } from '../text/flat.js';

/** The JSON Schemas of answers. */
export interface AnswerSchemas {
  /** The members of the schema of a result, as JSON without braces; what it refers to is defined by then. */
  membersFor(type: TypeRef, selection: Selection | undefined): string;
  /** All definitions that were referred to, as JSON. */
  definitions(): string;
}

/**
 * Collects the JSON Schemas (draft 7, which Postman checks by) of what requests select: an object of a
 * certain depth is defined once, whichever requests answer it. All that is selected has to be there. They
 * are made as text, because text is what a collection holds them as.
 */
export function collectAnswerSchemas(schema: GqlSchema): AnswerSchemas {
  const names = new Map<Selection, string>();
  /** The names of the definitions of each type: an answer holds less of it the deeper it is in there. */
  const variants = new Map<string, readonly string[]>();
  const texts = new Map<string, string>();

  /** The schema of one value that is not null, as members. */
  const bareMembers = (type: TypeRef, selection: Selection | undefined): string => {
    if (type.kind === 'nonNull') return bareMembers(type.of, selection);
    if (type.kind === 'list') return `"type":"array","items":{${members(type.of, selection)}}`;
    if (selection !== undefined) return `"$ref":"#/definitions/${define(selection)}"`;
    const found = namedType(schema, type.name);
    if (found.kind === 'builtin') return `"type":"${found.wire.jsonSchema.type}"`;
    if (found.kind !== 'enum') return '"not":{"type":"null"}';
    if (!texts.has(type.name)) texts.set(type.name, `{"enum":${JSON.stringify(found.type.values)}}`);
    return `"$ref":"#/definitions/${type.name}"`;
  };
  const members = (type: TypeRef, selection: Selection | undefined): string => {
    if (type.kind === 'nonNull') return bareMembers(type.of, selection);
    if (type.kind === 'list') return `"type":["array","null"],"items":{${members(type.of, selection)}}`;
    if (selection === undefined) {
      const found = namedType(schema, type.name);
      if (found.kind === 'builtin') return `"type":["${found.wire.jsonSchema.type}","null"]`;
      if (found.kind === 'scalar') return '';
    }
    // A reference has no place for null.
    return `"anyOf":[{${bareMembers(type, selection)}},{"type":"null"}]`;
  };
  const define = (selection: Selection): string => {
    const known = names.get(selection);
    if (known !== undefined) return known;
    // What lies deeper is defined first, so that equal definitions are found to be equal by their texts.
    const text = flat(selection.members.length > 0 ? unionText(selection) : objectText(selection, noAliases));
    const alike = variants.get(selection.type) ?? [];
    let name = alike.find((variant) => texts.get(variant) === text);
    if (name === undefined) {
      // No GraphQL name has a dot.
      name = alike.length === 0 ? selection.type : `${selection.type}.${alike.length + 1}`;
      texts.set(name, text);
      variants.set(selection.type, [...alike, name]);
    }
    names.set(selection, name);
    return name;
  };
  const objectText = (
    { type, typename, fields }: Selection,
    aliases: ReadonlyMap<string, string>,
  ): string => {
    const all = fieldsOf(schema, type);
    let at = 0;
    let properties = typename ? `"__typename":{"const":"${type}"}` : '';
    let required = typename ? '"__typename"' : '';
    for (const { name, selection } of fields) {
      // A selection keeps the order of the fields.
      while (all[at]?.name !== name) at++;
      // GraphQL answers such a field under another name, and from the 21st on not at all.
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
    membersFor: members,
    definitions: () => `{${[...texts].map(([name, text]) => `"${name}":${text}`)}}`,
  };
}

const noAliases: ReadonlyMap<string, string> = new Map();

function fieldsOf(schema: GqlSchema, name: string): readonly GqlField[] {
  const found = namedType(schema, name);
  return found.kind === 'object' ? found.type.fields : [];
}
