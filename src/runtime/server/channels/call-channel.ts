import type { GraphQLError } from 'graphql';
import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import { withTimeout } from '../../../base/values/with-timeout.js';
import { forOperators, isGraphQLError } from '../../execute/errors/error-marks.js';
import type { ChannelRoute } from './binding/bind-channels.js';
import { ChannelError, isChannelError } from './binding/channel.js';

const defaultTimeout = 10_000;

type ChannelPlace = Pick<ChannelRoute, 'channel' | 'node'>;

/** Calls a method of a channel within its timeout. Its signal is aborted at the timeout, or with `outer`. */
export async function workWithin<T>(
  { channel: { timeout = defaultTimeout } }: ChannelPlace,
  outer: AbortSignal,
  work: (signal: AbortSignal) => T | PromiseLike<T>,
): Promise<T> {
  const late = () => new ChannelError('timeout', `no answer within ${timeout} ms`);
  return withTimeout(timeout, outer, work, late);
}

/**
 * The error of an operation whose channel failed, with the name of the node and a code. A `GraphQLError` stays as it
 * is: its message is meant for the caller. The message of any other error, except `ChannelError`, goes to the console
 * only.
 */
export async function operationError(place: ChannelPlace, error: unknown): Promise<Error> {
  if (isGraphQLError(error)) return error;
  report(place, error);
  const { fault, reason } = isChannelError(error) ? error : { fault: 'failed' as const, reason: unexplained };
  const [code, publicMessage] = faults[fault];
  return failure(place, code, reason, publicMessage);
}

/** The error of a mutation that succeeded, but whose event could not be written to the node of a FORK edge. */
export async function eventError(place: ChannelPlace, error: unknown): Promise<Error> {
  report(place, error);
  const reason = isChannelError(error) || isGraphQLError(error) ? error.message : unexplained;
  return failure(place, 'GG5015', reason, 'The change was made, but its event was not passed on.');
}

const unexplained = 'it threw an error';

/** The code and the message for clients while errors are masked. A reason may be a text of another program. */
const faults = {
  failed: ['GG5011', 'A system behind this operation failed.'],
  timeout: ['GG5012', 'A system behind this operation did not answer in time.'],
  unreadable: ['GG5013', 'A system behind this operation gave an unreadable answer.'],
  overrun: ['GG5014', 'A system behind this operation is overloaded.'],
} as const;

async function failure(
  place: ChannelPlace,
  code: 'GG5015' | (typeof faults)[keyof typeof faults][0],
  reason: string,
  publicMessage: string,
): Promise<Error> {
  const { node, channel } = place;
  const { message } = diagnose(code, { node: node.id, transport: channel.transport, reason }, node.span);
  return forOperators(await errorOf(place, message, { code }), publicMessage);
}

/** Writes to the console what callers must not see. A `ChannelError` without a cause has nothing to add. */
function report(place: ChannelPlace, error: unknown): void {
  if (!isChannelError(error)) console.error(`${nameOf(place)}:`, error);
  else if (error.cause !== undefined) console.error(`${nameOf(place)}, ${error.reason}:`, error.cause);
}

export function reportBadRecord(place: ChannelPlace, { reason }: ChannelError): void {
  console.error(`${nameOf(place)} skipped a record: ${reason}.`);
}

function nameOf({ node, channel }: ChannelPlace): string {
  return `The channel of the node ${node.id} (${channel.transport})`;
}

/** The error of an operation at the node of a channel. */
export async function errorOf(
  { channel, node }: ChannelPlace,
  message: string,
  extensions: Readonly<Record<string, string>>,
): Promise<GraphQLError> {
  // Imported lazily: building a layer does not need graphql-js, running operations does.
  const { GraphQLError } = await import('graphql');
  return new GraphQLError(message, { extensions: { ...extensions, node: node.id, transport: channel.transport } });
}
