import { join } from 'node:path';
import { hosts } from '../conformance/hosts.js';
import { attackHost, type HostResult, mega } from './harness.js';

/** How long the good client may wait for 99 of 100 answers, in milliseconds. */
const maxWait = 50;

/**
 * Attacks the hosts one after another, and prints what came of it.
 *
 * @param scratch - Where the bundles of the two processes lie.
 * @returns The exit code.
 */
export async function main(scratch: string, args: readonly string[]): Promise<number> {
  const isShort = args.includes('--short');
  const only = args.includes('--only') ? (args[args.indexOf('--only') + 1] ?? '') : '';
  const bundles = { bundle: join(scratch, 'target.mjs'), goodClient: join(scratch, 'good-client.mjs') };
  const effort = isShort ? { ...bundles, headersTimeout: 1_000, requestTimeout: 1_500 } : bundles;
  let faults = 0;
  for (const { name, hasNetwork } of hosts) {
    if (!hasNetwork || !name.includes(only)) continue;
    const result = await attackHost(name, effort);
    const all = isShort ? result.faults : [...result.faults, ...tooSlow(result)];
    print({ ...result, faults: all });
    faults += all.length + result.results.reduce((sum, each) => sum + each.faults.length, 0);
  }
  console.log(faults === 0 ? '\nEvery host stood every attack.' : `\n${faults} faults.`);
  return faults === 0 ? 0 : 1;
}

function tooSlow({ good }: HostResult): readonly string[] {
  return good.p99 < maxWait ? [] : [`the good client waited ${good.p99.toFixed(1)} ms (p99)`];
}

function print({ host, results, good, growth, peak, faults }: HostResult): void {
  console.log(`\n${host}`);
  for (const { attack, statuses, longest, faults: wrong } of results) {
    const said = [...new Set(statuses)].map((status) => (status === 0 ? 'closed' : status)).join(', ');
    const busy = longest === undefined ? [] : [`busy ${longest.toFixed(0)} ms`];
    console.log(`  ${wrong.length === 0 ? 'ok   ' : 'FAULT'} ${attack}: ${[said, ...busy, ...wrong].join('; ')}`);
  }
  const waits = `p50 ${good.p50.toFixed(1)} ms, p99 ${good.p99.toFixed(1)} ms (calm ${good.calm.toFixed(1)} ms)`;
  console.log(`  good client: ${good.answered} answers, ${waits}; heap +${mega(growth)}, peak ${mega(peak)}`);
  for (const fault of faults) console.log(`  FAULT ${fault}`);
}
