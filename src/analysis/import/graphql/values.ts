import {
  type ConstDirectiveNode,
  type ConstValueNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  print,
  type TypeNode,
} from 'graphql';
import { type Access, accessOf, demandWords } from '../../../compiler/graph/access.js';
import { constraintTags } from '../../../compiler/graph/doc-tags.js';
import { type Draft, type DraftTag, nearestName, oneLine, unfitDefault } from '../draft/draft.js';
import { accessSettings as draftAccess } from '../draft/operation-edge.js';
import { quoteText } from '../draft/write-draft.js';
import { knownDirectives, lineAndColumn, type TypeDefinition } from './type-definitions.js';

/** The name of a type in the topology; undefined for an unknown type. */
export type TypeNames = (name: string) => string | undefined;

/** An argument or a field of an input; undefined, and reported, if a topology cannot express it. */
export function inputValueOf(draft: Draft, node: InputValueDefinitionNode, names: TypeNames, of: string) {
  const { type, defaultValue, description, directives = [] } = node;
  const name = node.name.value;
  const place = lineAndColumn(node);
  const subject = `${name} of ${of}`;
  const written = typeText(type, names);
  if (written === undefined) return draft.lose(place, subject, `There is no input type ${baseOf(type)}.`);
  if (nearestName(name) !== name) return draft.lose(place, subject, 'Fields cannot have this name.');
  const fallback = defaultValue && constantText(defaultValue);
  if (defaultValue !== undefined && fallback === undefined) draft.lose(place, `default of ${subject}`, unfitDefault);
  const mayLack = type.kind !== Kind.NON_NULL_TYPE && directiveOf(node, 'notNull') !== undefined;
  const tags = [...(mayLack ? [{ name: 'notNull', text: '' }] : []), ...tagsOf(draft, directives, subject)];
  return { name, type: written, description: description?.value, tags, fallback, place };
}

/** A type with the names of the topology; undefined for an unknown one. */
export function typeText(type: TypeNode, names: TypeNames): string | undefined {
  const name = names(baseOf(type));
  return name && print(type).replace(/\w+/, name);
}

/** The innermost name of a type. */
export function baseOf(type: TypeNode): string {
  let inner = type;
  while (inner.kind !== Kind.NAMED_TYPE) inner = inner.type;
  return inner.name.value;
}

/** A constant as a topology writes it; undefined for objects, and for texts that topologies cannot quote. */
export function constantText(value: ConstValueNode): string | undefined {
  if (value.kind === Kind.STRING) return quoteText(value.value);
  if (value.kind === Kind.NULL) return 'null';
  if (value.kind === Kind.OBJECT) return undefined;
  if (value.kind !== Kind.LIST) return String(value.value);
  const items = value.values.map(constantText);
  return items.includes(undefined) ? undefined : `[${items.join(', ')}]`;
}

/** The directive of a name, of which a definition has one. */
export function directiveOf(
  { directives = [] }: { readonly directives?: readonly ConstDirectiveNode[] | undefined },
  name: string,
): ConstDirectiveNode | undefined {
  return directives.find((directive) => directive.name.value === name);
}

export function argumentText(directive: ConstDirectiveNode | undefined, name: string): string | undefined {
  const value = argumentOf(directive, name);
  return value?.kind === Kind.STRING ? value.value : undefined;
}

export function argumentTexts(directive: ConstDirectiveNode | undefined, name: string) {
  const given = argumentOf(directive, name);
  if (given?.kind !== Kind.LIST) return undefined;
  return given.values.flatMap((item) => (item.kind === Kind.STRING ? [item.value] : []));
}

/** The id of the node that a type of our own comes from. */
export function nodeIdFrom(type: TypeDefinition): string | undefined {
  const id = argumentText(directiveOf(type, 'node'), 'id');
  return id !== undefined && /^\w+$/.test(id) ? id : undefined;
}

function argumentOf(directive: ConstDirectiveNode | undefined, name: string): ConstValueNode | undefined {
  return directive?.arguments?.find((argument) => argument.name.value === name)?.value;
}

/** The tags for directives. A directive without a tag is reported at its first place. */
export function tagsOf(draft: Draft, directives: readonly ConstDirectiveNode[], subject: string) {
  return directives.flatMap((directive): DraftTag[] => {
    const { value: name } = directive.name;
    if (name === 'deprecated') return [{ name, text: oneLine(argumentText(directive, 'reason') ?? '') }];
    if (name === 'constraint') return constraintTagsOf(draft, directive, subject);
    if (name === 'auth') {
      const access = accessOfDirective(directive);
      const demands = demandWords.map((word) => ({ name: word, text: [access[word] ?? ''].flat().join(' ') }));
      const said = demands.filter(({ text }) => text !== '');
      return said.length > 0 ? said : [{ name, text: access.auth ?? 'required' }];
    }
    if (!knownDirectives.has(name))
      draft.loseOnce(lineAndColumn(directive), `@${name}`, 'Topologies cannot declare directives.');
    return [];
  });
}

/** The settings of an edge for the directives of its operation. */
export function accessSettings(field: FieldDefinitionNode, place: string) {
  const auth = directiveOf(field, 'auth');
  const open = argumentText(directiveOf(field, 'open'), 'reason');
  return draftAccess(accessOf({ ...(auth && accessOfDirective(auth)), open }), place);
}

function accessOfDirective(directive: ConstDirectiveNode): Access {
  const optional = argumentOf(directive, 'optional');
  return accessOf({
    auth: optional?.kind === Kind.BOOLEAN && optional.value ? 'optional' : 'required',
    scopes: argumentTexts(directive, 'scopes'),
    anyScope: argumentTexts(directive, 'anyScope'),
    roles: argumentTexts(directive, 'roles'),
    owner: argumentText(directive, 'owner'),
  });
}

function constraintTagsOf(draft: Draft, directive: ConstDirectiveNode, subject: string): DraftTag[] {
  return (directive.arguments ?? []).flatMap(({ name: { value: word }, value, ...node }) => {
    // `min` and `exclusiveMax` have the tags `minimum` and `exclusiveMaximum`.
    const name = word.replace(/^(?:m|exclusiveM)(?:in|ax)$/, '$&imum');
    const text = 'value' in value ? String(value.value) : undefined;
    if (constraintTags.has(name) && text !== undefined && !/[\r\n]/.test(text)) return [{ name, text }];
    const reason = 'Topologies have no such constraint.';
    draft.lose(lineAndColumn(node), `constraint ${word} of ${subject}`, reason);
    return [];
  });
}
