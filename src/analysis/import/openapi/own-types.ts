import { appendTo } from '../../../compiler/graph/maps.js';
import { inputNameOf, typeNameOf, unionNameOf } from '../../../compiler/graph/names.js';
import { standardScalars } from '../../../compiler/graph/standard-scalars.js';
import {
  bareName,
  type Draft,
  type DraftEnumValue,
  type DraftNode,
  type DraftSetting,
  type DraftValue,
  implementsSetting,
  nodeIdOf,
} from '../draft/draft.js';
import type { JsonPlace } from '../draft/json-place.js';
import { raceEdge } from '../draft/operation-edge.js';
import { splitDescription } from '../draft/own-text.js';
import { innermost, refOf, typeOf, valueTags } from './own-values.js';
import { defaultText } from './value-tags.js';

/** The kinds of components that become nodes, and those that other components are recognized by. */
type Component = 'object' | 'input' | 'enum' | 'scalar' | 'choice' | 'problem' | 'mirror' | 'connection';

/** The types that a document of our own describes as components. */
export class OwnTypes {
  readonly #draft: Draft;
  readonly #components: ReadonlyMap<string, JsonPlace>;
  readonly #kinds = new Map<string, Component | undefined>();
  /** The ids that the edges of the document name, by the types of their nodes. */
  readonly #ids: ReadonlyMap<string, string>;
  /** The targets of races, by the names of their unions. */
  readonly #targets = new Map<string, string>();

