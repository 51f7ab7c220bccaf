import type { GraphQLError } from 'graphql';
import type { DiagnosticCode } from '../../../base/diagnostics/codes.js';
import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { runUntil } from '../../../base/values/run-until.js';
import type { GraphNode } from '../../../compiler/graph/graph-ir.js';
import { forOperators } from '../../execute/errors/error-marks.js';
import type { RuntimeIoChannel } from './binding/channel.js';
import { ChannelError, type ChannelFault, isChannelError } from './binding/channel-error.js';

export const defaultTimeout = 10_000;

export interface ChannelPlace {
  readonly channel: RuntimeIoChannel;
  readonly node: GraphNode;
}

/**
 * Calls a method of a channel with a timeout. Its signal is aborted at the timeout or with `outer`.
 *
 * @param outer - Cancels the call; the promise then rejects with its reason.
 * @throws {ChannelError} At the timeout.
 */
export async function workWithin<T>(
  timeout: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => T | PromiseLike<T>,
): Promise<T> {
  return await runUntil<T, never>(
    { timeout, client: outer },
    (lifetime) => work(lifetime.signal),
    (why, lifetime) => {
      const reason =
        why === 'timeout' ? new ChannelError('timeout', `no answer within ${timeout} ms`) : outer.reason;
      lifetime.end(reason);
      return Promise.reject(reason);
    },
  );
}

/**
 * The error of an operation whose channel failed, with the name of the node and a code. A `GraphQLError` stays as it
 * is: its message is meant for the caller. The message of any other error, except `ChannelError`, goes to the console
 * only.
 */
export async function operationError(place: ChannelPlace, error: unknown): Promise<GraphQLError> {
  if (error instanceof Error && error.name === 'GraphQLError') return error as GraphQLError;
  report(place, error);
  const { message, code } = findingOf(place, error);
  const fault = isChannelError(error) ? error.fault : 'failed';
  return forOperators(await errorOf(place, message, { code }), publicMessages[fault]);
}

export function reportBadRecord({ node, channel }: ChannelPlace, { reason }: ChannelError): void {
  console.error(`The channel of the node ${node.id} (${channel.transport}) skipped a record: ${reason}.`);
}

/** The error of a mutation whose record does not fit the node of the channel. */
export function inputError(place: ChannelPlace, parameter: string, message: string): Promise<GraphQLError> {
  return errorOf(place, message, { code: 'BAD_USER_INPUT', parameter });
}

/** The error of a mutation that succeeded, but whose event could not be written to the node of a FORK edge. */
export async function eventError(place: ChannelPlace, error: unknown): Promise<GraphQLError> {
  report(place, error);
  const { channel, node } = place;
  const reason =
    isChannelError(error) || (error instanceof Error && error.name === 'GraphQLError')
      ? error.message
      : unexplained;
  const params = { node: node.id, transport: channel.transport, reason };
  const { message, code } = diagnose('GG5015', params, node.span);
  return forOperators(
    await errorOf(place, message, { code }),
    'The change was made, but its event was not passed on.',
  );
}

const unexplained = 'it threw an error';

/** The message for clients while errors are masked. A reason may be a text of another program. */
const publicMessages: Readonly<Record<ChannelFault, string>> = {
  failed: 'A system behind this operation failed.',
  timeout: 'A system behind this operation did not answer in time.',
  unreadable: 'A system behind this operation gave an unreadable answer.',
  overrun: 'A system behind this operation is overloaded.',
};

const codes = {
  failed: 'GG5011',
  timeout: 'GG5012',
  unreadable: 'GG5013',
  overrun: 'GG5014',
} as const satisfies Record<string, DiagnosticCode>;

function findingOf({ channel, node }: ChannelPlace, error: unknown): Diagnostic {
  const { transport } = channel;
  if (!isChannelError(error)) {
    return diagnose('GG5011', { node: node.id, transport, reason: unexplained }, node.span);
  }
  return diagnose(codes[error.fault], { node: node.id, transport, reason: error.reason }, node.span);
}

/** Writes to the console what callers must not see. A `ChannelError` without a cause has nothing to add. */
function report({ node, channel }: ChannelPlace, error: unknown): void {
  const place = `The channel of the node ${node.id} (${channel.transport})`;
  if (!isChannelError(error)) console.error(`${place}:`, error);
  else if (error.cause !== undefined) console.error(`${place}, ${error.reason}:`, error.cause);
}

async function errorOf(
  { channel, node }: ChannelPlace,
  message: string,
  extensions: Readonly<Record<string, string>>,
): Promise<GraphQLError> {
  // Imported lazily: building a layer does not need graphql-js, running operations does.
  const { GraphQLError } = await import('graphql');
  return new GraphQLError(message, {
    extensions: { ...extensions, node: node.id, transport: channel.transport },
  });
}
