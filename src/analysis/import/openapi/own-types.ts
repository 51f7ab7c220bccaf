import type { JsonPlace } from '../../../base/source/json-place.js';
import { appendTo, ifGiven } from '../../../compiler/graph/maps.js';
import { inputNameOf, typeNameOf, unionNameOf } from '../../../compiler/graph/names.js';
import { standardScalars } from '../../../compiler/graph/standard-scalars.js';
import {
  bareName,
  type Draft,
  type DraftEnumValue,
  type DraftNode,
  type DraftTag,
  type DraftValue,
  implementsSetting,
  nodeIdOf,
  pageTag,
} from '../draft/draft.js';
import { afterSetting, raceEdge } from '../draft/operation-edge.js';
import { splitDescription } from '../draft/own-text.js';
import { type EnumNames, enumNamesOf, spellingTags } from './enum-names.js';
import { typesOf } from './schema-parts.js';
import { constantText, constraintTags, defaultText, exampleTags, type NameOf } from './value-tags.js';

/** The kinds of components that become nodes, and those that other components are recognized by. */
type Component = 'object' | 'input' | 'enum' | 'scalar' | 'choice' | 'problem' | 'mirror' | 'connection';

/** The types that a document of our own describes as components. */
export class OwnTypes {
  readonly #components: ReadonlyMap<string, JsonPlace>;
  readonly #kinds = new Map<string, Component | undefined>();
  /** The targets of races, by the names of their unions. */
  readonly #targets = new Map<string, string>();

