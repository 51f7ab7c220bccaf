import DataLoader from 'dataloader';
import type { FieldNode, GraphQLField, GraphQLResolveInfo } from 'graphql';
import { bigIntAsText } from '../../../base/json-schema/same-json.js';
import { type BatchKey, batchKeyOf } from '../../../compiler/api/batch-key.js';
import { remember } from '../../../compiler/graph/maps.js';
import type { GqlField, GqlObjectType, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import type { BatchResolver } from './contract.js';
import type { FieldResolver } from './default-resolvers.js';
import { identityOf } from './operation-root.js';

/** The batch resolver of a relation of a store, which knows its key and compares the owner of the operation. */
export class KeyedBatch implements BatchResolver<unknown> {
  constructor(
    /** Several for a key of several fields: the batch gets each as the JSON of their values. */
    readonly keys: readonly BatchKey[],
    /** Its last parameter tells what is selected of the values. */
    readonly batch: (
      keys: readonly unknown[],
      context: unknown,
      args: Readonly<Record<string, unknown>>,
      info?: GraphQLResolveInfo,
    ) => Promise<readonly unknown[]>,
    /** Returns the value that was read together with the parent; undefined if it was not. */
    readonly held?: (parent: unknown, args: Readonly<Record<string, unknown>>, info: GraphQLResolveInfo) => unknown,
  ) {}
}

/** A field of an executable schema whose value is that of a {@link KeyedBatch}. */
export interface KeyedField {
  readonly batch: KeyedBatch;
  /** The fields of the parent that must be the id of the caller. */
  readonly owners: readonly string[];
  /** The arguments that the batch gets for those of the field. It throws if they are invalid. */
  readonly read: (args: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Whether its arguments have constraints, which its resolver checks. */
  readonly isGuarded: boolean;
}

const keyedFields = new WeakMap<object, KeyedField>();

/** Notes that the value of a field is that of a {@link KeyedBatch}. */
export function noteKeyedField(field: GraphQLField<unknown, unknown>, keyed: KeyedField): void {
  keyedFields.set(field, keyed);
}

/** The notes of {@link noteKeyedField}. */
export function keyedFieldOf(field: GraphQLField<unknown, unknown>): KeyedField | undefined {
  return keyedFields.get(field);
}

/**
 * The key of a field with a batch resolver: the resolver's own, else the one of the name of the field. It may have
 * several.
 */
export function keysOfBatch(
  schema: GqlSchema,
  type: GqlObjectType,
  field: GqlField,
  given: BatchResolver<unknown>,
): readonly BatchKey[] {
  if (given instanceof KeyedBatch) return given.keys;
  const key = batchKeyOf(schema, type, field);
  return key === undefined ? [] : [key];
}

/** The text of a key of several fields; undefined if one of them is missing or null. */
function jointKey(values: readonly unknown[]): string | undefined {
  if (values.some((value) => value === undefined || value === null)) return undefined;
  return JSON.stringify(values, bigIntAsText);
}

export function isBatchResolver(given: unknown): given is BatchResolver<unknown> {
  if (given instanceof KeyedBatch) return true;
  if (typeof given !== 'object' || given === null) return false;
  return typeof (given as { batch?: unknown }).batch === 'function' && Object.keys(given).length === 1;
}

/** Makes a field of a batch resolver: the keys of one operation, tick and arguments are one call, each passed once. */
export function createBatchedField(
  coordinate: string,
  keys: readonly (BatchKey & { readonly read: FieldResolver })[],
  resolver: BatchResolver<unknown> | KeyedBatch,
): FieldResolver {
  const { batch } = resolver;
  const { isList, type } = keys[0] as BatchKey;
  const isKeyed = resolver instanceof KeyedBatch;
  // Without a cache: a loader lives as long as the server, and a value only as long as its tick.
  const loader = new DataLoader<Wanted, unknown>((wanted) => callOnce(coordinate, batch, wanted), { cache: false });
  const loaded: FieldResolver = async (parent, args, context, info) => {
    const { rootValue } = info;
    const load = (given: unknown): unknown => {
      if (given === undefined || given === null) return null;
      const key = type === 'ID' ? String(given) : given;
      return loader.load({ key, args, context, operation: identityOf(rootValue), ...(isKeyed && { info }) });
    };
    const values = await Promise.all(keys.map(({ read }) => read(parent, {}, context, info)));
    const found: unknown = keys.length > 1 ? jointKey(values) : values[0];
    return isList && found !== undefined && found !== null ? Array.from(found as Iterable<unknown>, load) : load(found);
  };
  const held = isKeyed ? resolver.held : undefined;
  if (held === undefined) return loaded;
  return (parent, args, context, info) => {
    const value = held(parent, args, info);
    return value === undefined ? loaded(parent, args, context, info) : value;
  };
}

type Batch = KeyedBatch['batch'] | BatchResolver<unknown>['batch'];

interface Wanted {
  readonly key: unknown;
  readonly args: Readonly<Record<string, unknown>>;
  readonly context: unknown;
  /** Identifies the operation or the event. */
  readonly operation: unknown;
  /** The field of a {@link KeyedBatch}: only fields with the same selection are one call. */
  readonly info?: GraphQLResolveInfo;
}

interface Call {
  readonly first: Wanted;
  readonly keys: Map<unknown, number>;
  results?: Promise<readonly unknown[] | Error>;
}

async function callOnce(coordinate: string, batch: Batch, wanted: readonly Wanted[]): Promise<unknown[]> {
  const calls = new Map<unknown, Map<string, Call>>();
  const places = wanted.map((want) => {
    const ofOperation = remember(calls, want.operation, () => new Map<string, Call>());
    const call = remember(
      ofOperation,
      JSON.stringify(want.args, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)) +
        (want.info === undefined ? '' : want.info.fieldNodes.map(selectionText).join()),
      (): Call => ({ first: want, keys: new Map() }),
    );
    return { call, at: remember(call.keys, want.key, () => call.keys.size) };
  });
  return Promise.all(
    places.map(async ({ call, at }) => {
      call.results ??= run(coordinate, batch, call);
      const results = await call.results;
      return results instanceof Error ? results : results[at];
    }),
  );
}

const selectionTexts = new WeakMap<FieldNode, string>();

/** The same text for equal selections. */
function selectionText(node: FieldNode): string {
  return remember(selectionTexts, node, () =>
    JSON.stringify(node.selectionSet, (name, value) => (name === 'loc' ? undefined : value)),
  );
}

/** The values of one call, or its error: a failed call must not fail the others of its tick. */
async function run(coordinate: string, batch: Batch, { first, keys }: Call): Promise<readonly unknown[] | Error> {
  try {
    const values = await batch([...keys.keys()], first.context, first.args, first.info);
    if (Array.isArray(values) && values.length === keys.size) return values;
    const given = Array.isArray(values) ? `${values.length} values` : 'no array';
    return new TypeError(`The batch resolver of ${coordinate} returned ${given} for ${keys.size} keys.`);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error), { cause: error });
  }
}
