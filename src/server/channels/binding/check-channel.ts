import { type Diagnostic, diagnose } from '../../../diagnostics/diagnostic.js';
import type { ChannelAccess, ChannelDirection, RuntimeIoChannel } from './channel.js';

/** What findings about channels call their place: they stand in a program, not in a topology. */
export const channelsPlace = { file: 'channels', start: 0, end: 0 };

/** What each direction allows a channel to do. */
export const accessOf: Readonly<Record<ChannelDirection, readonly ChannelAccess[]>> = {
  in: ['read', 'subscribe'],
  out: ['write'],
  inout: ['read', 'subscribe', 'write'],
};

/**
 * Looks at a channel by itself: its types say all of this, and a program without types hears it here
 * (GG5010). Undefined when nothing is wrong.
 */
export function checkChannel(channel: RuntimeIoChannel): Diagnostic | undefined {
  const problem = problemOf(channel);
  return problem === undefined
    ? undefined
    : diagnose('GG5010', { node: String(channel?.node), problem }, channelsPlace);
}

function problemOf(channel: RuntimeIoChannel): string | undefined {
  if (typeof channel !== 'object' || channel === null) return 'it is not an object';
  const { node, direction, transport, timeout } = channel;
  if (typeof node !== 'string') return 'its node is not the id of a node';
  if (!Object.hasOwn(accessOf, direction))
    return `its direction is ${String(direction)}, not in, out or inout`;
  if (typeof transport !== 'string' || transport === '') return 'its transport is not a word';
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0)) {
    return 'its timeout is not a number of milliseconds';
  }
  const allowed = accessOf[direction];
  const given = (['read', 'write', 'subscribe'] as const).filter((access) => channel[access] !== undefined);
  const wrong = given.find((access) => typeof channel[access] !== 'function');
  if (wrong !== undefined) return `${wrong} is not a function`;
  const barred = given.find((access) => !allowed.includes(access));
  if (barred !== undefined) return `it has ${barred}, which the direction '${direction}' does not allow`;
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
