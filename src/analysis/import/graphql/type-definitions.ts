import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  type EnumValueDefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  isTypeDefinitionNode,
  isTypeExtensionNode,
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
  /** The places of chains by the names of their goals; absent without any. */
  readonly chains?: ReadonlyMap<string, string>;
  /** The goals of durable chains among them; absent without any. */
  readonly durable?: ReadonlySet<string>;
}

/** Collects the types of a document. Reports other definitions, and types that are defined twice. */
export function readDefinitions(document: DocumentNode, draft: Draft): SchemaDefinition {
  const types = new Map<string, TypeDefinition>();
  const extensions: TypeExtensionNode[] = [];
  const roots = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' };
  for (const definition of document.definitions) {
    if (definition.kind === Kind.SCHEMA_DEFINITION || definition.kind === Kind.SCHEMA_EXTENSION) {
      for (const { operation, type } of definition.operationTypes ?? []) roots[operation] = type.name.value;
      const reason = 'Put it into the project file, as “info”.';
      if ('description' in definition && definition.description !== undefined)
        draft.lose(lineAndColumn(definition), 'the description of the schema', reason);
    } else if (isTypeDefinitionNode(definition)) {
      const made = typeOf(definition);
      if (types.has(made.name)) draft.lose(made, `type ${made.name}`, 'It is defined twice.');
      else types.set(made.name, made);
    } else if (isTypeExtensionNode(definition)) extensions.push(definition);
    else if (definition.kind === Kind.DIRECTIVE_DEFINITION) {
      const name = definition.name.value;
      if (!knownDirectives.has(name))
        draft.lose(lineAndColumn(definition), `directive @${name}`, 'Topologies cannot declare directives.');
    } else draft.loseOnce(lineAndColumn(definition), 'an operation or a fragment', 'It is not part of a schema.');
  }
  for (const extension of extensions) {
    const made = typeOf(extension);
    const before = types.get(made.name);
    if (before === undefined) types.set(made.name, made);
    else if (before.kind === made.kind) types.set(made.name, merge(before, made));
    else draft.lose(made, `extension of ${made.name}`, `${made.name} is of another kind.`);
  }
  const isOwn = document.definitions.some(
    (definition) =>
      definition.kind === Kind.DIRECTIVE_DEFINITION && ['topology', 'node'].includes(definition.name.value),
  );
  return { types, roots, isOwn };
}

/** The directives that an import reads. */
export const knownDirectives: ReadonlySet<string> = new Set([
  ...['topology', 'node', 'auth', 'open', 'constraint', 'notNull'],
  ...['deprecated', 'specifiedBy', 'oneOf', 'skip', 'include'],
]);

function typeOf(definition: TypeDefinitionNode | TypeExtensionNode): TypeDefinition {
  // The kinds of definitions and extensions begin with those of the types: `InputObjectTypeExtension`.
  const [word = ''] = /^(?:Input|[A-Z][a-z]+)/.exec(definition.kind) ?? [];
  const kind = word.toLowerCase() as TypeDefinition['kind'];
  const namesOf = (list: readonly NamedTypeNode[] = []) => list.map(({ name }) => name.value);
  const fields = 'fields' in definition ? (definition.fields ?? []) : [];
  return {
    kind,
    name: definition.name.value,
    description: 'description' in definition ? definition.description?.value : undefined,
    place: lineAndColumn(definition),
    directives: definition.directives ?? [],
    interfaces: 'interfaces' in definition ? namesOf(definition.interfaces) : [],
    fields: kind === 'input' ? [] : (fields as readonly FieldDefinitionNode[]),
    inputFields: kind === 'input' ? (fields as readonly InputValueDefinitionNode[]) : [],
    values: 'values' in definition ? (definition.values ?? []) : [],
    members: 'types' in definition ? namesOf(definition.types) : [],
  };
}

function merge(one: TypeDefinition, other: TypeDefinition): TypeDefinition {
  const lists = ['directives', 'interfaces', 'fields', 'inputFields', 'values', 'members'] as const;
  return { ...one, ...Object.fromEntries(lists.map((list) => [list, [...one[list], ...other[list]]])) };
}

/** `line:column` of a node of the document. */
export function lineAndColumn({ loc }: Pick<DefinitionNode | NamedTypeNode, 'loc'>): string {
  return loc === undefined ? '1:1' : `${loc.startToken.line}:${loc.startToken.column}`;
}
