import type { Guard } from '../auth/guard.js';
import type { Answer } from './answer.js';
import type { Exchange } from './exchange.js';

/**
 * Keeps the answers to GET for callers out of caches (RFC 9111, sections 3.5 and 4.1). On a server that authenticates, an
 * answer of an operation depends on the headers with credentials: caches must know them. An answer that belongs to one
 * caller, or refuses one, is stored nowhere. An answer that says itself how it may be cached keeps that.
 */
export function keepPrivate(answer: Answer, exchange: Exchange, guard: Guard | undefined): void {
  const { method, route, principal, denied } = exchange;
  if (guard === undefined || route?.access === undefined || (method !== 'GET' && method !== 'HEAD')) return;
  for (const name of guard.headers) answer.vary(name);
  const { auth, scopes } = route.access;
  const isOpen = principal === null && denied === undefined && auth === undefined && scopes === undefined;
  if (isOpen && answer.status !== 401 && answer.status !== 403) return;
  const given = answer.header('cache-control');
  if (given === undefined || given === 'no-store' || given === 'no-cache')
    answer.set('cache-control', 'private, no-store');
}
