import { describeAccess, describeEnum, withReason } from '../../../compiler/api/access.js';
import { deepestDeclaration, type NamedStep } from '../../../compiler/api/chains/named-steps.js';
import { isRequired } from '../../../compiler/api/is-required.js';
import {
  type Annotations,
  annotate,
  type JsonSchema,
  limitPages,
  setDescription,
} from '../../../compiler/emit/openapi/type-schema.js';
import { remember } from '../../../compiler/graph/maps.js';
import { baseName, nullable, type TypeRef } from '../../../compiler/graph/type-ref.js';
import { isDefaultDescription } from '../../../compiler/schema/edge-rules/edge-rules.js';
import type { GqlArgument, GqlInputType, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { inputTypeOf, namedType } from '../../../compiler/schema/schema-index.js';

/** Schemas of arguments in few tokens: without null where it means no value, with types in place that occur once. */
export class CompactSchemas {
  /** The types that occur more than once, for the keyword `$defs`. */
  readonly shared: Record<string, JsonSchema> = {};
  readonly #uses = new Map<string, number>();
  /** The arguments and fields that take ids, with the steps that give them. */
  readonly #givers = new Map<GqlArgument, Set<NamedStep>>();
  readonly #steps: ReadonlySet<NamedStep>;

  constructor(
    private readonly schema: GqlSchema,
    steps: readonly NamedStep[],
    private readonly pageSize?: number,
  ) {
    this.#steps = new Set(steps);
    for (const { operation, takes } of steps) {
      this.#count(operation.arguments);
      for (const { path, from } of takes) {
        const declaration = deepestDeclaration(schema, operation.arguments, path);
        if (declaration === undefined) throw new Error('invariant: an id is taken by a declared argument');
        remember(this.#givers, declaration, () => new Set<NamedStep>()).add(from);
      }
    }
  }

  argumentsOf({ operation }: NamedStep): JsonSchema & Annotations {
    const made = limitPages(this.#object(operation.arguments), operation, this.pageSize);
    const { deprecated } = operation;
    const text = [ownDescription(operation), describeAccess(operation)].filter(Boolean).join(' ');
    setDescription(made, withReason(text === '' ? undefined : text, deprecated));
    return made;
  }

  #object(declarations: readonly GqlArgument[]): JsonSchema & Annotations {
    const required: string[] = [];
    const properties: Record<string, JsonSchema> = {};
    for (const declaration of declarations) {
      const { name, type, fallback, description, examples } = declaration;
      const property = this.#type(type);
      const givers = [...(this.#givers.get(declaration) ?? [])];
      // Queries may be part of each call, mutations of calls of their own tool only.
      const isGiven = givers.some((giver) => this.#steps.has(giver) || giver.operation.kind === 'query');
      const names = givers.map((giver) => giver.name).join(' or ');
      const origin = givers.length === 0 ? undefined : `${isGiven ? 'Default: from' : 'From'} ${names}.`;
      setDescription(property, [description, origin].filter(Boolean).join(' '));
      annotate(property, examples === undefined ? declaration : { ...declaration, examples: examples.slice(0, 1) });
      if (fallback !== undefined && fallback !== null) property.default = fallback;
      properties[name] = property;
      if (isRequired(declaration) && !isGiven) required.push(name);
    }
    return { type: 'object', properties, ...(required.length > 0 && { required }) };
  }

  #type(type: TypeRef): JsonSchema & Annotations {
    const bare = nullable(type);
    if (bare.kind === 'list') return { type: 'array', items: this.#item(bare.of) };
    const { name } = bare;
    const found = namedType(this.schema, name);
    if (found.kind === 'builtin') return { type: [found.wire.jsonSchema.type].flat()[0] } as JsonSchema;
    if (found.kind === 'scalar') {
      const { description } = found.type;
      const made = { ...found.wire?.jsonSchema } as JsonSchema & Annotations;
      if (found.wire === undefined) setDescription(made, description ?? name);
      return made;
    }
    if ((this.#uses.get(name) ?? 0) < 2) return this.#named(name);
    if (!Object.hasOwn(this.shared, name)) {
      // Entered first, because the type may refer to itself.
      this.shared[name] = {};
      this.shared[name] = this.#named(name);
    }
    return { $ref: `#/$defs/${name}` };
  }

  /** Null is an item of a list like any other. */
  #item(type: TypeRef): JsonSchema {
    const made = this.#type(type);
    return type.kind === 'nonNull' ? made : { anyOf: [made, { type: 'null' }] };
  }

  #named(name: string): JsonSchema & Annotations {
    const input = inputTypeOf(this.schema, name);
    if (input !== undefined) return this.#input(input);
    const found = namedType(this.schema, name);
    if (found.kind !== 'enum') throw new Error(`invariant: ${name} is an input or an enum`);
    const made: JsonSchema & Annotations = { type: 'string', enum: [...found.type.values] };
    setDescription(made, describeEnum(found.type));
    return made;
  }

  #input({ fields, oneOf, description }: GqlInputType): JsonSchema & Annotations {
    const made = this.#object(fields);
    setDescription(made, description);
    return oneOf ? Object.assign(made, { minProperties: 1, maxProperties: 1 }) : made;
  }

  #count(declarations: readonly GqlArgument[]): void {
    for (const { type } of declarations) {
      const name = baseName(type);
      const { kind } = namedType(this.schema, name);
      if (kind === 'builtin' || kind === 'scalar') continue;
      const before = this.#uses.get(name) ?? 0;
      this.#uses.set(name, before + 1);
      const input = inputTypeOf(this.schema, name);
      if (before === 0 && input !== undefined) this.#count(input.fields);
    }
  }
}

/** The description of an operation; undefined if it only repeats the edges of the topology. */
export function ownDescription({ description }: NamedStep['operation']): string | undefined {
  return isDefaultDescription(description) ? undefined : description;
}
