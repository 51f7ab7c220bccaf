import { Kind, type OperationDefinitionNode, parse, type TypeNode, type ValueNode } from 'graphql';
import { JsonPlace } from '../../../base/source/json-place.js';
import { builtinScalarNames } from '../../../compiler/graph/builtin-scalars.js';
import { remember } from '../../../compiler/graph/maps.js';
import { standardScalars } from '../../../compiler/graph/standard-scalars.js';
import type { Draft, DraftValue } from '../draft/draft.js';
import { constantText } from '../graphql/values.js';
import type { SchemaTypes } from '../openapi/schema-types.js';
import { schemaOfExample } from './example-schema.js';
import { type CollectionCall, jsonOf } from './requests.js';

export class GraphqlRequests {
  /** The names in the topology of the types of variables. */
  readonly #names: Map<string, string>;

  /** @param known - The types of the responses, by their names in documents. */
  constructor(
    private readonly draft: Draft,
    private readonly types: SchemaTypes,
    known: ReadonlyMap<string, string>,
  ) {
    this.#names = new Map(known);
  }

  /** The call of a request; undefined, and reported, if it is none. */
  read(body: JsonPlace, subject: string): CollectionCall | undefined {
    const operation = this.#parse(body, subject);
    if (operation === undefined) return undefined;
    const [field, other] = operation.selectionSet.selections.filter((one) => one.kind === Kind.FIELD);
    if (field === undefined) return this.draft.lose(body, subject, 'It does not call an operation.');
    if (other !== undefined)
      this.draft.lose(body, subject, `Of its fields, only ${field.name.value} is imported.`);
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
    return { kind: operation.operation, name: field.name.value, arguments: args, settings: [] };
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
    if (type.kind === Kind.LIST_TYPE) return `[${this.#typeText(type.type, example?.at(0), body)}]`;
    const name = type.name.value;
    return remember(this.#names, name, () => this.#declare(name, example ?? body));
  }

  /** A type of which only the name and an example are known. */
  #declare(name: string, example: JsonPlace): string {
    if (builtinScalarNames.has(name) || standardScalars.has(name)) return name;
    const { value } = example;
    if (example.isObject && !Object.hasOwn(value as object, 'query')) {
      // The inputs of object types end in `Input`; a topology derives them.
      const object = /^(.+)Input$/.exec(name)?.[1];
      const schema = new JsonPlace(schemaOfExample(value), example.pointer);
      const { type } = this.types.read(schema, object ?? name, object === undefined ? 'input' : 'output');
      this.types.readWaiting();
      const reason = 'A collection contains only an example of it, so it has the fields of the example.';
      this.draft.lose(example, `type ${name}`, reason);
      return type;
    }
    return this.types.scalarOf(name, example.place);
  }
}

const typesOfLiterals: Readonly<Partial<Record<ValueNode['kind'], string>>> = {
  IntValue: 'Int',
  FloatValue: 'Float',
  BooleanValue: 'Boolean',
  StringValue: 'String',
  EnumValue: 'String',
};
