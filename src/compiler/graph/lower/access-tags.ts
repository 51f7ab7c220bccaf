import type { Span } from '../../../base/source/span.js';
import { type Access, accessWords, joinAccess, whyInvalidScope } from '../access.js';
import { whyInvalidName } from '../names.js';
import type { GraphDraft } from './graph-draft.js';

/** The tags that say who may read a field, or anything of a type. */
export const accessTags: ReadonlySet<string> = new Set(accessWords);

/**
 * Reads those of the tags in one doc comment together. Nothing may be demanded of callers that need not authenticate
 * (GG3072).
 */
export function readAccess(draft: GraphDraft, tags: readonly DocTag[], owner: string): Access {
  let access: Access = {};
  const firsts = new Map<string, DocTag>();
  /** The first tag that requires a caller in words of its own. */
  let demand: DocTag | undefined;
  for (const tag of tags) {
    const said = readAccessTag(draft, tag);
    const first = firsts.get(tag.name);
    if (said === undefined) continue;
    if (first !== undefined && (tag.name === 'auth' || tag.name === 'owner')) {
      if (first.text !== tag.text) reportContradiction(draft, tag, first);
      continue;
    }
    firsts.set(tag.name, tag);
    if (tag.name !== 'auth') demand ??= tag;
    access = joinAccess(access, said);
  }
  const auth = firsts.get('auth');
  if (auth?.text !== 'optional' || demand === undefined) return access;
  const labels = [{ span: demand.span, message: `@${demand.name} is here` }];
  draft.report('GG3072', { owner }, auth.span, { labels });
  return access;
}

function readAccessTag(draft: GraphDraft, tag: DocTag): Access | undefined {
  const { name, text, span } = tag;
  let expected = name === 'roles' ? 'roles with blanks between them, such as admin doctor' : scopesForm;
  if (name === 'auth') {
    if (text === 'required' || text === 'optional') return { auth: text };
    expected = '“required” or “optional”';
  } else if (name === 'owner') {
    if (whyInvalidName(text) === undefined) return { auth: 'required', owner: text };
    expected = 'the name of the field with the id of the owner, such as patientId';
    // Quotes and commas are parts of scopes, but here they are taken from lists of edges.
  } else if (text !== '' && !/[[\]'",]/.test(text)) {
    const names = [...new Set(text.split(/\s+/))].filter((one) => isValid(draft, name, one, span));
    return names.length === 0 ? undefined : { auth: 'required', [name]: names };
  }
  reportBadValue(draft, tag, expected);
  return undefined;
}

const scopesForm = 'scopes with blanks between them, such as books:read books:write';

/** Whether a text can be a scope or a role; both are words of a token (GG3071). */
function isValid(draft: GraphDraft, tag: string, name: string, span: Span): boolean {
  const reason = whyInvalidScope(name);
  if (reason === undefined) return true;
  const what = tag === 'roles' ? 'role' : 'scope';
  draft.report('GG3071', { what, scope: name, reason }, span);
  return false;
}

/** A tag of a doc comment, at its place. */
export interface DocTag {
  readonly name: string;
  /** The text behind the name, to the end of the line. */
  readonly text: string;
  /** From the `@` to the end of the text. */
  readonly span: Span;
}

/** Reports a tag without the value that it needs (GG2036). */
export function reportBadValue(draft: GraphDraft, { name, span }: DocTag, expected: string): void {
  draft.report('GG2036', { tag: name, expected }, span);
}

/** Reports a tag at a place where it has no meaning (GG2037). */
export function reportMisplaced(draft: GraphDraft, { name, span }: DocTag, place: string): void {
  draft.report('GG2037', { tag: name, place }, span);
}

/** Reports a tag that says another thing than one before it (GG2038). */
export function reportContradiction(draft: GraphDraft, second: DocTag, first: DocTag): void {
  const [one, other] = [textOf(second), textOf(first)];
  const labels = [{ span: first.span, message: `${other} is here` }];
  draft.report('GG2038', { one, other }, second.span, { labels });
}

function textOf({ name, text }: DocTag): string {
  return `@${name} ${text}`;
}
