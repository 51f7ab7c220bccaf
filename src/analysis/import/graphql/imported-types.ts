import { type FieldDefinitionNode, Kind, print } from 'graphql';
import { builtinScalarNames } from '../../../compiler/graph/builtin-scalars.js';
import { appendTo, ifGiven } from '../../../compiler/graph/maps.js';
import { capitalized, inputNameOf } from '../../../compiler/graph/names.js';
import { standardScalars } from '../../../compiler/graph/standard-scalars.js';
import { pageArguments } from '../../../compiler/schema/cursor.js';
import { type Draft, type DraftValue, implementsSetting, nearestName, nodeIdOf, pageTag } from '../draft/draft.js';
import { isAccessTag } from '../draft/own-text.js';
import { quoteText } from '../draft/write-draft.js';
import { spellingTags } from '../openapi/enum-names.js';
import { lineAndColumn, type SchemaDefinition, type TypeDefinition } from './type-definitions.js';
import {
  argumentText,
  argumentTexts,
  baseOf,
  directiveOf,
  inputValueOf,
  nodeIdFrom,
  tagsOf,
  typeText,
} from './values.js';

/** The types of a schema, and their names in the topology. */
export class ImportedTypes {
  /** The items of the connections that a topology expresses as `page`. */
  readonly connections: ReadonlyMap<string, ConnectionItems>;
  /** The object types, by the inputs that a topology derives from them. */
  readonly #mirrors: ReadonlyMap<string, string>;
  readonly #names = new Map<string, string>();
  /** The unions that become interfaces, by the names of their members. */
  readonly #unionsOf = new Map<string, string[]>();
  readonly #roots: ReadonlySet<string>;

  constructor(
    readonly schema: SchemaDefinition,
    readonly draft: Draft,
  ) {
    this.connections = schema.isOwn ? itemsOfConnections(schema) : new Map();
    this.#mirrors = mirrorsOf(schema);
    this.#roots = new Set(Object.values(schema.roots));
  }

