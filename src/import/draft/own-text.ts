import type { DraftTag } from './draft.js';

/** The description that a topology gives; undefined for the one that the compiler writes where there is none. */
export function givenDescription(description: string | undefined): string | undefined {
  return description !== undefined && isDefault.test(description) ? undefined : description;
}

const isDefault =
  /^(?:Query from topology edges? |Mutation \(fold\) from |Subscription \(fork\) from |Union \(race\) of )/;

/** A description without the sentences that stand for tags, and these tags. */
export function splitDescription(
  text: string | undefined,
  isDeprecated?: boolean,
): { readonly description: string | undefined; readonly tags: readonly DraftTag[] } {
  const tags: DraftTag[] = [];
  let description = text ?? '';
  const access =
    /(?:^|\n\n)(?:Requires authentication(?: with the scopes? (`.+`))?|(Authentication is optional))\.$/.exec(
      description,
    );
  if (access !== null) {
    description = description.slice(0, access.index);
    const scopes = access[1]?.replaceAll('`', '').replaceAll(',', '');
    tags.push(
      scopes === undefined
        ? { name: 'auth', text: access[2] === undefined ? 'required' : 'optional' }
        : { name: 'scopes', text: scopes },
    );
  }
  const rest = splitReason(description, isDeprecated);
  return { ...rest, tags: [...tags, ...rest.tags] };
}

/** A description without the reason of a deprecation, and its tag. */
export function splitReason(
  text: string,
  isDeprecated = deprecation.test(text),
): { readonly description: string | undefined; readonly tags: readonly DraftTag[] } {
  const reason = isDeprecated ? deprecation.exec(text) : null;
  const description = reason === null ? text : text.slice(0, reason.index);
  const tags = isDeprecated ? [{ name: 'deprecated', text: reason?.[1] ?? '' }] : [];
  return { description: description === '' ? undefined : description, tags };
}

/** The paragraph of a deprecation. */
const deprecation = /(?:^|\n\n)Deprecated: ([^\n]*)$/;
