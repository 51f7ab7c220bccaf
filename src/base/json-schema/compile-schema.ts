import { shownValue } from '../diagnostics/shown-value.js';
import { followReference } from '../source/json-pointer.js';
import { checkOne, compileLimits, type FormatLookup, type Limits } from './limits.js';
import { sameJson } from './same-json.js';

/** The keywords of JSON Schema 2020-12 that schemas of gg-svc have. Others only annotate. */
export interface JsonSchema extends Limits {
  readonly description?: string;
  readonly $ref?: string;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly required?: readonly string[];
  /** Null alone can be excluded, whatever other values are. */
  readonly not?: { readonly type: 'null' };
  /** Whether a text is valid, where keywords cannot say it. */
  readonly accepts?: (text: string) => boolean;
}

/** A place in a value that does not fit a schema. */
export interface SchemaMisfit {
  readonly path: readonly (string | number)[];
  readonly keyword: 'type' | 'const' | 'enum' | 'limits' | 'options' | 'required' | 'additionalProperties';
  readonly schema: JsonSchema;
  readonly value: unknown;
  /** The end of a sentence: `must be at least 1`. */
  readonly reason: string;
}

export interface SchemaOptions {
  /** The document that references point into. */
  readonly document?: object;
  /** The checks of formats. Default: formats only annotate. */
  readonly formatOf?: FormatLookup;
  /** The maximum number of misfits. */
  readonly most?: number;
}

/** Finds the places in a value that do not fit; none if it is valid. */
export type SchemaCheck = (value: unknown) => readonly SchemaMisfit[];

/**
 * Compiles a schema. The only validator of gg-svc: responses, arguments, scalars, the project file and the records of
 * federation are checked by it, or by the limits that it checks by. A member that is undefined is absent.
 */
