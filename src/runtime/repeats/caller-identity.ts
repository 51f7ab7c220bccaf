import { createHash } from 'node:crypto';
import type { RateClient } from '../config/traffic-options.js';
import { networkOf } from '../limits/client-network.js';
import { refused } from './repeat-refused.js';

export type CallerIdentity = ReturnType<typeof identify>;

/**
 * Tells callers apart: a principal by its issuer, its subject, its client and what it may do; any other caller by its
 * `Authorization` and `Cookie`. These could be made up, so the share of the store is that of its network.
 *
 * @returns `caller` differs with what the caller may do: a token with fewer rights gets no outcome of one with more.
 * `account`, which has a share of the store, differs only with the caller, whatever the sort of its tokens.
 *
 * @throws {RepeatRefused} If the caller has neither.
 */
export function identify(client: RateClient) {
  const { principal, address } = client;
  if (principal === null) {
    const [authorization, cookie] = [client.header('authorization'), client.header('cookie')];
    if (authorization === undefined && cookie === undefined) throw refused('IDEMPOTENCY_CALLER_UNKNOWN');
    const caller = digest('credentials', authorization ?? '', cookie ?? '');
    return { caller, account: digest('network', networkOf(address)) };
  }
  const { id, scopes = [], claims = {} } = principal;
  const { iss, azp, client_id: app = azp, roles: claimed } = claims;
  const { roles = claimed } = principal as { readonly roles?: unknown };
  const account = digest('principal', textOf(iss), id);
  const rights = [digest(...sorted(scopes)), digest(...sorted(roles))];
  return { caller: digest(account, textOf(app), ...rights), account };
}

/** A hash of texts. With its length before it, no text can be continued by the next. */
export function digest(...texts: readonly string[]): string {
  const sum = createHash('sha256');
  for (const text of texts) sum.update(`${text.length}:`).update(text);
  return sum.digest('base64url');
}

/** Claims may have any value. */
function textOf(claim: unknown): string {
  return typeof claim === 'string' ? claim : (JSON.stringify(claim) ?? '');
}

function sorted(rights: unknown): string[] {
  const list = Array.isArray(rights) ? rights : rights === undefined ? [] : [rights];
  return [...new Set(list.map(textOf))].sort();
}
