import type { OpenAPIV3_1 } from 'openapi-types';
import type { JsonSchema } from '../openapi/type-schema.js';

/** A schema of AsyncAPI 3.1 (section "Schema Object"): a superset of JSON Schema draft-07. */
export type SchemaObject = Readonly<Record<string, unknown>>;

const componentPrefix = '#/components/schemas/';

/**
 * Turns schemas of OpenAPI 3.1 (JSON Schema 2020-12) into those of AsyncAPI, and collects the components that they need.
 * In draft-07 a reference hides the words beside it (section 8.3 of draft-handrews-json-schema-01), so it moves into an
 * `allOf`. A discriminator of AsyncAPI cannot map names; `__typename` tells the members of a union apart without it.
 */
export class SchemaComponents {
  readonly #used = new Set<string>();

  /** @param all - The schemas that references may name. */
  constructor(private readonly all: ReadonlyMap<string, JsonSchema>) {}

  /** The schema in draft-07; the components that it refers to are used from now on. */
  convert(schema: JsonSchema): SchemaObject {
    return this.#convert(schema) as SchemaObject;
  }

  /** The used components, in the order in which they were given. */
  used(): Record<string, SchemaObject> {
    const converted = new Map<string, SchemaObject>();
    // A set yields what is added to it while it is read.
    for (const name of this.#used) converted.set(name, this.convert(this.all.get(name) as JsonSchema));
    const names = [...this.all.keys()].filter((name) => converted.has(name));
    return Object.fromEntries(names.map((name) => [name, converted.get(name) as SchemaObject]));
  }

  #convert(part: unknown): unknown {
    if (Array.isArray(part)) return part.map((item) => this.#convert(item));
    if (typeof part !== 'object' || part === null) return part;
    const { $ref, discriminator: _, ...words } = part as OpenAPIV3_1.SchemaObject & { $ref?: string };
    const made: Record<string, unknown> = {};
    for (const [word, value] of Object.entries(words)) {
      // Names of properties are no words, and values of these words are no schemas.
      if (word === 'properties') made[word] = this.#properties(value as Record<string, JsonSchema>);
      else made[word] = ofValues.has(word) ? value : this.#convert(value);
    }
    if ($ref === undefined) return made;
    this.#used.add($ref.slice(componentPrefix.length));
    if (Object.keys(made).length === 0) return { $ref };
    return { ...made, allOf: [{ $ref }, ...((made.allOf as SchemaObject[] | undefined) ?? [])] };
  }

  #properties(properties: Readonly<Record<string, JsonSchema>>): Record<string, SchemaObject> {
    const entries = Object.entries(properties);
    return Object.fromEntries(entries.map(([name, schema]) => [name, this.convert(schema)]));
  }
}

const ofValues: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);
