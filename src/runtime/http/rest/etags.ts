import { createHash } from 'node:crypto';
import type { CallArgs, UnmetPrecondition } from '../../call/call.js';
import { Answer, type AnswerBody, inOnePiece, type WholeBody } from '../answer.js';
import type { Exchange } from '../exchange.js';

/** The strong tag of a body (RFC 9110, section 8.8.3): the same for the same bytes. */
export function etagOf(body: AnswerBody): string | undefined {
  // Reads have whole bodies; only the empty one of a status without content has no tag.
  const whole = inOnePiece(body as WholeBody);
  return whole === null ? undefined : `"${createHash('sha256').update(whole).digest('base64url')}"`;
}

/** Gives a read its tag, or answers 304 if the client has this answer already (RFC 9110, sections 13.1.2 and 15.4.5). */
export function withEtag(answer: Answer, exchange: Pick<Exchange, 'header'>): Answer {
  const tag = etagOf(answer.body);
  if (tag === undefined) return answer;
  const known = exchange.header('if-none-match');
  if (known !== undefined && isMatch(known, tag, 'weak')) return new Answer(304, ['etag', tag], null);
  answer.set('etag', tag);
  return answer;
}

/** Gives what refuses a call; undefined if it may run. */
export type Precondition = NonNullable<CallArgs['precondition']>;

/**
 * The precondition of a write, for a call that has passed all other checks; undefined without any. It gives the error that
 * refuses the call.
 *
 * @param current - Gives the tag of what the caller reads now; undefined if there is nothing.
 */
export function preconditionOf(
  exchange: Pick<Exchange, 'header'>,
  isRequired: boolean,
  current: () => Promise<string | undefined>,
): Precondition | undefined {
  const [match, none] = [exchange.header('if-match'), exchange.header('if-none-match')];
  if (match === undefined && none === undefined) return isRequired ? async () => lacking : undefined;
  return async () => {
    const tag = await current();
    // In this order (RFC 9110, section 13.2.2).
    if (match !== undefined && (tag === undefined || !isMatch(match, tag, 'strong'))) return changed('If-Match');
    const exists = none !== undefined && tag !== undefined && isMatch(none, tag, 'weak');
    return exists ? changed('If-None-Match') : undefined;
  };
}

/**
 * Whether a condition names a tag, which is strong (RFC 9110, section 8.8.3.2): `*` names all. A proxy that compresses
 * answers weakens their tags, which a strong comparison never accepts.
 */
function isMatch(condition: string, tag: string, comparison: 'strong' | 'weak'): boolean {
  if (condition.trim() === '*') return true;
  const given: readonly string[] = condition.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return given.includes(tag) || (comparison === 'weak' && given.includes(`W/${tag}`));
}

function changed(header: string): UnmetPrecondition {
  const message = `The condition in ${header} does not hold: another request has changed the resource. Read it again.`;
  return { message, code: 'PRECONDITION_FAILED', status: 412 };
}

/** RFC 6585, section 3. */
const lacking: UnmetPrecondition = {
  message: 'The header If-Match is required: send the ETag of the last read.',
  code: 'PRECONDITION_REQUIRED',
  status: 428,
};
