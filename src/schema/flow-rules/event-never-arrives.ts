import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';
import { baseName, nullable, type TypeRef } from '../../graph/type-ref.js';
import type { GqlField, GqlObjectType, GqlOperation, GqlSchema } from '../gql-schema.js';
import { indexSchema } from '../schema-index.js';
import type { FlowRule } from './flow-rule.js';

/**
 * GG3050 and GG3051: an event is the result of a mutation. A required field of the event that the result does not have
 * makes every event an error, and an argument that the result does not have filters every event out. Results that are
 * unions are not examined, and neither are subscriptions without a mutation (GG3019).
 */
export const eventNeverArrives: FlowRule = ({ schema }) => {
  if (schema.subscriptions.length === 0 || schema.mutations.length === 0) return [];
  const byTarget = new Map<string, GqlOperation[]>();
  for (const mutation of schema.mutations) {
    for (const { to } of mutation.edges) {
      const known = byTarget.get(to);
      if (known === undefined) byTarget.set(to, [mutation]);
      else if (known.at(-1) !== mutation) known.push(mutation);
    }
  }
  // The subscriptions of one edge share its list of sources, so each list is searched once.
  const bySources = new Map<readonly string[], readonly GqlOperation[]>();
  const mutationsOf = (from: readonly string[]): readonly GqlOperation[] => {
    const known = bySources.get(from);
    if (known !== undefined) return known;
    const found = from.flatMap((id) => byTarget.get(id) ?? []);
    bySources.set(from, found);
    return found;
  };
  return schema.subscriptions.flatMap((subscription) => {
    const mutations = new Set(subscription.edges.flatMap(({ from }) => mutationsOf(from)));
    return examine(schema, subscription, [...mutations]);
  });
};

function examine(
  schema: GqlSchema,
  subscription: GqlOperation,
  mutations: readonly GqlOperation[],
): readonly Diagnostic[] {
  const event = objectOf(schema, subscription.type);
  const results = mutations.map(({ type }) => objectOf(schema, type));
  const [origin] = subscription.edges;
  if (event === undefined || origin === undefined || mutations.length === 0) return [];
  const findings: Diagnostic[] = [];
  const reported = new Set<string>();
  for (const [index, result] of results.entries()) {
    if (result === undefined || result === event) continue;
    const missing = event.fields.filter((field) => isMissing(schema, field, result));
    const fields = missing.map(({ name }) => name).filter((name) => !reported.has(name));
    const [first] = missing;
    if (fields.length === 0 || first === undefined) continue;
    for (const name of fields) reported.add(name);
    const params = {
      event: event.name,
      fields,
      mutation: (mutations[index] as GqlOperation).name,
      result: result.name,
    };
    findings.push(diagnose('GG3050', params, first.span ?? origin.span));
  }
  if (results.includes(undefined)) return findings;
  for (const { name, span } of subscription.arguments) {
    const isCarried = (result: GqlObjectType | undefined) =>
      result?.fields.some((field) => field.name === name) === true;
    const own = event.fields.find((field) => field.name === name);
    if (reported.has(name) || own?.fallback !== undefined || results.some(isCarried)) continue;
    const params = { argument: name, subscription: subscription.name, results: names(results) };
    findings.push(diagnose('GG3051', params, span ?? origin.span));
  }
  return findings;
}

/** Whether a field of an event is required, and neither the result of the mutation nor a constant gives it. */
function isMissing(schema: GqlSchema, { name, type, fallback }: GqlField, result: GqlObjectType): boolean {
  if (type.kind !== 'nonNull' || fallback !== undefined || hasConstant(schema, type)) return false;
  const given = result.fields.find((field) => field.name === name);
  return given === undefined || !isAlike(schema, given.type, type);
}

/** Whether an omitted object is served from its constants. */
function hasConstant(schema: GqlSchema, type: TypeRef): boolean {
  if (nullable(type).kind === 'list') return false;
  return objectOf(schema, type)?.fields.some(({ fallback }) => fallback !== undefined) === true;
}

/** Whether both are lists or single, and leaves or not. */
function isAlike(schema: GqlSchema, one: TypeRef, other: TypeRef): boolean {
  const shapeOf = (type: TypeRef): string => {
    const bare = nullable(type);
    if (bare.kind === 'list') return `[${shapeOf(bare.of)}]`;
    const kind = indexSchema(schema).types.get(bare.name)?.kind;
    return kind === 'object' || kind === 'union' ? 'object' : 'leaf';
  };
  return shapeOf(one) === shapeOf(other);
}

function objectOf(schema: GqlSchema, type: TypeRef): GqlObjectType | undefined {
  const found = indexSchema(schema).types.get(baseName(type));
  return found?.kind === 'object' ? found.type : undefined;
}

function names(results: readonly (GqlObjectType | undefined)[]): readonly string[] {
  return [...new Set(results.flatMap((result) => (result === undefined ? [] : [result.name])))];
}
