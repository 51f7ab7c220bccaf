import { type Access, accessOf } from '../../../compiler/graph/access.js';
import { isDefaultDescription } from '../../../compiler/schema/edge-rules/edge-rules.js';
import type { DraftTag } from './draft.js';

/** The description from a topology; undefined for the default that the compiler writes. */
export function givenDescription(description: string | undefined): string | undefined {
  return isDefaultDescription(description) ? undefined : description;
}

/** A description without the sentences that the compiler writes for tags, and these tags. */
export function splitDescription(text: string | undefined, isDeprecated?: boolean) {
  const tags: DraftTag[] = [];
  let description = text ?? '';
  const access =
    /(?:^|\n\n)(?:(Requires authentication|Authentication is optional)((?: (?:with|as) .+?)?)\.)?(?: ?Open on purpose: ([^\n]*))?$/.exec(
      description,
    );
  if (access !== null && access[0] !== '') {
    description = description.slice(0, access.index);
    const [, auth, demands = '', open] = access;
    const given = [...demands.matchAll(demandTexts)].map(([, word = '', names = '']): DraftTag => {
      return { name: tagsOfDemands[word] ?? 'owner', text: names.replaceAll('`', '').replaceAll(',', '') };
    });
    if (given.length > 0) tags.push(...given);
    else if (auth !== undefined)
      tags.push({ name: 'auth', text: auth.startsWith('Requires') ? 'required' : 'optional' });
    if (open !== undefined) tags.push({ name: 'open', text: open });
  }
  const rest = splitReason(description, isDeprecated);
  return { ...rest, tags: [...tags, ...rest.tags] };
}

/** The access that tags demand; of several lists of roles, the first. */
export function accessOfTags(tags: readonly DraftTag[]): Access {
  const text = (wanted: string) => tags.find(({ name }) => name === wanted)?.text;
  const names = (wanted: string) => text(wanted)?.split(' ');
  const auth = text('auth');
  const needsCaller = tags.some(({ name }) => name !== 'open' && accessWords.has(name));
  const access = { scopes: names('scopes'), anyScope: names('anyScope'), roles: names('roles') };
  return accessOf({
    ...access,
    auth: auth === 'optional' ? auth : needsCaller ? 'required' : undefined,
    owner: text('owner'),
    open: text('open'),
  });
}

export function isAccessTag({ name }: DraftTag): boolean {
  return accessWords.has(name);
}

const accessWords: ReadonlySet<string> = new Set(['auth', 'scopes', 'anyScope', 'roles', 'owner', 'open']);

const demandTexts = /(the scopes?|one of the scopes|the role|one of the roles|as the owner in) ((?:`[^`]+`(?:, )?)+)/g;

const tagsOfDemands: Readonly<Record<string, string>> = {
  'the scope': 'scopes',
  'the scopes': 'scopes',
  'one of the scopes': 'anyScope',
  'the role': 'roles',
  'one of the roles': 'roles',
};

/** A description without the reason of a deprecation, and its tag. */
export function splitReason(text: string, isDeprecated = deprecation.test(text)) {
  const reason = isDeprecated ? deprecation.exec(text) : null;
  const description = reason === null ? text : text.slice(0, reason.index);
  const tags = isDeprecated ? [{ name: 'deprecated', text: reason?.[1] ?? '' }] : [];
  return { description: description === '' ? undefined : description, tags };
}

const deprecation = /(?:^|\n\n)Deprecated: ([^\n]*)$/;