  constructor(root: JsonPlace, draft: Draft, ids: ReadonlyMap<string, string>) {
    this.#draft = draft;
    this.#ids = ids;
    // `Book.Variant` and `Book.Narrowed` follow from `Book`.
    const all = root.at('components')?.entries('schemas') ?? [];
    this.#components = new Map(all.filter(([name]) => !name.includes('.')));
    for (const [name, schema] of this.#components) this.#kinds.set(name, this.#kindOf(name, schema));
    for (const [name, schema] of this.#components)
      if (this.#kinds.get(name) === 'object') this.#findTargets(schema, name);
  }

  /** The id of the node of a type. */
  idOf(typeName: string): string {
    const schema = this.#components.get(typeName);
    const bare = schema && this.#bareIdOf(typeName, schema);
    return this.#ids.get(typeName) ?? bare ?? nodeIdOf(typeName);
  }

  /** A node without fields has its own id as a constant. */
  #bareIdOf(typeName: string, schema: JsonPlace): string | undefined {
    const [[name, id] = [], ...others] = schema.entries('properties');
    const value = id?.list('examples')[0]?.value;
    const isBare =
      name === 'id' && others.length === 0 && typeof value === 'string' && typeNameOf(value) === typeName;
    return isBare ? value : undefined;
  }

  isProblem(name: string): boolean {
    return this.#kinds.get(name) === 'problem';
  }

  /** The name in the topology of the component that a reference names. */
  readonly nameOf = (component: string): string =>
    this.#kinds.get(component) === 'mirror' ? component.slice(0, -inputNameOf('').length) : component;

  /** The type that the results of an edge to a node have without `returns`. */
  resultOf(id: string): string {
    const type = typeNameOf(id);
    return [...this.#targets].find(([, target]) => target === type)?.[0] ?? type;
  }

  /**
   * Records that operations to a node return a type. A union whose members share no field is not an interface; it is
   * the union of a race to that node.
   */
  addResult(type: string, to: string): void {
    const schema = this.#components.get(type);
    if (schema === undefined || this.#kinds.get(type) !== 'choice' || this.#targets.has(type)) return;
    const isUnion = this.#commonFields(membersOf(schema)).length === 0;
    if (isUnion && typeNameOf(to) !== type) this.#targets.set(type, typeNameOf(to));
  }

  addNodes(): void {
    const choices = this.#ofKind('choice').filter(([name]) => !this.#targets.has(name));
    const unions = this.#ofKind('choice').filter(([name]) => this.#targets.has(name));
    for (const [name, schema] of unions) this.#addRaces(name, schema);
    const interfaces = new Map<string, string[]>();
    for (const [name, schema] of choices) {
      const members = membersOf(schema);
      for (const member of members) appendTo(interfaces, member, name);
      this.#add(name, schema, ['Interface'], this.#commonFields(members));
    }
    // All inputs of a document, derived ones included, are in the order of the nodes.
    const ordered = [...this.#components].flatMap(([name]) => {
      const kind = this.#kinds.get(name);
      return kind === 'mirror' ? [this.nameOf(name)] : kind === 'input' ? [name] : [];
    });
    for (const name of new Set([...ordered, ...this.#components.keys()])) {
      const schema = this.#components.get(name);
      if (schema !== undefined) this.#addNode(name, schema, interfaces.get(name) ?? []);
    }
  }

  #addNode(name: string, schema: JsonPlace, interfaces: readonly string[]): void {
    const place = schema.place;
    switch (this.#kinds.get(name)) {
      case 'object':
        this.#add(name, schema, [], this.#fieldsOf(name, schema), implementsSetting(interfaces, place));
        break;
      case 'input':
        this.#addInput(name, schema);
        break;
      case 'scalar': {
        const [, text = '', url] =
          /^([\s\S]*?)(?:(?:^|\n\n)Specified by (\S+))?$/.exec(schema.text('description') ?? '') ?? [];
        const settings = url === undefined ? [] : [{ key: 'specifiedBy', text: `'${url}'`, place }];
        this.#draft.nodes.push({
          ...this.#nodeOf(name, place),
          labels: ['Scalar'],
          settings,
          description: text || undefined,
        });
        break;
      }
      case 'enum':
        this.#addEnum(name, schema);
        break;
      case 'problem':
        this.#addProblem(name, schema);
    }
  }

  #kindOf(name: string, schema: JsonPlace): Component | undefined {
    const description = schema.text('description') ?? '';
    const properties = schema.at('properties');
    if (schema.has('enum')) return 'enum';
    if (description.startsWith('An error response: problem details')) return undefined;
    if (properties?.at('code')?.has('const') && properties.at('status')?.has('const')) return 'problem';
    const isEmptyInterface = properties?.at('__typename')?.has('const') === false;
    if (schema.has('oneOf') || isEmptyInterface) return 'choice';
    if (/^A page of a list of \w+\.$/.test(description) && properties?.has('pageInfo')) return 'connection';
    if (/^(?:An item of a page of \w+|The place of a page in its list)\.$/.test(description))
      return undefined;
    if (properties === undefined)
      return standardScalars.has(name) && schema.has('examples') ? undefined : 'scalar';
    if (schema.at('additionalProperties')?.value !== false) return 'object';
    const of = this.#components.get(name.slice(0, -inputNameOf('').length));
    return name.endsWith(inputNameOf('')) && of?.has('properties') ? 'mirror' : 'input';
  }

  #ofKind(kind: Component): readonly (readonly [string, JsonPlace])[] {
    return [...this.#components].filter(([name]) => this.#kinds.get(name) === kind);
  }

  /** A field with a union has the input of the raced type in the input of its object. */
  #findTargets(schema: JsonPlace, name: string): void {
    const mirror = this.#components.get(inputNameOf(name));
    for (const [field, property] of schema.entries('properties')) {
      const union = refOf(innermost(property));
      if (union === undefined || this.#kinds.get(union) !== 'choice') continue;
      const given = mirror?.at('properties')?.at(field);
      const input = given && refOf(innermost(given));
      if (input !== undefined && this.#kinds.get(input) === 'mirror')
        this.#targets.set(union, this.nameOf(input));
    }
    if (this.#kinds.get(unionNameOf(name)) === 'choice') this.#targets.set(unionNameOf(name), name);
  }

  #addRaces(name: string, schema: JsonPlace): void {
    const target = this.#targets.get(name) as string;
    const place = schema.place;
    const from = membersOf(schema).map((member) => this.idOf(member));
    const description = schema.text('description');
    const open = schema.at('discriminator')?.at('x-open');
    const reasons =
      open === undefined ? [] : [...new Set(membersOf(schema).map((member) => open.text(member)))];
    for (const reason of open === undefined ? [undefined] : reasons) {
      const sources = membersOf(schema).filter((member) => open?.text(member) === reason);
      const ids = open === undefined ? from : sources.map((member) => this.idOf(member));
      this.#draft.edges.push(
        raceEdge(name, { from: ids, to: this.idOf(target), place, description }, reason),
      );
    }
  }

  #add(
    name: string,
    schema: JsonPlace,
    labels: readonly string[],
    fields: readonly DraftValue[],
    settings: readonly DraftSetting[] = [],
  ): void {
    // The compiler writes notes on fields that REST does not return.
    const notes =
      /(?:^|\n\n)`[\w`, ]+` (?:needs? arguments, so only GraphQL|requires? authentication, so REST) returns [^\n]*$/;
    let description = schema.text('description') ?? '';
    for (let before = ''; before !== description; ) {
      before = description;
      const note = notes.exec(before)?.[0] ?? '';
      if (note.includes('arguments'))
        this.#draft.lose(
          schema,
          `type ${name}`,
          'REST does not return fields with required arguments, so the document lacks them.',
        );
      description = before.replace(notes, '');
    }
    const said = splitDescription(description, false);
    this.#draft.nodes.push({
      ...this.#nodeOf(name, schema.place),
      labels,
      settings,
      fields,
      description: said.description,
      tags: said.tags,
    });
  }

  #nodeOf(typeName: string, place: string): DraftNode {
    return { id: this.idOf(typeName), typeName, labels: [], settings: [], fields: [], place };
  }

  #fieldsOf(of: string, schema: JsonPlace): readonly DraftValue[] {
    const mirror = this.#components.get(inputNameOf(of))?.at('properties');
    if (this.#bareIdOf(of, schema) !== undefined) return [];
    return schema.entries('properties').flatMap(([name, property]): DraftValue[] => {
      if (name === '__typename') return [];
      return [this.#fieldOf(of, name, property, mirror?.at(name))];
    });
  }

  /** @param mirror - The same field of the input, where an ID differs from other texts. */
  #fieldOf(of: string, name: string, property: JsonPlace, mirror: JsonPlace | undefined): DraftValue {
    const written = typeOf(property, this.nameOf);
    const isId = mirror !== undefined && /^\[*ID\b/.test(typeOf(mirror, this.nameOf));
    const connection = written.replace(/!$/, '');
    const isPaged = this.#kinds.get(connection) === 'connection';
    const item = /^(.+)Connection$/.exec(connection)?.[1];
    const type = isPaged
      ? `[${item}!]${written.slice(connection.length)}`
      : isId
        ? written.replace('String', 'ID')
        : written;
    if (isPaged) this.#draft.lose(property, `page of ${name}`, 'The document does not state the page size.');
    const { description, tags } = splitDescription(property.text('description'), property.flag('deprecated'));
    const values = valueTags(property, type);
    // The input repeats examples, but not constants.
    const isConstant = mirror !== undefined && property.has('examples') && !mirror.has('examples');
    const constant = property.list('examples')[0];
    const fallback =
      isConstant && constant !== undefined ? this.#constant(constant, `${name} of ${of}`, type) : undefined;
    return {
      name,
      type,
      description,
      tags: [
        ...tags,
        ...(isConstant ? values.filter((tag) => tag.name !== 'example') : values),
        ...(isPaged ? [{ name: 'page', text: '20' }] : []),
      ],
      fallback,
      place: property.place,
    };
  }

  #addInput(name: string, schema: JsonPlace): void {
    const isOneOf = schema.has('maxProperties');
    const fields = schema.entries('properties').map(([field, property]) => {
      const value = this.argumentOf(field, property, name);
      return isOneOf ? { ...value, type: value.type.replace(/!$/, '') } : value;
    });
    this.#add(name, schema, isOneOf ? ['Input', 'OneOf'] : ['Input'], fields);
  }

  /** An argument of an operation, or a field of an input. */
  argumentOf(name: string, schema: JsonPlace, of: string): DraftValue {
    const type = typeOf(schema, this.nameOf);
    const { description, tags } = splitDescription(schema.text('description'), schema.flag('deprecated'));
    const given = schema.at('default');
    const fallback = given && this.#constant(given, `${name} of ${of}`, type);
    return {
      name,
      type,
      description,
      tags: [...tags, ...valueTags(schema, type)],
      fallback,
      place: schema.place,
    };
  }

  #constant(given: JsonPlace, subject: string, type: string): string | undefined {
    const isEnum = this.#kinds.get(bareName(type)) === 'enum';
    return defaultText(this.#draft, given, subject, () => isEnum);
  }

  /** The members of an interface: the fields that the types that implement it have alike. */
  #commonFields(members: readonly string[]): readonly DraftValue[] {
    const [first, ...others] = members.map((member) => {
      const schema = this.#components.get(member);
      return schema === undefined ? [] : this.#fieldsOf(member, schema);
    });
    return (first ?? [])
      .filter((field) => others.every((fields) => fields.some((other) => isAlike(field, other))))
      .map(({ tags, ...field }) => ({ ...field, tags: tags?.filter(({ name }) => name === 'page') ?? [] }));
  }

  #addEnum(name: string, schema: JsonPlace): void {
    const values = schema.texts('enum');
    const notes = new Map<string, string>();
    let description = schema.text('description') ?? '';
    for (
      let found = lastNote.exec(description);
      found !== null && values.includes(found[1] ?? '');
      found = lastNote.exec(description)
    ) {
      notes.set(found[1] as string, found[2] as string);
      description = description.slice(0, found.index).trimEnd();
    }
    this.#draft.nodes.push({
      ...this.#nodeOf(name, schema.place),
      labels: ['Enum'],
      description: description || undefined,
      values: values.map((value): DraftEnumValue => {
        const [, text, reason] = /^(.*?)(?:(?:^| )Deprecated: (.*))?$/.exec(notes.get(value) ?? '') ?? [];
        const tags = reason === undefined ? [] : [{ name: 'deprecated', text: reason }];
        return { name: value, description: text || undefined, tags, place: schema.place };
      }),
    });
  }

  #addProblem(name: string, schema: JsonPlace): void {
    const status = schema.at('properties')?.at('status')?.at('const')?.value;
    const required = schema.texts('required');
    const fields = schema.entries('properties').flatMap(([field, property]) => {
      if (ofProblems.has(field)) return [];
      const value = this.#fieldOf(name, field, property, undefined);
      // The members of problem details are never null.
      return [required.includes(field) ? value : { ...value, type: value.type.replace(/!$/, '') }];
    });
    const settings = [{ key: 'status', text: String(status), place: schema.place }];
    const description = schema.text('description');
    this.#draft.nodes.push({
      ...this.#nodeOf(name, schema.place),
      labels: ['Problem'],
      settings,
      fields,
      description,
    });
  }
}

const lastNote = /(?:^|\n)- `(\w+)`: ([^\n]*)$/;
const ofProblems: ReadonlySet<string> = new Set(['type', 'title', 'status', 'detail', 'instance', 'code']);

/** The members of a union: `Book` for `#/components/schemas/Book.Variant`. */
function membersOf(schema: JsonPlace): readonly string[] {
  return schema.list('oneOf').flatMap((option) => refOf(option)?.replace(/\.Variant$/, '') ?? []);
}

/** Whether two fields have one type in the API: that of a list in pages is not that of a list. */
function isAlike(one: DraftValue, other: DraftValue): boolean {
  const isPaged = ({ tags = [] }: DraftValue) => tags.some(({ name }) => name === 'page');
  return one.name === other.name && one.type === other.type && isPaged(one) === isPaged(other);
}