  /** @param ids - The ids that the edges of the document name, by the types of their nodes. */
  constructor(
    root: JsonPlace,
    private readonly draft: Draft,
    private readonly ids: ReadonlyMap<string, string>,
  ) {
    // `Book.Variant` and `Book.Narrowed` follow from `Book`.
    const all = root.at('components')?.entries('schemas') ?? [];
    this.#components = new Map(all.filter(([name]) => !name.includes('.')));
    for (const [name, schema] of this.#components) this.#kinds.set(name, this.#kindOf(name, schema));
    for (const [name, schema] of this.#components)
      if (this.#kinds.get(name) === 'object') this.#findTargets(schema, name);
  }

  idOf(typeName: string): string {
    const schema = this.#components.get(typeName);
    const bare = schema && this.#bareIdOf(typeName, schema);
    return this.ids.get(typeName) ?? bare ?? nodeIdOf(typeName);
  }

  /** A node without fields has its own id as a constant. */
  #bareIdOf(typeName: string, schema: JsonPlace): string | undefined {
    const [[name, id] = [], ...others] = schema.entries('properties');
    const value = id?.list('examples')[0]?.value;
    const isBare = name === 'id' && others.length === 0 && typeof value === 'string' && typeNameOf(value) === typeName;
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
    const interfaces = new Map<string, string[]>();
    for (const [name, schema] of this.#components) {
      if (this.#kinds.get(name) !== 'choice') continue;
      if (this.#targets.has(name)) {
        this.#addRaces(name, schema);
        continue;
      }
      const members = membersOf(schema);
      for (const member of members) appendTo(interfaces, member, name);
      this.#addRecord(name, schema, { labels: ['Interface'], fields: this.#commonFields(members) });
    }
    for (const [name, schema] of this.#components) this.#addComponent(name, schema, interfaces.get(name) ?? []);
  }

  #addComponent(name: string, schema: JsonPlace, interfaces: readonly string[]): void {
    const kind = this.#kinds.get(name);
    const { place } = schema;
    if (kind === 'input') this.#addInput(name, schema);
    if (kind === 'enum') this.#addEnum(name, schema);
    if (kind === 'problem') this.#addProblem(name, schema);
    if (kind === 'object') {
      const settings = implementsSetting(interfaces, place);
      this.#addRecord(name, schema, { settings, fields: this.#fieldsOf(name, schema) });
    }
    if (kind === 'scalar') {
      const description = schema.text('description') ?? '';
      const [, text, url] = /^([\s\S]*?)(?:(?:^|\n\n)Specified by (\S+))?$/.exec(description) ?? [];
      const settings = ifGiven(url, (one) => ({ key: 'specifiedBy', text: `'${one}'`, place }));
      this.#addNode(name, schema, { labels: ['Scalar'], settings, description: text || undefined });
    }
  }

  #addNode(typeName: string, { place }: JsonPlace, parts: Partial<DraftNode>): void {
    this.draft.addNode({ id: this.idOf(typeName), typeName, place, ...parts });
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
    if (/^(?:An item of a page of \w+|The place of a page in its list)\.$/.test(description)) return undefined;
    if (properties === undefined) return standardScalars.has(name) && schema.has('examples') ? undefined : 'scalar';
    if (schema.at('additionalProperties')?.value !== false) return 'object';
    const of = this.#components.get(name.slice(0, -inputNameOf('').length));
    const isDerived = name.endsWith(inputNameOf('')) && of?.has('properties') && !schema.flag('x-declared');
    return isDerived ? 'mirror' : 'input';
  }

  /** A field with a union has the input of the raced type in the input of its object. */
  #findTargets(schema: JsonPlace, name: string): void {
    const mirror = this.#components.get(inputNameOf(name));
    for (const [field, property] of schema.entries('properties')) {
      const union = refOf(innermost(property));
      if (union === undefined || this.#kinds.get(union) !== 'choice') continue;
      const given = mirror?.at('properties')?.at(field);
      const input = given && refOf(innermost(given));
      if (input !== undefined && this.#kinds.get(input) === 'mirror') this.#targets.set(union, this.nameOf(input));
    }
    if (this.#kinds.get(unionNameOf(name)) === 'choice') this.#targets.set(unionNameOf(name), name);
  }

  #addRaces(name: string, schema: JsonPlace): void {
    const to = this.idOf(this.#targets.get(name) as string);
    const { place } = schema;
    const description = schema.text('description');
    const open = schema.at('discriminator')?.at('x-open');
    const race = schema.at('discriminator')?.at('x-race');
    const members = membersOf(schema);
    const delays = race?.list('after').map(({ value }) => Number(value)) ?? [];
    const policy = (race?.entries() ?? []).flatMap(([key, { value }]) => {
      const text = key === 'after' ? undefined : constantText(value);
      return text === undefined ? [] : [{ key, text, place }];
    });
    if (delays.length > 0) {
      for (const [at, member] of members.entries()) {
        const edge = { from: [this.idOf(member)], to, place, description };
        const made = raceEdge(name, edge, open?.text(member));
        const settings = [...made.settings, ...policy, ...afterSetting(delays[at], place)];
        this.draft.edges.push({ ...made, settings });
      }
      return;
    }
    // The members that are open for one reason share an edge.
    for (const reason of new Set(members.map((member) => open?.text(member)))) {
      const sources = members.filter((member) => open?.text(member) === reason);
      const from = sources.map((member) => this.idOf(member));
      const edge = raceEdge(name, { from, to, place, description }, reason);
      this.draft.edges.push({ ...edge, settings: [...edge.settings, ...policy] });
    }
  }

  #addRecord(name: string, schema: JsonPlace, parts: Partial<DraftNode>): void {
    // The compiler writes notes on fields that REST does not return.
    const notes =
      /(?:^|\n\n)`[\w`, ]+` (?:needs? arguments, so only GraphQL|requires? authentication, so REST) returns [^\n]*$/;
    const reason = 'REST does not return fields with required arguments, so the document lacks them.';
    let text = schema.text('description') ?? '';
    for (let note = notes.exec(text); note !== null; note = notes.exec(text)) {
      if (note[0].includes('arguments')) this.draft.lose(schema, `type ${name}`, reason);
      text = text.slice(0, note.index);
    }
    this.#addNode(name, schema, { ...parts, ...splitDescription(text, false) });
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
    const [, item, mark = ''] = /^(.+)Connection(!?)$/.exec(written) ?? [];
    const isPaged = item !== undefined && this.#kinds.get(`${item}Connection`) === 'connection';
    const isCounted = this.#components.get(`${item}Connection`)?.at('properties')?.has('totalCount') === true;
    const type = isPaged ? `[${item}!]${mark}` : isId ? written.replace('String', 'ID') : written;
    if (isPaged) this.draft.lose(property, `page of ${name}`, 'The document does not state the page size.');
    // The input repeats examples, but not constants.
    const isConstant = mirror !== undefined && property.has('examples') && !mirror.has('examples');
    const constant = isConstant ? property.list('examples')[0] : undefined;
    const { tags, ...value } = this.#valueOf(name, property, type, constant, of);
    const header = ifGiven(property.text('x-header'), (text) => ({ name: 'header', text }));
    const paths = property.texts('x-fields').join(' ');
    const fields = paths === '' ? [] : [{ name: 'fields', text: paths }];
    const kept = isConstant ? tags.filter((tag) => tag.name !== 'example') : tags;
    return { ...value, tags: [...header, ...fields, ...kept, ...(isPaged ? [pageTag('20', isCounted)] : [])] };
  }

  #addInput(name: string, schema: JsonPlace): void {
    const isOneOf = schema.has('maxProperties');
    const required = new Set(schema.texts('required'));
    const fields = schema.entries('properties').map(([field, property]) => {
      const value = this.argumentOf(field, property, name, isOneOf || required.has(field));
      return isOneOf ? { ...value, type: value.type.replace(/!$/, '') } : value;
    });
    this.#addRecord(name, schema, { labels: isOneOf ? ['Input', 'OneOf'] : ['Input'], fields });
  }

  /** The inputs with exactly these fields, as documents describe them. */
  inputsWith(fields: ReadonlyMap<string, JsonPlace>): readonly string[] {
    const isAlike = ([name, { value }]: readonly [string, JsonPlace]) =>
      JSON.stringify(fields.get(name)?.value) === JSON.stringify(value);
    return [...this.#components].flatMap(([name, schema]) => {
      const own = this.#kinds.get(name) === 'input' ? schema.entries('properties') : [];
      return own.length === fields.size && own.every(isAlike) ? [name] : [];
    });
  }

  /** An argument of an operation, or a field of an input. If it can be left out, but is never null, it has a tag. */
  argumentOf(name: string, schema: JsonPlace, of: string, isRequired: boolean) {
    const value = this.#valueOf(name, schema, typeOf(schema, this.nameOf), schema.at('default'), of);
    if (isRequired || value.fallback !== undefined || !value.type.endsWith('!')) return value;
    return { ...value, type: value.type.slice(0, -1), tags: [{ name: 'notNull', text: '' }, ...value.tags] };
  }

  #valueOf(name: string, schema: JsonPlace, type: string, constant: JsonPlace | undefined, of: string) {
    const { description, tags } = splitDescription(schema.text('description'), schema.flag('deprecated'));
    const nameOf = (value: string) => this.#enumNames(bareName(type)).get(value);
    const fallback = constant && defaultText(this.draft, constant, `${name} of ${of}`, nameOf);
    const { place } = schema;
    return { name, type, description, tags: [...tags, ...valueTags(schema, type, nameOf)], fallback, place };
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

  /** The names of the values of an enum; empty for another component. */
  #enumNames(name: string): EnumNames {
    const schema = this.#kinds.get(name) === 'enum' ? this.#components.get(name) : undefined;
    const names = schema && enumNamesOf(schema, schema.texts('enum'));
    return typeof names === 'object' ? names : new Map();
  }

  #addEnum(name: string, schema: JsonPlace): void {
    const values = schema.texts('enum');
    const names = this.#enumNames(name);
    const notes = new Map<string, string>();
    let description = schema.text('description') ?? '';
    for (;;) {
      const [note, value = '', text = ''] = lastNote.exec(description) ?? [];
      if (note === undefined || !values.includes(value)) break;
      notes.set(value, text);
      description = description.slice(0, -note.length).trimEnd();
    }
    const enumValueOf = (value: string): DraftEnumValue => {
      const [, text, reason] = /^(.*?)(?:(?:^| )Deprecated: (.*))?$/.exec(notes.get(value) ?? '') ?? [];
      const name = names.get(value) ?? value;
      const deprecated = ifGiven(reason, (given) => ({ name: 'deprecated', text: given }));
      const tags = [...spellingTags(value, name), ...deprecated];
      return { name, description: text || undefined, tags, place: schema.place };
    };
    const parts = { description: description || undefined, values: values.map(enumValueOf) };
    this.#addNode(name, schema, { labels: ['Enum'], ...parts });
  }

  #addProblem(name: string, schema: JsonPlace): void {
    const { place } = schema;
    const status = schema.at('properties')?.at('status')?.at('const')?.value;
    const required = schema.texts('required');
    const fields = schema.entries('properties').flatMap(([field, property]) => {
      if (ofProblems.has(field)) return [];
      const value = this.#fieldOf(name, field, property, undefined);
      // The members of problem details are never null.
      return [required.includes(field) ? value : { ...value, type: value.type.replace(/!$/, '') }];
    });
    const settings = [{ key: 'status', text: String(status), place }];
    const description = schema.text('description');
    this.#addNode(name, schema, { labels: ['Problem'], settings, fields, description });
  }
}

const lastNote = /(?:^|\n)- `([^\n]+?)`: ([^\n]*)$/;
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

/** The type of a schema of a document of our own, which marks each value that may be null. */
export function typeOf(schema: JsonPlace, nameOf: (component: string) => string): string {
  const options = schema.list('oneOf');
  const [first] = options;
  if (first !== undefined) return typeOf(first, nameOf).replace(/!$/, '');
  const reference = refOf(schema) ?? schema.list('allOf').map(refOf)[0];
  if (reference !== undefined) return `${nameOf(reference)}!`;
  const types = typesOf(schema);
  const mark = types.includes('null') ? '' : '!';
  const items = schema.at('items');
  if (types.includes('array') && items !== undefined) return `[${typeOf(items, nameOf)}]${mark}`;
  if (types.includes('integer') && types.includes('string')) return `ID${mark}`;
  const scalar = scalars.get(types.find((type) => type !== 'null') ?? '');
  return `${scalar ?? 'JSON'}${mark}`;
}

const scalars = new Map(Object.entries({ string: 'String', integer: 'Int', number: 'Float', boolean: 'Boolean' }));

export function refOf(schema: JsonPlace): string | undefined {
  return /^#\/components\/schemas\/(.+)$/.exec(schema.text('$ref') ?? '')?.[1];
}

/** The schema of the elements of a list, at any depth, and without the null beside it. */
function innermost(schema: JsonPlace): JsonPlace {
  const inner = schema.at('items') ?? schema.list('oneOf')[0];
  return inner === undefined ? schema : innermost(inner);
}

function valueTags(schema: JsonPlace, type: string, nameOf: NameOf): readonly DraftTag[] {
  let elements = schema;
  for (let next = elements.at('items'); next !== undefined; next = elements.at('items')) elements = next;
  const ofElements = elements === schema ? [] : constraintTags(elements, bareName(type));
  return [...constraintTags(schema, type), ...ofElements, ...exampleTags(schema, nameOf)];
}
