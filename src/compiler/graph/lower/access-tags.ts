import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import { type Access, accessWords, joinAccess, whyInvalidScope } from '../access.js';
import { whyInvalidName } from '../names.js';
import type { GraphDraft } from './graph-draft.js';

/** The tags that say who may read a field, or anything of a type. */
export const accessTags: ReadonlySet<string> = new Set(accessWords);

/** Reads the tags in one doc comment that say who may read what follows. */
export class AccessTagReader {
  /** What the tags say together. */
  access: Access = {};
  #auth: DocTag | undefined;
  #owner: DocTag | undefined;
  /** The first tag that requires a caller in words of its own. */
  #demand: DocTag | undefined;

  constructor(private readonly draft: GraphDraft) {}

  /** Reads a tag whose name is one of {@link accessTags}. */
  read(tag: DocTag): void {
    if (tag.name === 'auth') this.#readAuth(tag);
    else if (tag.name === 'owner') this.#readOwner(tag);
    else {
      const names = this.#namesIn(tag);
      if (names.length === 0) return;
      this.#demands(tag, { auth: 'required', [tag.name]: names });
    }
  }

  /** Checks that nothing is demanded of callers that need not authenticate (GG3072). */
  check(owner: string): void {
    if (this.#auth?.text !== 'optional' || this.#demand === undefined) return;
    const labels = [{ span: this.#demand.span, message: `@${this.#demand.name} is here` }];
    this.draft.diagnostics.push(diagnose('GG3072', { owner }, this.#auth.span, { labels }));
  }

  #demands(tag: DocTag, access: Access): void {
    this.#demand ??= tag;
    this.access = joinAccess(this.access, access);
  }

  #readAuth(tag: DocTag): void {
    const { text } = tag;
    if (text !== 'required' && text !== 'optional') {
      reportBadValue(this.draft, tag, '“required” or “optional”');
    } else if (this.#auth === undefined) {
      this.#auth = tag;
      this.access = joinAccess(this.access, { auth: text });
    } else if (this.#auth.text !== text) reportContradiction(this.draft, tag, this.#auth);
  }

  #readOwner(tag: DocTag): void {
    if (whyInvalidName(tag.text) !== undefined) {
      reportBadValue(this.draft, tag, 'the name of the field with the id of the owner, such as patientId');
    } else if (this.#owner === undefined) {
      this.#owner = tag;
      this.#demands(tag, { auth: 'required', owner: tag.text });
    } else if (this.#owner.text !== tag.text) reportContradiction(this.draft, tag, this.#owner);
  }

  /** The scopes or roles behind a tag, with blanks between them. */
  #namesIn(tag: DocTag): readonly string[] {
    // Quotes and commas are parts of scopes, but here they are taken from lists of edges.
    if (tag.text === '' || /[[\]'",]/.test(tag.text)) {
      const expected =
        tag.name === 'roles'
          ? 'roles with blanks between them, such as admin doctor'
          : 'scopes with blanks between them, such as books:read books:write';
      reportBadValue(this.draft, tag, expected);
      return [];
    }
    const names = new Set(tag.text.split(/\s+/));
    return [...names].filter((name) => isValid(this.draft, tag.name, name, tag.span));
  }
}

/** Whether a text can be a scope or a role; both are words of a token (GG3071). */
function isValid({ diagnostics }: GraphDraft, tag: string, name: string, span: Span): boolean {
  const reason = whyInvalidScope(name);
  if (reason === undefined) return true;
  const what = tag === 'roles' ? 'role' : 'scope';
  diagnostics.push(diagnose('GG3071', { what, scope: name, reason }, span));
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
  draft.diagnostics.push(diagnose('GG2036', { tag: name, expected }, span));
}

/** Reports a tag at a place where it has no meaning (GG2037). */
export function reportMisplaced(draft: GraphDraft, { name, span }: DocTag, place: string): void {
  draft.diagnostics.push(diagnose('GG2037', { tag: name, place }, span));
}

/** Reports a tag that says another thing than one before it (GG2038). */
export function reportContradiction(draft: GraphDraft, second: DocTag, first: DocTag): void {
  const [one, other] = [textOf(second), textOf(first)];
  const labels = [{ span: first.span, message: `${other} is here` }];
  draft.diagnostics.push(diagnose('GG2038', { one, other }, second.span, { labels }));
}

function textOf({ name, text }: DocTag): string {
  return `@${name} ${text}`;
}
