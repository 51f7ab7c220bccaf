import { Kind, type OperationDefinitionNode, parse, type TypeNode, type ValueNode } from 'graphql';
import { JsonPlace } from '../../../base/source/json-place.js';
import { builtinScalarNames } from '../../../compiler/graph/builtin-scalars.js';
import { remember } from '../../../compiler/graph/maps.js';
import { fileScalar, standardScalars } from '../../../compiler/graph/standard-scalars.js';
import { bareName, type Draft, type DraftValue } from '../draft/draft.js';
import { singleFile } from '../draft/operation-edge.js';
import { constantText } from '../graphql/values.js';
import type { SchemaTypes } from '../openapi/schema-types.js';
import { aFile, schemaOfExample } from './example-schema.js';
import { type CollectionCall, jsonOf } from './requests.js';

export class GraphqlRequests {
  /** The names in the topology of the types of variables. */
  readonly #names: Map<string, string>;
  /** How many files the types of arguments have. */
  readonly #files = new Map([[fileScalar, 1]]);

  /**
   * @param known - The types of the responses, by their names in documents.
   * @param objects - The schemas of the object types among them, by the names of their inputs.
   */
  constructor(
    private readonly draft: Draft,
    private readonly types: SchemaTypes,
    known: ReadonlyMap<string, string>,
    private readonly objects: Map<string, JsonPlace>,
  ) {
    this.#names = new Map(known);
  }

  /** The call of a request; undefined, and reported, if it is none. */
  read(body: JsonPlace, subject: string): CollectionCall | undefined {
    const operation = this.#parse(body, subject);
    if (operation === undefined) return undefined;
    const [field, other] = operation.selectionSet.selections.filter((one) => one.kind === Kind.FIELD);
    if (field === undefined) return this.draft.lose(body, subject, 'It does not call an operation.');
    if (other !== undefined) this.draft.lose(body, subject, `Of its fields, only ${field.name.value} is imported.`);
    const given = body.at('variables');
    const examples = typeof given?.value === 'string' ? jsonOf(given.value) : given?.value;
    const variables = new JsonPlace(examples, `${body.pointer}/variables`);
    const definitions = new Map(operation.variableDefinitions?.map((one) => [one.variable.name.value, one]));
    const args = (field.arguments ?? []).map(({ name, value }): DraftValue => {
      const variable = value.kind === Kind.VARIABLE ? value.name.value : undefined;
      const { type, defaultValue } = definitions.get(variable ?? '') ?? {};
      const written = type && this.#typeText(type, variables.at(variable ?? ''), body);
      return {
        name: name.value,
        type: written ?? typesOfLiterals[value.kind] ?? 'JSON',
        fallback: defaultValue && constantText(defaultValue),
        place: body.place,
      };
    });
    for (const path of body.texts('unread')) this.draft.lose(body, `file ${path}`, whereFilesAre);
    const kind = operation.operation;
    return { kind, name: field.name.value, arguments: this.#withFiles(kind, args), settings: [] };
  }

  /** Only mutations take files, and several only if each is required (GG3095, GG3097). */
  #withFiles(kind: string, args: readonly DraftValue[]): readonly DraftValue[] {
    const filesOf = ({ type }: DraftValue) => this.#files.get(bareName(type)) ?? 0;
    const count = args.reduce((sum, one) => sum + filesOf(one), 0);
    if (count > 0) this.draft.reserveTypeNames([fileScalar]);
    return args.map((argument) => {
      const { name, type, place } = argument;
      if (filesOf(argument) === 0) return argument;
      const isMutation = kind === 'mutation';
      const reason = isMutation ? singleFile : 'Only mutations take files.';
      if (!isMutation || type.includes('[')) this.draft.lose(place, `argument ${name}`, reason);
      const single = isMutation ? type.replace(/[[\]!]/g, '') : 'JSON';
      return { ...argument, type: /!$/.test(type) || count > 1 ? `${single}!` : single };
    });
  }

  #parse(body: JsonPlace, subject: string): OperationDefinitionNode | undefined {
    const text = body.text('query') ?? '';
    try {
      const operation = parse(text).definitions.find((one) => one.kind === Kind.OPERATION_DEFINITION);
      if (operation !== undefined) return operation;
    } catch {
      // Reported below, as a document without an operation.
    }
    return this.draft.lose(body, subject, 'It is not a GraphQL document with an operation.');
  }

  #typeText(type: TypeNode, example: JsonPlace | undefined, body: JsonPlace): string {
    if (type.kind === Kind.NON_NULL_TYPE) return `${this.#typeText(type.type, example, body)}!`;
    if (type.kind === Kind.LIST_TYPE) {
      const item = example?.value === aFile ? example : example?.at(0);
      return `[${this.#typeText(type.type, item, body)}]`;
    }
    const name = example?.value === aFile ? fileScalar : type.name.value;
    if (example !== undefined) this.#declareOwnInput(name, example);
    return remember(this.#names, name, () => this.#declare(name, example ?? body));
  }

  /** An input with members that the object type of its name lacks takes the place of the derived one. */
  #declareOwnInput(name: string, example: JsonPlace): void {
    const fields = this.objects.get(name)?.at('properties');
    if (fields === undefined) return;
    const members = example.entries();
    if (members.every(([member]) => fields.has(member))) {
      for (const [member, value] of members) {
        const [, of] = /"#\/definitions\/(\w+)"/.exec(JSON.stringify(fields.at(member)?.value)) ?? [];
        if (of !== undefined) this.#declareOwnInput(`${of}Input`, value.at(0) ?? value);
      }
      return;
    }
    this.objects.delete(name);
    const schema = new JsonPlace(schemaOfExample(example.value), example.pointer);
    this.types.read(schema, name, 'input');
    this.types.readWaiting();
    this.draft.lose(example, `type ${name}`, ofExample);
  }

  #declare(name: string, example: JsonPlace): string {
    if (builtinScalarNames.has(name) || standardScalars.has(name)) return name;
    const { value } = example;
    if (example.isObject && !Object.hasOwn(value as object, 'query')) {
      // The inputs of object types end in `Input`; a topology derives them.
      const object = /^(.+)Input$/.exec(name)?.[1];
      const schema = new JsonPlace(schemaOfExample(value), example.pointer);
      const { type } = this.types.read(schema, object ?? name, object === undefined ? 'input' : 'output');
      this.types.readWaiting();
      const files = Object.values(value as object).filter((member) => member === aFile);
      if (files.length > 0) this.#files.set(type, files.length);
      this.draft.lose(example, `type ${name}`, ofExample);
      return type;
    }
    return this.types.scalarOf(name, example.place);
  }
}

const ofExample = 'A collection contains only an example of it, so it has the fields of the example.';

const whereFilesAre = 'A form has one file for each argument, and for each field of an input that is one.';

const typesOfLiterals: Readonly<Partial<Record<ValueNode['kind'], string>>> = {
  IntValue: 'Int',
  FloatValue: 'Float',
  BooleanValue: 'Boolean',
  StringValue: 'String',
  EnumValue: 'String',
};