  addNodes(): void {
    const declared = this.#declared();
    this.#takeNames(declared);
    const unions = this.schema.isOwn ? [] : declared.filter(({ kind }) => kind === 'union');
    const common = new Map(unions.map((union) => [union, commonFields(this.schema, union)]));
    for (const [union, fields] of common) {
      if (fields.length > 0) {
        for (const member of union.members) appendTo(this.#unionsOf, member, union.name);
        continue;
      }
      this.#names.delete(union.name);
      const reason = 'A union whose members share no field is not an interface, so its values have the type JSON.';
      this.draft.lose(union, `union ${union.name}`, reason);
    }
    for (const type of declared) {
      const fields = common.get(type);
      if (fields === undefined) this.#addNode(type, type.fields);
      else if (fields.length > 0) {
        const reason =
          'It becomes an interface with the fields that all members have: topologies have unions only as races.';
        this.draft.lose(type, `union ${type.name}`, reason);
        this.#addNode(type, fields);
      }
    }
  }

  /** The name of an output type in the topology; undefined if there is none. */
  readonly outputName = (name: string): string | undefined => {
    const definition = this.schema.types.get(name);
    if (definition === undefined) return builtinScalarNames.has(name) ? name : undefined;
    if (definition.kind === 'input' || this.#roots.has(name)) return undefined;
    return this.#names.get(name) ?? this.#otherName(definition);
  };

  /** The name of an input type in the topology: for the input of an object type, that type. */
  readonly inputName = (name: string): string | undefined => {
    const definition = this.schema.types.get(name);
    if (definition === undefined) return builtinScalarNames.has(name) ? name : undefined;
    if (definition.kind === 'input') return this.#names.get(this.#mirrors.get(name) ?? name);
    const isLeaf = definition.kind === 'enum' || definition.kind === 'scalar';
    return isLeaf ? (this.#names.get(name) ?? this.#otherName(definition)) : undefined;
  };

  /** The id of the node of a type; undefined if none has it. */
  idOf(name: string): string | undefined {
    const definition = this.schema.types.get(name);
    const taken = this.#names.get(name);
    if (definition === undefined || taken === undefined) return undefined;
    return nodeIdFrom(definition) ?? nodeIdOf(taken);
  }

  /** A field with its arguments; undefined, and reported, if its type is unknown. */
  fieldOf(node: FieldDefinitionNode, of: string): DraftValue | undefined {
    const { draft } = this;
    const name = node.name.value;
    const place = lineAndColumn(node);
    const subject = `field ${of}.${name}`;
    const given = withoutPages(node, this.connections);
    const type = typeText(given.type, this.outputName);
    if (type === undefined) return draft.lose(place, subject, 'Its type is not defined.');
    if (nearestName(name) !== name) return draft.lose(place, subject, 'Fields cannot have this name.');
    if (name === 'implements' && /^\[\w+\]$/.test(type))
      return draft.lose(place, subject, 'A node has a setting of this name and form.');
    const args = given.arguments.flatMap((argument) => inputValueOf(draft, argument, this.inputName, subject) ?? []);
    const page = ifGiven(given.page, ({ size, isCounted }) => pageTag(size, isCounted));
    const tags = [...tagsOf(draft, node.directives ?? [], subject), ...page];
    return { name, type, description: node.description?.value, tags, place, arguments: args };
  }

  #declared(): readonly TypeDefinition[] {
    const { schema } = this;
    const all = [...schema.types.values()].filter(({ name }) => !this.#roots.has(name));
    if (!schema.isOwn) return all.filter(({ name }) => !this.#mirrors.has(name));
    const isNode = (type: TypeDefinition) => nodeIdFrom(type) !== undefined;
    for (const type of all) {
      if (isNode(type) || type.kind === 'union' || this.#mirrors.has(type.name)) continue;
      if (this.connections.has(type.name) || /Edge$|^PageInfo$/.test(type.name)) continue;
      if (type.kind === 'scalar' && standardScalars.has(type.name)) continue;
      this.draft.lose(type, `type ${type.name}`, 'It comes from a layer, which every server adds itself.');
    }
    // All inputs of a schema, derived ones included, are in the order of the nodes.
    const ordered = all.flatMap((type) => {
      if (type.kind !== 'input') return [];
      const mirrored = this.#mirrors.get(type.name);
      return mirrored === undefined ? [type] : (schema.types.get(mirrored) ?? []);
    });
    const ofKind = (kind: TypeDefinition['kind']) => all.filter((type) => type.kind === kind);
    // An object type whose input is declared is before the object type that follows it.
    const known = new Set(ordered);
    let next: TypeDefinition | undefined;
    for (const type of ofKind('object').filter(isNode).toReversed()) {
      if (!known.has(type)) ordered.splice(next === undefined ? ordered.length : ordered.indexOf(next), 0, type);
      next = type;
    }
    return [...new Set([...ofKind('interface'), ...ordered, ...all])].filter(isNode);
  }

  /** Types that are named after another one with `Input` behind it come last, so that the others keep their names. */
  #takeNames(types: readonly TypeDefinition[]): void {
    const isDerived = ({ name }: TypeDefinition) => name.endsWith(inputNameOf(''));
    for (const type of [...types.filter((one) => !isDerived(one)), ...types.filter(isDerived)]) {
      const { name, place, kind } = type;
      this.#names.set(name, this.draft.takeTypeName(name, place, kind === 'object', true, kind === 'input'));
    }
  }

  /** The name of a type without a node: a standard scalar, or the union of a race. */
  #otherName({ name, kind }: TypeDefinition): string | undefined {
    if (this.schema.isOwn && kind === 'union') return name;
    if (this.schema.isOwn && kind === 'scalar' && standardScalars.has(name)) return name;
    return kind === 'union' ? 'JSON' : undefined;
  }

  #addNode(type: TypeDefinition, fields: readonly FieldDefinitionNode[]): void {
    const { draft } = this;
    const { name, kind, description, place, directives } = type;
    const typeName = this.#names.get(name) as string;
    const implemented = [...type.interfaces, ...(this.#unionsOf.get(name) ?? [])].flatMap((one) => {
      const known = this.schema.types.has(one) ? this.#names.get(one) : undefined;
      if (known === undefined) draft.lose(place, `interface ${one} of ${name}`, 'It is not defined.');
      return known ?? [];
    });
    const settings = [...implementsSetting(implemented, place)];
    const quoted = quoteText(argumentText(directiveOf(type, 'specifiedBy'), 'url'));
    if (quoted !== undefined) settings.push({ key: 'specifiedBy', text: quoted, place });
    const ofType = directives.filter((directive) => !['specifiedBy', 'oneOf', 'node'].includes(directive.name.value));
    const tags = tagsOf(draft, ofType, name);
    const isRead = kind === 'object' || kind === 'interface' || kind === 'union';
    for (const tag of tags)
      if (!isRead || !isAccessTag(tag)) draft.lose(place, `@${tag.name} of ${name}`, 'It has no effect on a type.');
    const access = isRead ? tags.filter(isAccessTag) : [];
    const made =
      kind === 'input'
        ? type.inputFields.flatMap((field) => inputValueOf(draft, field, this.inputName, name) ?? [])
        : fields.flatMap((field) => this.fieldOf(field, name) ?? []);
    const values = type.values.map((value) => {
      // In a schema of another tool, the directive may mean anything.
      const own = this.schema.isOwn ? directiveOf(value, 'value') : undefined;
      const spelling = argumentText(own, 'spelling') ?? value.name.value;
      const others = (value.directives ?? []).filter((directive) => directive !== own);
      return {
        name: value.name.value,
        description: value.description?.value,
        tags: [...spellingTags(spelling, value.name.value), ...tagsOf(draft, others, `${name}.${value.name.value}`)],
        place: lineAndColumn(value),
      };
    });
    if (made.length === 0 && values.length === 0 && kind !== 'scalar')
      draft.lose(place, `type ${name}`, 'It has neither fields nor values.');
    draft.nodes.push({
      id: this.idOf(name) as string,
      typeName,
      labels: labelsOf(type),
      settings,
      fields: made,
      values,
      tags: access,
      description,
      place,
    });
  }
}

/** The labels that `@node` records, or the labels that the kind of the type needs. */
function labelsOf(type: TypeDefinition): readonly string[] {
  const given = argumentTexts(directiveOf(type, 'node'), 'labels');
  if (given !== undefined) return given;
  const label = type.kind === 'object' ? [] : [type.kind === 'union' ? 'Interface' : capitalized(type.kind)];
  return directiveOf(type, 'oneOf') === undefined ? label : [...label, 'OneOf'];
}

/**
 * The inputs that a topology derives from object types, with these types: in our own schemas all inputs without a node,
 * in others those with the same fields.
 */
function mirrorsOf(schema: SchemaDefinition): ReadonlyMap<string, string> {
  const mirrors = new Map<string, string>();
  for (const type of schema.types.values()) {
    const of = schema.types.get(type.name.slice(0, -inputNameOf('').length));
    if (type.kind !== 'input' || of?.kind !== 'object' || type.name !== inputNameOf(of.name)) continue;
    const isNode = directiveOf(type, 'node') !== undefined;
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

function commonFields(schema: SchemaDefinition, { members }: TypeDefinition): readonly FieldDefinitionNode[] {
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

/** The items of a connection: the name of their type, and whether the connection counts them. */
interface ConnectionItems {
  readonly name: string;
  readonly isCounted: boolean;
}

/** The items of the connections that a topology with `page` adds, by the names of the connections. */
function itemsOfConnections({ types }: SchemaDefinition): ReadonlyMap<string, ConnectionItems> {
  const items = new Map<string, ConnectionItems>();
  for (const type of types.values()) {
    const { name } = type;
    const item = /^(.+)Connection$/.exec(name)?.[1];
    if (item === undefined || directiveOf(type, 'node') !== undefined) continue;
    if (!types.has(`${item}Edge`) || !types.has('PageInfo')) continue;
    const isCounted = type.fields.some((field) => field.name.value === 'totalCount');
    items.set(name, { name: item, isCounted });
  }
  return items;
}

/** A field with its list in place of the connection, and the number of items in a page, as a topology declares it. */
export function withoutPages(
  { type, arguments: args = [] }: FieldDefinitionNode,
  connections: ReadonlyMap<string, ConnectionItems>,
) {
  const item = connections.get(baseOf(type));
  if (item === undefined || type.kind === Kind.LIST_TYPE) return { type, arguments: args, page: undefined };
  const first = args.find(({ name }) => name.value === 'first')?.description?.value ?? '';
  const named = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: item.name } } as const;
  const list = { kind: Kind.LIST_TYPE, type: { kind: Kind.NON_NULL_TYPE, type: named } } as const;
  return {
    type: type.kind === Kind.NON_NULL_TYPE ? ({ kind: Kind.NON_NULL_TYPE, type: list } as const) : list,
    arguments: args.filter(({ name }) => !pageArguments.has(name.value)),
    page: { size: /(\d+)\.$/.exec(first)?.[1] ?? '20', isCounted: item.isCounted },
  };
}
