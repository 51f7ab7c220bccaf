import { type FieldDefinitionNode, print } from 'graphql';
import { builtinScalarNames } from '../../../compiler/graph/builtin-scalars.js';
import { inputNameOf } from '../../../compiler/graph/names.js';
import type { SchemaDefinition, TypeDefinition } from './type-definitions.js';
import { baseOf, typeText } from './values.js';

/**
 * The inputs that a topology derives from object types, with these types: in our own schemas all inputs without a node,
 * in others those with the same fields.
 */
export function mirrorsOf(schema: SchemaDefinition): ReadonlyMap<string, string> {
  const mirrors = new Map<string, string>();
  for (const type of schema.types.values()) {
    const of = schema.types.get(type.name.slice(0, -inputNameOf('').length));
    if (type.kind !== 'input' || of?.kind !== 'object' || type.name !== inputNameOf(of.name)) continue;
    const isNode = type.directives.some(({ name }) => name.value === 'node');
    if (schema.isOwn ? !isNode : isMirror(schema, type, of)) mirrors.set(type.name, of.name);
  }
  return mirrors;
}

function isMirror(schema: SchemaDefinition, input: TypeDefinition, of: TypeDefinition): boolean {
  if (input.directives.length > 0) return false;
  const inputName = (name: string) => {
    const kind = schema.types.get(name)?.kind;
    if (kind === 'interface' || kind === 'union') return undefined;
    return kind === 'object' ? inputNameOf(name) : name;
  };
  const derived = of.fields.flatMap(({ name, type }) => {
    const text = typeText(type, inputName);
    return text === undefined ? [] : [`${name.value}: ${text.replace(/!$/, '')}`];
  });
  const given = input.inputFields.map(({ name, type, defaultValue }) =>
    defaultValue === undefined ? `${name.value}: ${print(type)}` : '',
  );
  return derived.join('\n') === given.join('\n');
}

/** The fields that all members of a union have with the same types and arguments. */
export function commonFields(
  schema: SchemaDefinition,
  { members }: TypeDefinition,
): readonly FieldDefinitionNode[] {
  const types = members.map((name) => schema.types.get(name));
  if (types.some((type) => type?.kind !== 'object')) return [];
  const [first, ...others] = types.map((type) => type?.fields ?? []);
  const texts = others.map((fields) => new Set(fields.map(textOf)));
  return (first ?? []).filter((field) => {
    const base = baseOf(field.type);
    const isKnown = schema.types.has(base) || builtinScalarNames.has(base);
    return isKnown && texts.every((set) => set.has(textOf(field)));
  });
}

function textOf({ name, type, arguments: args = [] }: FieldDefinitionNode): string {
  return `${name.value}(${args.map((one) => `${one.name.value}: ${print(one.type)}`).join(', ')}): ${print(type)}`;
}
