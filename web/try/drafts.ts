import { compileLimits, violation } from '../../src/base/json-schema/limits.js';
import { exampleArgument } from '../../src/compiler/api/examples.js';
import { isRequired } from '../../src/compiler/api/is-required.js';
import type { JsonValue } from '../../src/compiler/graph/json-value.js';
import { isStructured, standardScalars } from '../../src/compiler/graph/standard-scalars.js';
import { nullable, type TypeRef } from '../../src/compiler/graph/type-ref.js';
import type { Constraints } from '../../src/compiler/graph/value-notes.js';
import type { GqlArgument, GqlSchema } from '../../src/compiler/schema/gql-schema.js';
import { inputTypeOf, namedType } from '../../src/compiler/schema/schema-index.js';
import { leafText } from '../../src/compiler/schema/wire.js';
import { isJsonObject } from '../../src/runtime/limits/parse-json.js';

/**
 * A value as it is in the form: the text of a control, a list, or the members of an input that are given. Plain data,
 * so that a session can keep it, also while a text is no value yet.
 */
export type Draft = null | string | readonly Draft[] | Drafts;

/** The arguments or members that are given, by name. */
export interface Drafts {
  readonly [name: string]: Draft;
}

/** The form of an operation at first: its required arguments with examples. */
export function initialDrafts(schema: GqlSchema, args: readonly GqlArgument[]): Drafts {
  const required = args.filter(isRequired).map((argument) => [argument.name, exampleDraft(schema, argument)]);
  return Object.fromEntries(required);
}

/** The example of an argument, in inputs without the members that may be left out. */
export function exampleDraft(schema: GqlSchema, argument: GqlArgument): Draft {
  return draftOf(schema, argument.type, exampleArgument(schema, argument), isRequired);
}

/** A further element of a list. */
export function exampleElement(schema: GqlSchema, { name, ...argument }: GqlArgument, of: TypeRef): Draft {
  const { examples: _, constraints, ...rest } = argument;
  const { minItems: __, maxItems: ___, ...ofElement } = constraints ?? {};
  return exampleDraft(schema, { ...rest, name, type: of, fallback: undefined, constraints: ofElement });
}

/** The form of a JSON value. @param isKept - Whether a member of an input is given, if the value has it. */
export function draftOf(
  schema: GqlSchema,
  type: TypeRef,
  value: JsonValue,
  isKept: (field: GqlArgument) => boolean = () => true,
): Draft {
  if (value === null) return null;
  const bare = nullable(type);
  if (bare.kind === 'list') {
    // GraphQL accepts a single value as a list of one (October 2021, section 3.11).
    const items = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
    return items.map((item) => draftOf(schema, bare.of, item, isKept));
  }
  const input = inputTypeOf(schema, bare.name);
  if (input === undefined) return leafDraft(schema, bare.name, value);
  if (!isJsonObject(value)) return {};
  const kept = input.fields.filter(
    (field) => Object.hasOwn(value, field.name) && (input.oneOf === true || isKept(field)),
  );
  return Object.fromEntries(
    kept.map((field) => [field.name, draftOf(schema, field.type, value[field.name] as JsonValue, isKept)]),
  );
}

/** The JSON value of a draft. Text that is not a value of its type stays text, which the server rejects. */
export function jsonOf(schema: GqlSchema, type: TypeRef, draft: Draft): JsonValue {
  if (draft === null) return null;
  const bare = nullable(type);
  if (bare.kind === 'list') return (draft as readonly Draft[]).map((item) => jsonOf(schema, bare.of, item));
  const input = inputTypeOf(schema, bare.name);
  if (input !== undefined) return argumentsOf(schema, input.fields, draft as Drafts);
  return leafValue(schema, bare.name, draft as string) ?? (draft as string);
}

/** The JSON values of the given arguments, in their order. */
export function argumentsOf(schema: GqlSchema, args: readonly GqlArgument[], drafts: Drafts) {
  const given = args.filter(({ name }) => Object.hasOwn(drafts, name));
  return Object.fromEntries(given.map(({ name, type }) => [name, jsonOf(schema, type, drafts[name] as Draft)]));
}

/** Drafts of an earlier topology, without those that do not fit this one. */
export function fitDrafts(schema: GqlSchema, args: readonly GqlArgument[], drafts: Drafts): Drafts {
  const fitting = args.flatMap(({ name, type }) => {
    const draft = Object.hasOwn(drafts, name) ? fitDraft(schema, type, drafts[name] as Draft) : undefined;
    return draft === undefined ? [] : [[name, draft]];
  });
  return Object.fromEntries(fitting);
}

/** Why the text of a control is not a valid value of its type; undefined if it is valid. */
export function problemOf(schema: GqlSchema, name: string, text: string, constraints: Constraints | undefined) {
  const value = leafValue(schema, name, text);
  if (value === undefined) {
    const found = namedType(schema, name);
    const wire = found.kind === 'builtin' || found.kind === 'scalar' ? found.wire : undefined;
    return `Expected ${wire?.expected ?? `a value of ${name}`}.`;
  }
  // The server checks formats.
  const reason = constraints && violation(compileLimits(constraints), value);
  return reason && `The value ${reason}.`;
}

/** Whether a leaf is written as JSON: a scalar whose values may be objects, and any custom scalar. */
export function isJsonLeaf(schema: GqlSchema, name: string): boolean {
  const found = namedType(schema, name);
  if (found.kind !== 'scalar') return false;
  const standard = found.type.standard === true ? standardScalars.get(name) : undefined;
  return standard === undefined || isStructured(standard);
}

function fitDraft(schema: GqlSchema, type: TypeRef, draft: Draft): Draft | undefined {
  if (draft === null) return type.kind === 'nonNull' ? undefined : null;
  const bare = nullable(type);
  if (bare.kind === 'list') {
    if (!Array.isArray(draft)) return undefined;
    return (draft as readonly Draft[]).flatMap((item) => {
      const fitting = fitDraft(schema, bare.of, item);
      return fitting === undefined ? [] : [fitting];
    });
  }
  const input = inputTypeOf(schema, bare.name);
  if (input !== undefined) return isJsonObject(draft) ? fitDrafts(schema, input.fields, draft as Drafts) : undefined;
  if (typeof draft !== 'string') return undefined;
  const found = namedType(schema, bare.name);
  return found.kind === 'enum' && !found.type.values.includes(draft) ? undefined : draft;
}

function leafDraft(schema: GqlSchema, name: string, value: JsonValue): string {
  if (!isJsonLeaf(schema, name)) return leafText(value);
  // A text of a custom scalar stands as it is, unless it reads as another value.
  return typeof value === 'string' && parseJson(value) === undefined ? value : JSON.stringify(value, null, 2);
}

function leafValue(schema: GqlSchema, name: string, text: string): JsonValue | undefined {
  const found = namedType(schema, name);
  switch (found.kind) {
    case 'builtin':
      return found.wire.fromText(text.trim() === '' ? text : name === 'String' || name === 'ID' ? text : text.trim());
    case 'scalar': {
      if (!isJsonLeaf(schema, name)) return found.wire?.fromText(text);
      const value = parseJson(text);
      if (found.wire === undefined) return value ?? text;
      return value === undefined ? undefined : found.wire.fromJson(value);
    }
    default:
      return text;
  }
}

/** The value of a JSON text; undefined if it is none. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
