import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { uncapitalized } from '../../graph/names.js';
import { baseName, nullable } from '../../graph/type-ref.js';
import type { GqlField, GqlObjectType, GqlOperation, GqlSchema } from '../gql-schema.js';
import type { FlowRule } from './flow-rule.js';

/**
 * GG3070: a query lists objects with the id of another one, and only a query of one object reads that other one. A
 * client that wants both sends one request for the list and one for each of its elements. There is no finding if the
 * object has the other one as a field, or if a query takes a list of ids.
 *
 * A field `authorId` belongs to the query `author`, or to the query of an `Author`, with an id as its only argument.
 */
export const listOfSingleReads: FlowRule = ({ schema }) => {
  const lists = schema.queries.filter(({ type }) => nullable(type).kind === 'list');
  if (lists.length === 0) return [];
  const reads = singleReads(schema);
  if (reads.size === 0) return [];
  const objects = new Map(schema.objects.map((type) => [type.name, type]));
  const diagnostics: Diagnostic[] = [];
  const visited = new Set<GqlObjectType>();
  for (const list of lists) {
    const owner = objects.get(baseName(list.type));
    if (owner === undefined || visited.has(owner)) continue;
    visited.add(owner);
    const names = new Set(owner.fields.map(({ name }) => name));
    for (const field of owner.fields) {
      const target = targetOf(field);
      const read = target === undefined ? undefined : reads.get(target);
      if (target === undefined || read === undefined || names.has(target) || field.span === undefined) continue;
      const params = { list: list.name, owner: owner.name, field: field.name, read: read.name, target };
      diagnostics.push(diagnose('GG3070', params, field.span));
    }
  }
  return diagnostics;
};

/** The name before `Id`, of a field with one key. */
function targetOf({ name, type }: GqlField): string | undefined {
  if (nullable(type).kind === 'list') return undefined;
  return /^(\w+?)_?[iI]d$/.exec(name)?.[1];
}

/** The queries that read one object by its id, without those whose objects a query reads by a list of ids, too. */
function singleReads({ queries }: GqlSchema): ReadonlyMap<string, GqlOperation> {
  const listed = new Set(queries.filter(takesIds).map(({ type }) => baseName(type)));
  const reads = new Map<string, GqlOperation>();
  for (const query of queries) {
    const [only, ...others] = query.arguments;
    const isSingle = nullable(query.type).kind === 'named' && !listed.has(baseName(query.type));
    if (!isSingle || only === undefined || others.length > 0 || !/^(id|\w+_?[iI]d)$/.test(only.name)) continue;
    const type = baseName(query.type);
    for (const name of [query.name, uncapitalized(type)]) if (!reads.has(name)) reads.set(name, query);
  }
  return reads;
}

function takesIds({ type, arguments: args }: GqlOperation): boolean {
  return nullable(type).kind === 'list' && args.some((argument) => nullable(argument.type).kind === 'list');
}
