import { type Diagnostic, diagnose } from '../../../../base/diagnostics/diagnostic.js';
import { wholeFile } from '../../../../base/source/span.js';
import type { ChannelAccess, ChannelDirection, RuntimeIoChannel } from './channel.js';

/** The place of findings about channels, which are in a program and not in a topology. */
export const channelsPlace = wholeFile('channels');

export const accessOf: Readonly<Record<ChannelDirection, readonly ChannelAccess[]>> = {
  in: ['read', 'subscribe'],
  out: ['write'],
  inout: ['read', 'subscribe', 'write'],
};

/** Checks one channel object (GG5010), for programs without type checking. Undefined if it is valid. */
export function checkChannel(channel: RuntimeIoChannel): Diagnostic | undefined {
  const problem = problemOf(channel);
  return problem === undefined
    ? undefined
    : diagnose('GG5010', { node: String(channel?.node), problem }, channelsPlace);
}

function problemOf(channel: RuntimeIoChannel): string | undefined {
  if (typeof channel !== 'object' || channel === null) return 'it must be an object';
  const { node, direction, transport, timeout, badRecords = 'skip' } = channel;
  if (typeof node !== 'string') return 'node must be the id of a node';
  if (!Object.hasOwn(accessOf, direction))
    return `direction must be in, out or inout, not ${String(direction)}`;
  if (typeof transport !== 'string' || transport === '') return 'transport must be a non-empty string';
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0)) {
    return 'timeout must be a positive number of milliseconds';
  }
  if (badRecords !== 'skip' && badRecords !== 'fail') {
    return `badRecords must be skip or fail, not ${String(badRecords)}`;
  }
  const allowed = accessOf[direction];
  const given = (['read', 'write', 'subscribe'] as const).filter((access) => channel[access] !== undefined);
  const wrong = given.find((access) => typeof channel[access] !== 'function');
  if (wrong !== undefined) return `${wrong} must be a function`;
  const barred = given.find((access) => !allowed.includes(access));
  if (barred !== undefined) return `the direction '${direction}' does not allow ${barred}`;
  for (const [way, needed] of [
    ['in', ['read', 'subscribe']],
    ['out', ['write']],
  ] as const) {
    const isAsked = direction === way || direction === 'inout';
    if (isAsked && !given.some((access) => (needed as readonly string[]).includes(access))) {
      return `the direction '${direction}' needs ${needed.join(' or ')}`;
    }
  }
  return undefined;
}
