import type { JsonPlace } from '../../../base/source/json-place.js';
import { ifGiven, remember } from '../../../compiler/graph/maps.js';
import { capitalized } from '../../../compiler/graph/names.js';
import { bareName, type Draft, type DraftValue, implementsSetting, nearestName, nodeIdOf } from '../draft/draft.js';
import { type EnumNames, enumNamesOf, spellingTags } from './enum-names.js';
import { hasTargetName, RaceTypes } from './race-types.js';
import type { References } from './references.js';
import {
  choiceKey,
  idName,
  isOfTypenames,
  type ObjectParts,
  otherMembers,
  scalarOf,
  scalarWord,
  shapeOf,
  typesOf,
} from './schema-parts.js';
import type { UnreadWords } from './unread-words.js';
import {
  constraintTags,
  defaultText,
  deprecatedTags,
  exampleTags,
  type NameOf,
  pageTags,
  takenWords,
} from './value-tags.js';

/** Whether the server returns values of a schema, or callers give them. */
export type SchemaUse = 'output' | 'input';

export interface SchemaType {
  /** Without `!` at the end. */
  readonly type: string;
  readonly isNullable: boolean;
}

/** A type that becomes a node once all schemas are read. */
interface TypeDraft {
  readonly typeName: string;
  readonly place: JsonPlace;
  readonly labels: readonly string[];
  readonly description: string | undefined;
  readonly values?: EnumNames;
  readonly interfaces: Set<string>;
  fields: readonly DraftValue[];
}

/** The types of the schemas of a document. Each object is read once, and after the objects that refer to it. */
export class SchemaTypes {
  readonly #types = new Map<string, TypeDraft>();
  readonly #byName = new Map<string, TypeDraft>();
  /** The scalars of a collection; only their names are known. */
  readonly #scalars = new Map<string, string>();
  readonly #races = new RaceTypes();
  readonly #waiting: (() => void)[] = [];
  readonly #open = new Set<string>();

  /** @param words - Reports the words of schemas that the topology does not keep. */
  constructor(
    private readonly draft: Draft,
    private readonly references: References,
    private readonly words?: UnreadWords,
  ) {
    draft.reserveTypeNames(['JSON', 'JSONObject', 'Date', 'DateTime', 'UUID', 'Byte', 'SafeInt']);
  }

  /**
   * The type of a schema.
   *
   * @param hint - The name of a type that the schema itself does not name.
   */
  read(from: JsonPlace, hint: string, use: SchemaUse): SchemaType {
    const schema = this.references.resolve(from);
    if (schema === undefined) return anything;
    const name = this.references.nameOf(schema) ?? hint;
    if (this.#open.has(schema.pointer)) {
      this.draft.loseOnce(schema, `schema ${name}`, 'It contains itself, so its values have the type JSON.');
      return anything;
    }
    this.#open.add(schema.pointer);
    this.words?.addSchema(schema, `schema ${name}`);
    if (from !== schema) this.words?.addSchema(from, `schema ${hint}`);
    const read = this.#readShape(schema, name, use);
    this.#open.delete(schema.pointer);
    this.words?.take(from, 'nullable');
    const isOutside = from !== schema && (from.flag('nullable') || typesOf(from).includes('null'));
    return isOutside ? { ...read, isNullable: true } : read;
  }

  /** Whether the values of a type are scalars or values of an enum. */
  isLeaf(type: string): boolean {
    const draft = this.#byName.get(bareName(type));
    return !type.startsWith('[') && (draft === undefined || draft.values !== undefined);
  }

  enumName(type: string): NameOf {
    return (value) => this.#byName.get(bareName(type))?.values?.get(value);
  }

