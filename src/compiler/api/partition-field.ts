import { type Diagnostic, diagnose } from '../../base/diagnostics/diagnostic.js';
import { createSuggester } from '../graph/suggest.js';
import { baseName, nullable } from '../graph/type-ref.js';
import type { GqlAccess, GqlField, GqlOperation, GqlSchema } from '../schema/gql-schema.js';
import { isComposite, memberNames, namedType, objectFields } from '../schema/schema-index.js';

/**
 * The field of an event that tells what the event is about: the one that the topology names, else the first filter that is
 * an ID, else `id`. Events of one value keep their order. Undefined if not all subscribers may read the field that nobody
 * has named: the ids of events depend on its value.
 */
export function partitionField(schema: GqlSchema, operation: GqlOperation): string | undefined {
  const { partition, arguments: filters } = operation;
  if (partition !== undefined) return partition;
  const field = filters.find(({ type }) => baseName(type) === 'ID')?.name ?? 'id';
  return isOpen(operation, fieldsNamed(schema, operation, field)) ? field : undefined;
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
    const own = fieldsNamed(schema, operation, field);
    if (!own.every((one) => one !== undefined && isOne(schema, one.type))) {
      const names = membersOf(schema, operation).flatMap((fields) => fields.map(({ name }) => name));
      const suggestion = createSuggester(names.filter((name) => name !== field)).nearest(field);
      return [diagnose('GG3123', { field, subscription, suggestion }, span)];
    }
    return isOpen(operation, own) ? [] : [diagnose('GG3124', { field, subscription }, span)];
  });
}

/** Whether all subscribers may read a field. */
function isOpen(operation: GqlOperation, own: ReturnType<typeof fieldsNamed>): boolean {
  return own.every((one) => one?.auth === undefined || demandOf(one) === demandOf(operation));
}

/** The field of this name in an event, or in each of its types. */
function fieldsNamed(schema: GqlSchema, operation: GqlOperation, field: string) {
  return membersOf(schema, operation).map((fields) => fields.find(({ name }) => name === field));
}

/** The fields of an event, or of each of its types. */
function membersOf(schema: GqlSchema, operation: GqlOperation): readonly (readonly GqlField[])[] {
  const event = baseName(operation.type);
  const members = memberNames(namedType(schema, event));
  return (members.length === 0 ? [event] : members).map((name) => objectFields(schema, name));
}

function isOne(schema: GqlSchema, type: GqlField['type']): boolean {
  return nullable(type).kind === 'named' && !isComposite(schema, baseName(type));
}

function demandOf({ auth, scopes, anyScope, roles }: GqlAccess): string {
  return JSON.stringify([auth, scopes, anyScope, roles]);
}
