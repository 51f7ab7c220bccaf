import pc from 'picocolors';
import type { ObjectAccessResult } from '../../../workflows/object-access/test-object-access.js';
import { count } from '../../terminal/count.js';

/** The wrong answers to other users with their chains, and what was not judged. */
export function printFindings({ findings, open, exempt, untested }: ObjectAccessResult, color: boolean): string {
  const { red, yellow, dim } = pc.createColors(color);
  const lines = findings.flatMap(({ severity, operation, user, over, reason, chain }) => {
    const mark = severity === 'error' ? red('✗') : yellow('!');
    return [
      `${mark} ${operation} as ${user} over ${over.join(', ')}: ${reason}`,
      ...chain.map((call, at) => `    ${at + 1}. ${call}`),
    ];
  });
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : [dim(`${title}:`), ...items.map((item) => dim(`    ${item}`))];
  const users = [...new Set(exempt.map(({ user }) => user))].map((user) => {
    const operations = exempt.filter((one) => one.user === user).map(({ operation }) => operation);
    return `${user}: ${operations.join(', ')}`;
  });
  lines.push(
    ...list('open to everyone', open),
    ...list('acts for every owner', users),
    ...list(
      'not replayed',
      untested.map(({ operation, reason }) => `${operation}: ${reason}`),
    ),
  );
  return lines.map((line) => `${line}\n`).join('');
}

/** `12 operations replayed: 1 error, 0 warnings (48 requests, seed 1)`. */
export function printReplays({ findings, replayed, requests, seed }: ObjectAccessResult): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const found = `${count(errors, 'error')}, ${count(findings.length - errors, 'warning')}`;
  return `${count(replayed, 'replay')} by other users: ${found} (${count(requests, 'request')}, seed ${seed})\n`;
}
