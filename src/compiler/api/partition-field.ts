import { type Diagnostic, diagnose } from '../../base/diagnostics/diagnostic.js';
import { createSuggester } from '../graph/suggest.js';
import { baseName, nullable } from '../graph/type-ref.js';
import type { GqlAccess, GqlField, GqlOperation, GqlSchema } from '../schema/gql-schema.js';
import { isComposite, memberNames, namedType, objectFields } from '../schema/schema-index.js';

/**
 * The field of an event that tells what the event is about: the one that the topology names, else the first filter that is
 * an ID, else `id`. Events of one value keep their order.
 */
export function partitionField({ partition, arguments: filters }: GqlOperation): string {
  return partition ?? filters.find(({ type }) => baseName(type) === 'ID')?.name ?? 'id';
}

/**
 * Finds `partition` settings that name no scalar field of the event (GG3123), and those that name a field that not all
 * subscribers may read (GG3124): the ids of events depend on its value.
 */
export function checkPartitions(schema: GqlSchema): readonly Diagnostic[] {
  return schema.subscriptions.flatMap((operation) => {
    const { partition: field, name: subscription, edges } = operation;
    const span = edges[0]?.span;
    if (field === undefined || span === undefined) return [];
    const members = membersOf(schema, baseName(operation.type));
    const own = members.map((fields) => fields.find(({ name, type }) => name === field && isOne(schema, type)));
    if (own.includes(undefined)) {
      const names = members.flatMap((fields) => fields.map(({ name }) => name));
      const suggestion = createSuggester(names.filter((name) => name !== field)).nearest(field);
      return [diagnose('GG3123', { field, subscription, suggestion }, span)];
    }
    const isOpen = own.every((one) => one?.auth === undefined || demandOf(one) === demandOf(operation));
    return isOpen ? [] : [diagnose('GG3124', { field, subscription }, span)];
  });
}

/** The fields of an event, or of each of its types. */
function membersOf(schema: GqlSchema, event: string): readonly (readonly GqlField[])[] {
  const members = memberNames(namedType(schema, event));
  return (members.length === 0 ? [event] : members).map((name) => objectFields(schema, name));
}

function isOne(schema: GqlSchema, type: GqlField['type']): boolean {
  return nullable(type).kind === 'named' && !isComposite(schema, baseName(type));
}

function demandOf({ auth, scopes, anyScope, roles }: GqlAccess): string {
  return JSON.stringify([auth, scopes, anyScope, roles]);
}
