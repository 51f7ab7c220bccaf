import {
  type ConstDirectiveNode,
  type ConstValueNode,
  type InputValueDefinitionNode,
  Kind,
  type TypeNode,
} from 'graphql';
import { type Access, accessOf } from '../../../compiler/graph/access.js';
import { constraintTags } from '../../../compiler/graph/doc-tags.js';
import { oneLine } from '../draft/doc-text.js';
import {
  type Draft,
  type DraftSetting,
  type DraftTag,
  type DraftValue,
  nearestName,
} from '../draft/draft.js';
import { accessSettings as draftAccess } from '../draft/operation-edge.js';
import { quoteText } from '../draft/write-draft.js';
import { knownDirectives, lineAndColumn, type TypeDefinition } from './type-definitions.js';

/** The name of a type in the topology; undefined for an unknown type. */
export type TypeNames = (name: string) => string | undefined;

/** An argument or a field of an input; undefined, and reported, if a topology cannot express it. */
export function inputValueOf(
  draft: Draft,
  {
    name: { value: name },
    type,
    defaultValue,
    description,
    directives = [],
    ...node
  }: InputValueDefinitionNode,
  names: TypeNames,
  of: string,
): DraftValue | undefined {
  const place = lineAndColumn(node);
  const written = typeText(type, names);
  if (written === undefined) {
    draft.lose(place, `${name} of ${of}`, `There is no input type ${baseOf(type)}.`);
    return undefined;
  }
  if (nearestName(name) !== name) {
    draft.lose(place, `${name} of ${of}`, 'Fields cannot have this name.');
    return undefined;
  }
  const fallback = defaultValue === undefined ? undefined : constantText(defaultValue);
  if (defaultValue !== undefined && fallback === undefined) {
    draft.lose(place, `default of ${name} of ${of}`, 'Topologies cannot express a default of this form.');
  }
  return {
    name,
    type: written,
    description: description?.value,
    tags: tagsOf(draft, directives, `${name} of ${of}`),
    fallback,
    place,
  };
}

/** A type with the names of the topology; undefined for an unknown one. */
export function typeText(type: TypeNode, names: TypeNames): string | undefined {
  if (type.kind === Kind.NON_NULL_TYPE) {
    const of = typeText(type.type, names);
    return of && `${of}!`;
  }
  if (type.kind === Kind.LIST_TYPE) {
    const of = typeText(type.type, names);
    return of && `[${of}]`;
  }
  return names(type.name.value);
}

/** The innermost name of a type. */
export function baseOf(type: TypeNode): string {
  let inner = type;
  while (inner.kind !== Kind.NAMED_TYPE) inner = inner.type;
  return inner.name.value;
}

/** A constant as a topology writes it; undefined for objects, and for texts that topologies cannot quote. */
export function constantText(value: ConstValueNode): string | undefined {
  switch (value.kind) {
    case Kind.STRING:
      return quoteText(value.value);
    case Kind.BOOLEAN:
      return String(value.value);
    case Kind.NULL:
      return 'null';
    case Kind.LIST: {
      const items = value.values.map(constantText);
      return items.includes(undefined) ? undefined : `[${items.join(', ')}]`;
    }
    case Kind.OBJECT:
      return undefined;
    default:
      return value.value;
  }
}

/** The text of an argument of a directive. */
export function argumentText(directive: ConstDirectiveNode, name: string): string | undefined {
  const value = argumentOf(directive, name);
  return value?.kind === Kind.STRING ? value.value : undefined;
}

/** The id of the node that a type of our own comes from. */
export function nodeIdFrom({ directives }: Pick<TypeDefinition, 'directives'>): string | undefined {
  const node = directives.find(({ name }) => name.value === 'node');
  const id = node && argumentText(node, 'id');
  return id !== undefined && /^\w+$/.test(id) ? id : undefined;
}

function argumentOf(directive: ConstDirectiveNode, name: string): ConstValueNode | undefined {
  return directive.arguments?.find((argument) => argument.name.value === name)?.value;
}

/** The tags for directives. A directive without a tag is reported at its first place. */
export function tagsOf(
  draft: Draft,
  directives: readonly ConstDirectiveNode[],
  subject: string,
): readonly DraftTag[] {
  return directives.flatMap((directive): DraftTag[] => {
    const { value: name } = directive.name;
    if (name === 'deprecated') return [{ name, text: oneLine(argumentText(directive, 'reason') ?? '') }];
    if (name === 'constraint') return constraintTagsOf(draft, directive, subject);
    if (name === 'auth') {
      const { auth = 'required', owner, open: _, ...lists } = accessOfDirective(directive);
      const tags = Object.entries(lists).map(([key, names]) => ({
        name: key,
        text: (names as string[]).join(' '),
      }));
      if (owner !== undefined) tags.push({ name: 'owner', text: owner });
      return tags.length > 0 ? tags : [{ name: 'auth', text: auth }];
    }
    if (!knownDirectives.has(name))
      draft.loseOnce(lineAndColumn(directive), `@${name}`, 'Topologies cannot declare directives.');
    return [];
  });
}

/** The settings of an edge for the directives of its operation. */
export function accessSettings(
  directives: readonly ConstDirectiveNode[],
  place: string,
): readonly DraftSetting[] {
  const directive = directives.find(({ name }) => name.value === 'auth');
  const open = directives.find(({ name }) => name.value === 'open');
  const reason = open && argumentText(open, 'reason');
  const access = directive && accessOfDirective(directive);
  return draftAccess(accessOf({ ...access, open: reason }), place);
}

function accessOfDirective(directive: ConstDirectiveNode): Access {
  const optional = argumentOf(directive, 'optional');
  return accessOf({
    auth: optional?.kind === Kind.BOOLEAN && optional.value ? 'optional' : 'required',
    scopes: textsOf(directive, 'scopes'),
    anyScope: textsOf(directive, 'anyScope'),
    roles: textsOf(directive, 'roles'),
    owner: argumentText(directive, 'owner'),
  });
}

/** The texts of a list; undefined without any. */
function textsOf(directive: ConstDirectiveNode, name: string): readonly string[] | undefined {
  const given = argumentOf(directive, name);
  const items = given?.kind === Kind.LIST ? given.values : [];
  const texts = items.flatMap((item) => (item.kind === Kind.STRING ? [item.value] : []));
  return texts.length === 0 ? undefined : texts;
}

/** The words of `@constraint` whose tags have other names. */
const constraintWords: Readonly<Record<string, string>> = {
  min: 'minimum',
  max: 'maximum',
  exclusiveMin: 'exclusiveMinimum',
  exclusiveMax: 'exclusiveMaximum',
};

function constraintTagsOf(draft: Draft, directive: ConstDirectiveNode, subject: string): DraftTag[] {
  return (directive.arguments ?? []).flatMap(({ name: { value: word }, value, ...node }) => {
    const name = constraintWords[word] ?? word;
    const text = 'value' in value ? String(value.value) : undefined;
    if (constraintTags.has(name) && text !== undefined && !/[\r\n]/.test(text)) return [{ name, text }];
    draft.lose(
      lineAndColumn(node),
      `constraint ${word} of ${subject}`,
      'Topologies have no such constraint.',
    );
    return [];
  });
}
