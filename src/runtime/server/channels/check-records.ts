import type { GraphQLError, GraphQLResolveInfo } from 'graphql';
import { printPath } from '../../../base/source/json-pointer.js';
import { named, nullable } from '../../../compiler/graph/type-ref.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { completenessOf, type Misfit, printMisfit } from '../../execute/resolvers/completeness.js';
import type { ChannelRoute } from './binding/bind-channels.js';
import { type ChannelCall, ChannelError } from './binding/channel.js';
import { type GivenRecord, requiredBySource } from './binding/records.js';
import { errorOf, reportBadRecord } from './call-channel.js';

export type BadRecords = ReturnType<typeof createBadRecords>;

const maxReports = 1_000;

/** Makes the counts of bad records, by the ids of the nodes. */
export function createBadRecords() {
  const counts = new Map<string, number>();
  const reported = new Set<string>();
  return {
    counts,
    /** Counts a record; one that is read again is not logged again. */
    add(route: ChannelRoute, error: ChannelError): void {
      const { id } = route.node;
      counts.set(id, (counts.get(id) ?? 0) + 1);
      const report = `${id} ${error.reason}`;
      if (reported.has(report)) return;
      if (reported.size >= maxReports) reported.clear();
      reported.add(report);
      reportBadRecord(route, error);
    },
  };
}

/** Makes the checks of the records of a query, for the channel and for the value that it returns. */
export function createReadChecks(route: ChannelRoute, info: GraphQLResolveInfo, badRecords: BadRecords) {
  const { channel, operation } = route;
  const completeness = completenessOf(info.schema);
  const bare = nullable(operation.type);
  const itemType = bare.kind === 'list' ? bare.of : bare;
  const accepted = new Set<unknown>();
  let skipped: ChannelError | undefined;
  const skip: ChannelCall['skip'] = (error) => {
    if (channel.badRecords === 'fail') throw error;
    badRecords.add(route, error);
  };
  const accepts: ChannelCall['accepts'] = (record, place) => {
    const found = completeness?.misfitOf(itemType, record);
    if (found === undefined) {
      accepted.add(record);
      return true;
    }
    skipped = misfitError(found, `${place}: `);
    skip(skipped);
    return false;
  };
  return {
    accepts,
    skip,
    /** The value of the query, without the records of a list that do not fit. A value that is not a list must fit. */
    checked(value: unknown): unknown {
      if (bare.kind === 'list' && Array.isArray(value)) {
        return value.filter((item, at) => accepted.has(item) || accepts(item, `record ${at + 1}`));
      }
      // The only matches do not fit: null would say that there are none.
      if ((value === null || value === undefined) && skipped !== undefined) throw skipped;
      if (!accepted.has(value)) requireFit(route, info, value);
      return value;
    },
  };
}

/** @throws {ChannelError} If the value does not fit the type of the operation. */
export function requireFit({ operation: { type } }: ChannelRoute, info: GraphQLResolveInfo, value: unknown): void {
  if (value === null || value === undefined) {
    if (type.kind === 'nonNull') throw new ChannelError('unreadable', 'no value, but the operation requires one');
    return;
  }
  const found = completenessOf(info.schema)?.misfitOf(type, value);
  if (found !== undefined) throw misfitError(found);
}

/** Without the value: clients see the reason of a channel, but not what its source holds. */
function misfitError({ path, problem }: Misfit, place = ''): ChannelError {
  return new ChannelError('unreadable', `${place}${printMisfit({ path, problem })}`);
}

/** The error of a mutation whose record does not fit the node of the channel; undefined if it does. */
export async function inputError(
  schema: GqlSchema,
  route: ChannelRoute,
  { record, argument }: GivenRecord,
  info: GraphQLResolveInfo,
): Promise<GraphQLError | undefined> {
  const { channel, node, operation } = route;
  const target = schema.objects.find((type) => type.node?.id === node.id);
  if (target === undefined) return undefined;
  const required = channel.stores === true ? undefined : requiredBySource(schema, operation);
  const mayLack = required && ((field: string) => !required.has(field));
  const found = completenessOf(info.schema)?.misfitOf(named(target.name), record, mayLack);
  if (found === undefined) return undefined;
  const parameter = printPath(found.path, argument);
  const actual = found.actual === undefined ? '' : `, not ${found.actual}`;
  const message = `“${parameter}” ${found.problem}${actual}.`;
  return errorOf(route, message, { code: 'BAD_USER_INPUT', parameter });
}