  /** A property or a parameter as a field or an argument; undefined, and reported, if a topology cannot express it. */
  valueOf(
    given: string,
    schema: JsonPlace,
    { of, use, isRequired, hint }: { of: string; use: SchemaUse; isRequired: boolean; hint: string },
  ): DraftValue | undefined {
    const { draft, words } = this;
    const name = nearestName(given);
    const subject = `${use === 'output' ? 'field' : 'argument'} ${given} of ${of}`;
    if (name === undefined)
      return draft.lose(schema, subject, 'It contains no letters, so it cannot be the name of a field.');
    if (name !== given) draft.lose(schema, subject, `It is named ${name}: names have letters, digits and _ only.`);
    const read = this.read(schema, hint, use);
    const resolved = this.references.resolve(schema) ?? schema;
    const isId = idName.test(name) && !resolved.has('format');
    const type = isId && read.type === 'String' ? 'ID' : isId && isUnbound(read, resolved) ? 'SafeInt' : read.type;
    const nameOf = this.enumName(type);
    const holder = schema.has('default') ? schema : resolved;
    const constant = use === 'input' ? holder.at('default') : undefined;
    const fallback = constant && defaultText(draft, constant, subject, nameOf);
    const isNonNull = !read.isNullable && fallback !== 'null' && (isRequired || fallback !== undefined);
    const ofList = resolved.at('items');
    const items = ofList && this.references.resolve(ofList);
    const ofItems = items === undefined ? [] : constraintTags(items, type.replace(/[[\]]/g, ''));
    const ofValue = constraintTags(resolved, type);
    const examples = exampleTags(resolved, nameOf);
    if (constant !== undefined) words?.take(holder, 'default');
    words?.take(schema, 'deprecated', 'description');
    if (!schema.has('description')) words?.take(resolved, 'description');
    words?.take(resolved, ...takenWords([...ofValue, ...examples]));
    if (items !== undefined) words?.take(items, ...takenWords(ofItems));
    const pages = pageTags(draft, schema, subject);
    const sentAs = use === 'output' ? schema.text('x-header') : undefined;
    const headers = ifGiven(sentAs, (text) => ({ name: 'header', text }));
    return {
      name,
      type: isNonNull ? `${type}!` : type,
      description: schema.text('description') ?? resolved.text('description'),
      tags: [...headers, ...ofValue, ...ofItems, ...deprecatedTags(schema), ...examples, ...pages],
      fallback,
      place: schema.place,
    };
  }

  /**
   * Adds a field for a header to a type, once. False if another field has its name, and undefined if the type is no object.
   */
  addField(type: string, name: string, make: () => DraftValue | undefined): boolean | undefined {
    const object = this.#byName.get(type.replace(/!$/, ''));
    if (object === undefined || object.labels.length > 0) return undefined;
    const known = object.fields.find((field) => field.name === name);
    const made = make();
    if (known === undefined && made !== undefined) object.fields = [...object.fields, made];
    return known === undefined || headerOf(known) === headerOf(made);
  }

  readWaiting(): void {
    for (let at = 0; at < this.#waiting.length; at++) this.#waiting[at]?.();
    this.#waiting.length = 0;
  }

  addNodes(): void {
    this.#races.addEdges(this.draft, (type) => this.idOf(type));
    for (const { typeName, place, labels, description, values, interfaces, fields } of this.#types.values()) {
      if (values === undefined && fields.length === 0) this.draft.lose(place, `type ${typeName}`, 'It has no fields.');
      this.draft.addNode({
        typeName,
        labels,
        settings: implementsSetting(interfaces, place.place),
        fields,
        values: [...(values ?? [])].map(([spelling, name]) => ({
          ...{ name, tags: spellingTags(spelling, name) },
          place: place.place,
        })),
        description,
        place: place.place,
      });
    }
  }

  /** The type in the topology of a scalar of which only the name that documents have for it is known. */
  scalarOf(name: string, place: string): string {
    return remember(this.#scalars, name, () => {
      const typeName = this.draft.takeTypeName(name, place, false);
      this.draft.addNode({ typeName, place, labels: ['Scalar'] });
      this.draft.lose(place, `type ${name}`, 'A collection does not define it, so it becomes a scalar.');
      return typeName;
    });
  }

  /** The id of the node of a type; undefined for a scalar. */
  idOf(typeName: string): string | undefined {
    return this.#byName.has(typeName) ? nodeIdOf(typeName) : undefined;
  }

  /** The id of the node that an operation leads to that returns a type; undefined if there is none. */
  targetOf(type: string, isMutation: boolean): string | undefined {
    const target = this.#races.targetOf(type, isMutation);
    return target === type ? this.idOf(type) : target && nodeIdOf(target);
  }