export function compileSchema(
  root: JsonSchema,
  { document, formatOf, most = Infinity }: SchemaOptions = {},
): SchemaCheck {
  const references = new Map<string, Checker>();
  const compile = (schema: JsonSchema): Checker => {
    const { $ref, allOf = [], anyOf, oneOf, accepts, enum: values } = schema;
    const parts = [
      ...($ref === undefined ? [] : [referenceTo($ref)]),
      ...allOf.map(compile),
      ...(anyOf === undefined ? [] : [oneOption(schema, anyOf, false)]),
      ...(oneOf === undefined ? [] : [oneOption(schema, oneOf, true)]),
    ];
    const types = schema.type === undefined ? undefined : [schema.type].flat();
    const hasConst = 'const' in schema;
    const limits = compileLimits(schema, formatOf);
    const misfit = misfitOf(schema);
    const inner = [itemsOf(schema), membersOf(schema)].filter((one) => one !== undefined);
    const refusesNull = schema.not !== undefined;
    return (value, found) => {
      if (refusesNull && value === null) found.push(misfit('type', value, 'must not be null'));
      for (const part of parts) part(value, found);
      if (types?.some((type) => isOfType(value, type)) === false) {
        found.push(misfit('type', value, `must be ${types.join(' or ')}, not ${shownValue(value)}`));
        return;
      }
      if (hasConst && !sameJson(schema.const, value))
        found.push(misfit('const', value, `must be ${JSON.stringify(schema.const)}, not ${shownValue(value)}`));
      if (values?.some((one) => sameJson(one, value)) === false) {
        const all = values.map((one) => JSON.stringify(one)).join(', ');
        found.push(misfit('enum', value, `must be one of ${all}, not ${shownValue(value)}`));
      }
      const reason = checkOne(limits, value);
      if (reason !== undefined) found.push(misfit('limits', value, reason));
      else if (accepts !== undefined && typeof value === 'string' && !accepts(value))
        found.push(misfit('limits', value, 'is not valid'));
      for (const check of inner) check(value, found);
    };
  };
  /** Compiled for the first value, because a schema may refer to itself. */
  const referenceTo = (reference: string): Checker => {
    return (value, found) => {
      const known = references.get(reference);
      const check = known ?? compile((followReference(document, reference) ?? {}) as JsonSchema);
      if (known === undefined) references.set(reference, check);
      check(value, found);
    };
  };
  const itemsOf = ({ items }: JsonSchema): Checker | undefined => {
    if (items === undefined) return undefined;
    const check = compile(items);
    return (value, found) => {
      if (!Array.isArray(value)) return;
      for (let at = 0; at < value.length && found.length < most; at++) checkWithin(at, check, value[at], found);
    };
  };
  const membersOf = (schema: JsonSchema): Checker | undefined => {
    const { properties = {}, required = [], additionalProperties: others = true } = schema;
    const checks = new Map(Object.entries(properties).map(([name, member]) => [name, compile(member)]));
    if (checks.size === 0 && required.length === 0 && others === true) return undefined;
    const misfit = misfitOf(schema);
    const checkOther = typeof others === 'object' ? compile(others) : undefined;
    return (value, found) => {
      if (!isOfType(value, 'object')) return;
      const members = value as Readonly<Record<string, unknown>>;
      for (const name of required) {
        if (members[name] === undefined || !Object.hasOwn(members, name))
          found.push(misfit('required', value, 'is missing', name));
      }
      for (const name of Object.keys(members)) {
        const member = members[name];
        if (member === undefined) continue;
        const check = checks.get(name) ?? checkOther;
        if (check !== undefined) checkWithin(name, check, member, found);
        else if (others === false) found.push(misfit('additionalProperties', member, 'is not known', name));
      }
    };
  };
  /** If no option fits, the misfits are those of the option that is meant. */
  const oneOption = (schema: JsonSchema, options: readonly JsonSchema[], isOne: boolean): Checker => {
    const checks = options.map(compile);
    const misfit = misfitOf(schema);
    return (value, found) => {
      const results = checks.map((check) => {
        const own: Found[] = [];
        check(value, own);
        return own;
      });
      const fitting = results.filter(({ length }) => length === 0).length;
      if (isOne ? fitting === 1 : fitting > 0) return;
      const meant = fitting > 0 ? undefined : meantOf(options, results);
      const reason = `fits ${fitting || 'none'} of ${options.length} schemas`;
      found.push(...(meant ?? [misfit('options', value, reason)]));
    };
  };
  const check = compile(root);
  return (value) => {
    const found: Found[] = [];
    check(value, found);
    return found.length > most ? found.slice(0, most) : found;
  };
}

type Found = SchemaMisfit & { readonly path: (string | number)[] };

/** Adds the misfits of a value, whose paths begin at the value. */
type Checker = (value: unknown, found: Found[]) => void;

function misfitOf(schema: JsonSchema) {
  return (keyword: SchemaMisfit['keyword'], value: unknown, reason: string, ...path: string[]): Found => ({
    path,
    keyword,
    schema,
    value,
    reason,
  });
}

/** The misfits of the option that a value is meant for: the one of its type and its `__typename`, else the one that is not null. */
function meantOf(options: readonly JsonSchema[], results: readonly (readonly Found[])[]): readonly Found[] | undefined {
  const isOther = ({ path, keyword }: Found) =>
    path.length === 0 ? keyword === 'type' || keyword === 'const' : path.join() === '__typename';
  const ofKind = results.filter((found) => !found.some(isOther));
  if (ofKind.length === 1) return ofKind[0];
  const values = results.filter((_, at) => options[at]?.type !== 'null');
  return values.length === 1 ? values[0] : undefined;
}

function checkWithin(step: string | number, check: Checker, value: unknown, found: Found[]): void {
  let at = found.length;
  check(value, found);
  for (; at < found.length; at++) found[at]?.path.unshift(step);
}

/** Whether a JSON value is of a type (JSON Schema Validation 2020-12, section 6.1.1): 1.0 and 1e300 are integers. */
function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return Number.isFinite(value);
  return typeof value === type && (type !== 'object' || (value !== null && !Array.isArray(value)));
}
