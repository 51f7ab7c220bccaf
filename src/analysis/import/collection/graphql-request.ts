import {
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  type TypeNode,
  type ValueNode,
} from 'graphql';
import { builtinScalarNames } from '../../../compiler/graph/builtin-scalars.js';
import { standardScalars } from '../../../compiler/graph/standard-scalars.js';
import type { Draft, DraftValue } from '../draft/draft.js';
import { JsonPlace } from '../draft/json-place.js';
import { constantText } from '../graphql/values.js';
import type { SchemaTypes } from '../openapi/schema-types.js';
import { schemaOfExample } from './example-schema.js';
import { jsonOf } from './requests.js';

/** The operation that a GraphQL request calls. */
export interface GraphqlCall {
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly name: string;
  readonly arguments: readonly DraftValue[];
}

/** Reads the documents of GraphQL requests. */
export class GraphqlRequests {
  readonly #draft: Draft;
  readonly #types: SchemaTypes;
  /** The names in the topology of the types of variables. */
  readonly #names = new Map<string, string>();
  /** @param known - The types of the responses, by their names in documents. */
  constructor(draft: Draft, types: SchemaTypes, known: ReadonlyMap<string, string>) {
    this.#draft = draft;
    this.#types = types;
    for (const [name, type] of known) this.#names.set(name, type);
  }

  /** The call of a request; undefined, and reported, if it is none. */
  read(body: JsonPlace, subject: string): GraphqlCall | undefined {
    const operation = this.#parse(body, subject);
    if (operation === undefined) return undefined;
    const fields = operation.selectionSet.selections.filter(
      (one): one is FieldNode => one.kind === Kind.FIELD,
    );
    const [field, other] = fields;
    if (field === undefined) {
      this.#draft.lose(body, subject, 'It does not call an operation.');
      return undefined;
    }
    if (other !== undefined)
      this.#draft.lose(body, subject, `Of its fields, only ${field.name.value} is imported.`);
    const given = body.at('variables');
    const examples = typeof given?.value === 'string' ? jsonOf(given.value) : given?.value;
    const variables = new JsonPlace(examples, `${body.pointer}/variables`);
    const definitions = new Map(operation.variableDefinitions?.map((one) => [one.variable.name.value, one]));
    const args = (field.arguments ?? []).map(({ name, value }): DraftValue => {
      const definition = value.kind === Kind.VARIABLE ? definitions.get(value.name.value) : undefined;
      const example = value.kind === Kind.VARIABLE ? variables.at(value.name.value) : undefined;
      const fallback = definition?.defaultValue && constantText(definition.defaultValue);
      return {
        name: name.value,
        type:
          definition === undefined ? typeOfLiteral(value) : this.#typeText(definition.type, example, body),
        fallback,
        place: body.place,
      };
    });
    return { kind: operation.operation, name: field.name.value, arguments: args };
  }

  #parse(body: JsonPlace, subject: string): OperationDefinitionNode | undefined {
    const text = body.text('query') ?? '';
    try {
      const operation = parse(text).definitions.find((one) => one.kind === Kind.OPERATION_DEFINITION);
      if (operation !== undefined) return operation;
    } catch {
      // Reported below, as a document without an operation.
    }
    this.#draft.lose(body, subject, 'It is not a GraphQL document with an operation.');
    return undefined;
  }

  #typeText(type: TypeNode, example: JsonPlace | undefined, body: JsonPlace): string {
    if (type.kind === Kind.NON_NULL_TYPE) return `${this.#typeText(type.type, example, body)}!`;
    if (type.kind === Kind.LIST_TYPE) return `[${this.#typeText(type.type, example?.at(0), body)}]`;
    const name = type.name.value;
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const made = this.#declare(name, example ?? body);
    this.#names.set(name, made);
    return made;
  }

  /** A type of which only the name and an example are known. */
  #declare(name: string, example: JsonPlace): string {
    if (builtinScalarNames.has(name) || standardScalars.has(name)) return name;
    const { value } = example;
    if (example.isObject && !Object.hasOwn(value as object, 'query')) {
      // The inputs of object types end in `Input`; a topology derives them.
      const object = /^(.+)Input$/.exec(name)?.[1];
      const schema = new JsonPlace(schemaOfExample(value), example.pointer);
      const { type } = this.#types.read(schema, object ?? name, object === undefined ? 'input' : 'output');
      this.#types.readWaiting();
      this.#draft.lose(
        example,
        `type ${name}`,
        'A collection contains only an example of it, so it has the fields of the example.',
      );
      return type;
    }
    return this.#types.scalars.typeOf(name, example.place);
  }
}

function typeOfLiteral(value: ValueNode): string {
  switch (value.kind) {
    case Kind.INT:
      return 'Int';
    case Kind.FLOAT:
      return 'Float';
    case Kind.BOOLEAN:
      return 'Boolean';
    case Kind.STRING:
    case Kind.ENUM:
      return 'String';
    default:
      return 'JSON';
  }
}