  #readShape(schema: JsonPlace, name: string, use: SchemaUse): SchemaType {
    const { shape, isNullable } = shapeOf(schema, this.references);
    this.words?.takeShape(schema, shape.kind);
    switch (shape.kind) {
      case 'same': {
        const inner = this.read(shape.as, name, use);
        return { type: inner.type, isNullable: isNullable || inner.isNullable };
      }
      case 'list': {
        const items = shape.items === undefined ? anything : this.read(shape.items, `${name}Item`, use);
        return { type: `[${items.type}${items.isNullable ? '' : '!'}]`, isNullable };
      }
      case 'object':
        return { type: this.#objectType(schema, shape.parts, name, use), isNullable };
      case 'enum':
        return { type: this.#enumType(schema, shape.values, name), isNullable };
      case 'choice':
        return { type: this.#choiceType(schema, shape.options, name, use), isNullable };
      default:
        if (schema.has(scalarWord)) return { type: this.scalarOf(name, schema.place), isNullable: false };
        return { type: scalarOf(this.draft, schema, shape.kind, name), isNullable };
    }
  }

  #objectType(schema: JsonPlace, parts: ObjectParts, name: string, use: SchemaUse): string {
    const key = `${use} ${schema.pointer}`;
    const known = this.#types.get(key);
    if (known !== undefined) return known.typeName;
    const returned = use === 'input' ? this.#types.get(`output ${schema.pointer}`) : undefined;
    const isNamed = this.references.nameOf(schema) !== undefined && returned === undefined;
    const wanted = returned === undefined ? name : `${returned.typeName}Body`;
    const labels = use === 'input' ? ['Input'] : [];
    const made = this.#take(key, wanted, schema, { labels, description: parts.description }, isNamed);
    if (parts.others !== undefined) this.draft.loseOnce(parts.others, `type ${made.typeName}`, otherMembers);
    this.#waiting.push(() => {
      made.fields = this.fieldsOf(parts, made.typeName, use);
    });
    return made.typeName;
  }

  fieldsOf({ properties, required }: ObjectParts, of: string, use: SchemaUse, hint = of) {
    const fields = new Map<string, DraftValue>();
    for (const [name, property] of properties) {
      const resolved = this.references.resolve(property) ?? property;
      if (resolved.flag(use === 'output' ? 'writeOnly' : 'readOnly')) continue;
      const isRequired = required.has(name);
      const field = this.valueOf(name, property, { of, use, isRequired, hint: `${hint}${pascal(name)}` });
      if (field === undefined) continue;
      let free = field.name;
      for (let number = 2; fields.has(free); number++) free = `${field.name}${number}`;
      const reason = `It is named ${free}: another field has this name.`;
      if (free !== field.name) this.draft.lose(property, `field ${name} of ${of}`, reason);
      fields.set(free, { ...field, name: free });
    }
    return [...fields.values()];
  }

  #enumType(schema: JsonPlace, values: readonly string[], name: string): string {
    if (values.length === 1 && this.references.nameOf(schema) === undefined) return 'String';
    this.words?.take(schema, 'enum', 'const', 'description');
    const known = this.#types.get(schema.pointer);
    if (known !== undefined) return known.typeName;
    const names = enumNamesOf(schema, values);
    if (typeof names === 'string') {
      const reason = `Its value ${JSON.stringify(names)} cannot have a name, so the values have the type String.`;
      this.draft.lose(schema, `enum ${name}`, reason);
      return 'String';
    }
    const parts = { labels: ['Enum'], values: names };
    return this.#take(schema.pointer, name, schema, parts).typeName;
  }

  #choiceType(schema: JsonPlace, given: readonly JsonPlace[], name: string, use: SchemaUse): string {
    const options = given.flatMap((option) => this.references.resolve(option) ?? []);
    const shapes = options.map((option) => shapeOf(option, this.references).shape);
    const isAll = (...kinds: readonly string[]) =>
      shapes.length > 0 && shapes.every(({ kind }) => kinds.includes(kind));
    if (isAll('enum')) {
      const values = shapes.flatMap((shape) => (shape.kind === 'enum' ? shape.values : []));
      return this.#enumType(schema, values, name);
    }
    if (isAll('enum', 'text')) return 'String';
    if (isAll('integer', 'number')) return 'Float';
    if (isAll('object') && use === 'output') {
      const parts = shapes.flatMap((shape) => (shape.kind === 'object' ? [shape.parts] : []));
      const isUnion = isOfTypenames(schema);
      const type =
        (isUnion && hasTargetName(name) ? undefined : this.#interfaceType(schema, options, parts, name)) ??
        (isUnion ? this.#unionType(schema, options, name) : undefined);
      if (type !== undefined) return type;
    }
    const reason =
      use === 'input' && isAll('object')
        ? 'An input cannot be a union, so its values have the type JSON.'
        : 'Its options are not objects that share members, so its values have the type JSON.';
    this.draft.lose(schema, `schema ${name}`, reason);
    return 'JSON';
  }

  /** An interface with the members that all options have alike; undefined if they have none. */
  #interfaceType(schema: JsonPlace, options: readonly JsonPlace[], parts: readonly ObjectParts[], name: string) {
    const known = this.#types.get(schema.pointer);
    if (known !== undefined) return known.typeName;
    const [first, ...others] = parts;
    if (first === undefined) return undefined;
    const keyOf = ({ properties, required }: ObjectParts, member: string): string | undefined => {
      const property = properties.get(member);
      const key = property && choiceKey(property, this.references);
      return key && `${key} ${required.has(member)}`;
    };
    const common = new Map(
      [...first.properties].filter(([member]) => {
        const key = keyOf(first, member);
        return key !== undefined && others.every((other) => keyOf(other, member) === key);
      }),
    );
    if (common.size === 0) return undefined;
    const made = this.#take(schema.pointer, name, schema, { labels: ['Interface'] });
    const reason = 'It becomes an interface with the members that all its options have.';
    this.draft.lose(schema, `schema ${name}`, reason);
    for (const [at, option] of options.entries()) {
      const named = this.references.nameOf(option) ?? option.text('title');
      const wanted = named ?? `${made.typeName}Option${at + 1}`;
      const type = this.#objectType(option, parts[at] as ObjectParts, wanted, 'output');
      this.#byName.get(type)?.interfaces.add(made.typeName);
    }
    this.#waiting.push(() => {
      made.fields = this.fieldsOf({ ...first, properties: common }, made.typeName, 'output');
    });
    return made.typeName;
  }

  /** A union; undefined if nothing can have its name. */
  #unionType(schema: JsonPlace, options: readonly JsonPlace[], name: string): string | undefined {
    if (nearestName(name) !== name) return undefined;
    const members = options.map((option) => this.read(option, `${name}Option`, 'output').type);
    this.#races.add(name, members, schema.place);
    return name;
  }

  #take(
    key: string,
    wanted: string,
    place: JsonPlace,
    parts: Pick<TypeDraft, 'labels'> & Partial<TypeDraft>,
    isGiven = this.references.nameOf(place) !== undefined,
  ): TypeDraft {
    const isObject = parts.labels.length === 0;
    const name = isGiven ? wanted : pascal(wanted);
    // An input may take the place of the one that a topology derives from an object type.
    const isInput = parts.labels.includes('Input');
    const typeName = this.draft.takeTypeName(name, place.place, isObject, isGiven, isInput);
    const empty = { description: place.text('description'), interfaces: new Set<string>(), fields: [] };
    const made: TypeDraft = { typeName, place, ...empty, ...parts };
    this.#types.set(key, made);
    this.#byName.set(typeName, made);
    return made;
  }
}

function headerOf(field: DraftValue | undefined): string | undefined {
  return field?.tags?.find(({ name }) => name === 'header')?.text.toLowerCase();
}

/** Whether nothing shows how large an integer is: ids outgrow 32 bits. */
function isUnbound({ type }: SchemaType, schema: JsonPlace): boolean {
  const words = ['maximum', 'exclusiveMaximum', 'default', 'example', 'examples'];
  return type === 'Int' && !words.some((word) => schema.has(word));
}

const anything: SchemaType = { type: 'JSON', isNullable: true };

/** The words of a name in one, each with a capital letter. */
export function pascal(text: string): string {
  return capitalized(nearestName(text) ?? '');
}
