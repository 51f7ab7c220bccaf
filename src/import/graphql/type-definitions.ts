import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  type EnumValueDefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  type NamedTypeNode,
  type TypeDefinitionNode,
  type TypeExtensionNode,
} from 'graphql';
import type { Draft } from '../draft/draft.js';

/** A type of a GraphQL schema with its extensions. */
export interface TypeDefinition {
  readonly kind: 'object' | 'interface' | 'input' | 'enum' | 'scalar' | 'union';
  readonly name: string;
  readonly description: string | undefined;
  readonly place: string;
  readonly directives: readonly ConstDirectiveNode[];
  readonly interfaces: readonly string[];
  readonly fields: readonly FieldDefinitionNode[];
  readonly inputFields: readonly InputValueDefinitionNode[];
  readonly values: readonly EnumValueDefinitionNode[];
  readonly members: readonly string[];
}

/** A GraphQL schema: its types by name, and the names of its root types. */
export interface SchemaDefinition {
  readonly types: ReadonlyMap<string, TypeDefinition>;
  readonly roots: Readonly<Record<'query' | 'mutation' | 'subscription', string>>;
  /** Whether gg-svc wrote it: its definitions name their nodes and edges. */
  readonly isOwn: boolean;
}

/** Collects the definitions of a document. What is none of a type, or defined twice, is reported. */
export function readDefinitions(document: DocumentNode, draft: Draft): SchemaDefinition {
  const types = new Map<string, TypeDefinition>();
  const extensions: TypeExtensionNode[] = [];
  const roots = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' };
  for (const definition of document.definitions) {
    if (definition.kind === Kind.SCHEMA_DEFINITION || definition.kind === Kind.SCHEMA_EXTENSION) {
      for (const { operation, type } of definition.operationTypes ?? []) roots[operation] = type.name.value;
      if ('description' in definition && definition.description !== undefined) {
        draft.lose(
          placeOf(definition),
          'the description of the schema',
          'It belongs into the project file, as “info”.',
        );
      }
    } else if (definition.kind in kinds) {
      const made = typeOf(definition as TypeDefinitionNode);
      if (types.has(made.name)) draft.lose(made.place, `type ${made.name}`, 'It is defined twice.');
      else types.set(made.name, made);
    } else if (definition.kind in extensionKinds) extensions.push(definition as TypeExtensionNode);
    else if (definition.kind === Kind.DIRECTIVE_DEFINITION) {
      const name = definition.name.value;
      if (!knownDirectives.has(name)) {
        draft.lose(placeOf(definition), `directive @${name}`, 'A topology has no directives of its own.');
      }
    } else draft.loseOnce(placeOf(definition), 'an operation or a fragment', 'It is no part of a schema.');
  }
  for (const extension of extensions) {
    const made = typeOf(extension);
    const before = types.get(made.name);
    if (before === undefined) types.set(made.name, made);
    else if (before.kind === made.kind) types.set(made.name, merge(before, made));
    else draft.lose(made.place, `extension of ${made.name}`, `${made.name} is of another kind.`);
  }
  const isOwn = document.definitions.some(
    (definition) =>
      definition.kind === Kind.DIRECTIVE_DEFINITION && ['topology', 'node'].includes(definition.name.value),
  );
  return { types, roots, isOwn };
}

/** The directives that an import reads. */
export const knownDirectives: ReadonlySet<string> = new Set([
  ...['topology', 'node', 'auth', 'open', 'constraint'],
  ...['deprecated', 'specifiedBy', 'oneOf', 'skip', 'include'],
]);

const kinds: Readonly<Record<string, TypeDefinition['kind']>> = {
  [Kind.OBJECT_TYPE_DEFINITION]: 'object',
  [Kind.INTERFACE_TYPE_DEFINITION]: 'interface',
  [Kind.INPUT_OBJECT_TYPE_DEFINITION]: 'input',
  [Kind.ENUM_TYPE_DEFINITION]: 'enum',
  [Kind.SCALAR_TYPE_DEFINITION]: 'scalar',
  [Kind.UNION_TYPE_DEFINITION]: 'union',
};

const extensionKinds: Readonly<Record<string, TypeDefinition['kind']>> = {
  [Kind.OBJECT_TYPE_EXTENSION]: 'object',
  [Kind.INTERFACE_TYPE_EXTENSION]: 'interface',
  [Kind.INPUT_OBJECT_TYPE_EXTENSION]: 'input',
  [Kind.ENUM_TYPE_EXTENSION]: 'enum',
  [Kind.SCALAR_TYPE_EXTENSION]: 'scalar',
  [Kind.UNION_TYPE_EXTENSION]: 'union',
};

function typeOf(definition: TypeDefinitionNode | TypeExtensionNode): TypeDefinition {
  const kind = (kinds[definition.kind] ?? extensionKinds[definition.kind]) as TypeDefinition['kind'];
  const namesOf = (list: readonly NamedTypeNode[] = []) => list.map(({ name }) => name.value);
  const fields = 'fields' in definition ? (definition.fields ?? []) : [];
  return {
    kind,
    name: definition.name.value,
    description: 'description' in definition ? definition.description?.value : undefined,
    place: placeOf(definition),
    directives: definition.directives ?? [],
    interfaces: 'interfaces' in definition ? namesOf(definition.interfaces) : [],
    fields: kind === 'input' ? [] : (fields as readonly FieldDefinitionNode[]),
    inputFields: kind === 'input' ? (fields as readonly InputValueDefinitionNode[]) : [],
    values: 'values' in definition ? (definition.values ?? []) : [],
    members: 'types' in definition ? namesOf(definition.types) : [],
  };
}

function merge(one: TypeDefinition, other: TypeDefinition): TypeDefinition {
  return {
    ...one,
    directives: [...one.directives, ...other.directives],
    interfaces: [...one.interfaces, ...other.interfaces],
    fields: [...one.fields, ...other.fields],
    inputFields: [...one.inputFields, ...other.inputFields],
    values: [...one.values, ...other.values],
    members: [...one.members, ...other.members],
  };
}

/** `line:column` of a node of the document. */
export function placeOf({ loc }: Pick<DefinitionNode | NamedTypeNode, 'loc'>): string {
  return loc === undefined ? '1:1' : `${loc.startToken.line}:${loc.startToken.column}`;
}
