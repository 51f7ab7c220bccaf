import type { FaultReport } from '../../../drill/drill.js';
import { count } from '../../terminal/count.js';

/** A fault and what it did, in a few lines. */
export function printFault(report: FaultReport): string {
  const { fault, about, round, passed, problem, skipped, acknowledged, unanswered, received, told, readyAfter } =
    report;
  if (skipped === true) return `– ${fault}: not tried, because ${problem}\n`;
  const unsure = unanswered === 0 ? '' : `, ${unanswered} without a success`;
  const lines = [
    `${passed ? '✓' : '✗'} ${fault}: ${about}${round > 1 ? ` (round ${round})` : ''}`,
    `    ${count(acknowledged, 'call')} acknowledged${unsure}; clients got ${count(received, 'event')}: ${describe(report)}`,
  ];
  const words = Object.entries(told).map(([what, times]) => `${what} (${times})`);
  if (words.length > 0) lines.push(`    Clients were told: ${words.join(', ')}`);
  if (readyAfter !== undefined && fault !== 'none')
    lines.push(`    All servers were ready ${(readyAfter / 1000).toFixed(1)} s after the repair`);
  if (problem !== undefined) lines.push(`    ${problem}`);
  return `${lines.join('\n')}\n`;
}

function describe({ lost, lostSilently, doneTwice, repeated, outOfOrder }: FaultReport): string {
  const parts = [
    [lost, 'lost with EVENTS_LOST or a closed stream'],
    [lostSilently, 'lost without word'],
    [doneTwice, 'done twice'],
    [repeated, 'delivered twice'],
    [outOfOrder, 'out of order'],
  ] as const;
  const found = parts.filter(([times]) => times > 0).map(([times, what]) => `${times} ${what}`);
  return found.length === 0 ? 'none lost, none twice, all in order' : found.join(', ');
}
