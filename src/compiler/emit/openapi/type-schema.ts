import type { OpenAPIV3_1 } from 'openapi-types';
import { isTextOnly } from '../../../base/json-schema/limits.js';
import { defined } from '../../../base/values/defined.js';
import { withAccess, withReason } from '../../api/access.js';
import { saysAccess } from '../../graph/access.js';
import type { ScalarWire } from '../../graph/builtin-scalars.js';
import type { JsonValue } from '../../graph/json-value.js';
import type { TypeRef } from '../../graph/type-ref.js';
import { type Constraints, multipleComment, type ValueNotes } from '../../graph/value-notes.js';
import { usualPageSize } from '../../schema/cursor.js';
import type { GqlAccess, GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { namedType } from '../../schema/schema-index.js';

export type SchemaObject = OpenAPIV3_1.SchemaObject;
export type ObjectSchema = OpenAPIV3_1.NonArraySchemaObject;
export type ComponentSchemas = Iterable<readonly [string, SchemaObject]>;

/** A JSON Schema in an OpenAPI 3.1 document: in full, or a reference to a component. */
export type JsonSchema = SchemaObject | OpenAPIV3_1.ReferenceObject;

/** Annotations of a schema; OpenAPI 3.1 allows them beside a reference, too. */
export interface Annotations {
  description?: string;
  default?: unknown;
  examples?: unknown[];
}

/** Adds a description if there is one. It changes its argument, because documents have thousands of these. */
export function setDescription(target: { description?: string }, description: string | undefined): void {
  if (description !== undefined && description !== '') target.description = description;
}

/** The schemas of named types in one position of a document. */
export interface NamedSchemas {
  /** The component of a type that is not built in. */
  readonly refOf: (schema: GqlSchema, name: string) => OpenAPIV3_1.ReferenceObject;
  readonly scalar: (wire: ScalarWire) => ScalarWire['jsonSchema'];
}

/** The schemas of values that the server returns. */
export const inAnswers: NamedSchemas = {
  refOf: (_, name) => componentRef(name),
  scalar: ({ jsonSchema }) => jsonSchema,
};

/** The schemas of values in JSON that clients send. */
export const inInputs: NamedSchemas = {
  ...inAnswers,
  scalar: ({ jsonSchema, inputJsonSchema }) => inputJsonSchema ?? jsonSchema,
};

/**
 * The JSON Schema of a type reference: null is allowed exactly where GraphQL allows it. Each call returns a new
 * object, so that the caller may add annotations to it.
 */
export function typeSchema(
  schema: GqlSchema,
  given: TypeRef,
  named: NamedSchemas = inAnswers,
): JsonSchema & Annotations {
  const bare = given.kind === 'nonNull' ? given.of : given;
  const isNullable = bare === given;
  if (bare.kind === 'list') {
    const items = typeSchema(schema, bare.of, named);
    return isNullable ? { type: ['array', 'null'], items } : { type: 'array', items };
  }
  const found = namedType(schema, bare.name);
  if (found.kind !== 'builtin') {
    const reference = named.refOf(schema, bare.name);
    return isNullable ? { oneOf: [reference, { type: 'null' }] } : reference;
  }
  const { type: names, format } = named.scalar(found.wire);
  // Callers may change a document, so that lists are not shared.
  const list: JsonValue[] | undefined = Array.isArray(names) ? [...names] : isNullable ? [names] : undefined;
  if (isNullable) list?.push('null');
  const type = list ?? names;
  return (format === undefined ? { type } : { type, format }) as JsonSchema;
}

export function componentRef(name: string): OpenAPIV3_1.ReferenceObject {
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * Adds the notes of a field or an argument to the schema of its value: constraints in their own keywords, `deprecated`
 * and `examples`; its access, for which there is no keyword, in the description. JSON Schema allows them beside a reference (2020-12, section 8.2.3.1).
 */
export function annotate(made: JsonSchema & Annotations, notes: ValueNotes & GqlAccess): void {
  const { constraints, deprecated, examples } = notes;
  if (constraints !== undefined) {
    const { minItems, maxItems, ...ofElements } = constraints;
    Object.assign(made, defined({ minItems, maxItems }));
    const inner = innermost(made);
    Object.assign(inner, ofElements);
    keepVerdicts(inner, constraints);
  }
  if (deprecated !== undefined) {
    setDescription(made, withReason(made.description, deprecated));
    Object.assign(made, { deprecated: true });
  }
  if (saysAccess(notes)) setDescription(made, withAccess(made.description, notes));
  if (examples !== undefined) made.examples = [...examples];
}

/** The limits of the arguments `first` and `last` of pages: numbers of items. */
export function pageLimits(pageSize: number | false = usualPageSize) {
  return { minimum: 0, ...(pageSize !== false && Number.isFinite(pageSize) && { maximum: pageSize }) };
}

/** Limits `first` and `last` in the schema of the arguments of an operation, if its result has pages. */
export function limitPages<Made extends JsonSchema>(
  made: Made,
  { page }: Pick<GqlOperation, 'page'>,
  pageSize?: number | false,
): Made {
  const properties = page && 'properties' in made ? made.properties : undefined;
  for (const name of ['first', 'last']) {
    const property = properties?.[name];
    if (property !== undefined) Object.assign(property, pageLimits(pageSize));
  }
  return made;
}

/** Changes keywords with which validators would refuse, or accept, other values than the server. */
function keepVerdicts(made: JsonSchema, constraints: Constraints): void {
  const { multipleOf } = constraints;
  if (multipleOf !== undefined && !isExactStep(multipleOf) && 'multipleOf' in made) {
    delete made.multipleOf;
    Object.assign(made, { $comment: multipleComment(multipleOf) });
  }
  if ('type' in made && Array.isArray(made.type) && isTextOnly(constraints)) {
    const types = made.type.filter((type) => type !== 'integer');
    Object.assign(made, { type: types.length === 1 ? types[0] : types });
  }
}

/** Whether a number and its multiples are exact in binary: validators divide floating-point numbers, and 19.9 / 0.01 is none. */
function isExactStep(step: number): boolean {
  return Number.isInteger(step * 2 ** 20);
}

function innermost(made: JsonSchema): JsonSchema {
  return 'items' in made && made.items !== undefined ? innermost(made.items as JsonSchema) : made;
}
