import { clausesOf } from '../graph/access.js';
import { ifGiven } from '../graph/maps.js';
import type { GqlAccess, GqlEnumType } from '../schema/gql-schema.js';

/** Access as sentences, with its names in code of Markdown; undefined if nothing is said of it. */
export function describeAccess(access: GqlAccess): string | undefined {
  const { auth, open } = access;
  // Nearly all fields.
  if (auth === undefined && open === undefined) return undefined;
  const sentences = [
    ...(auth === 'optional' ? ['Authentication is optional.'] : []),
    ...(auth === 'required' ? [`Requires authentication${describeDemands(access)}.`] : []),
    ...(open === undefined ? [] : [`Open on purpose: ${open.replace(/\s+/g, ' ').trim()}`]),
  ];
  return sentences.join(' ');
}

/** A description with the access of its place as a last paragraph. */
export function withAccess(description: string | undefined, place: GqlAccess): string | undefined {
  const access = describeAccess(place);
  return access === undefined ? description : [description, access].filter(Boolean).join('\n\n');
}

/** Whether callers need more than to be known: a scope, a role, or to be the owner. */
export function canBeForbidden(access: GqlAccess): boolean {
  return clausesOf(access).some(({ kind }) => kind !== 'auth');
}

/** Whether access has a word that neither `auth` nor a list of scopes can say. */
export function hasFurtherWords({ anyScope, roles, owner, open, further }: GqlAccess): boolean {
  return [anyScope, roles, owner, open, further].some((word) => word !== undefined);
}

/** ` with the scope a and one of the roles b, c as the owner in d`. */
function describeDemands(access: GqlAccess): string {
  const parts = [access, ...(access.further ?? [])].flatMap(({ scopes, anyScope, roles }) => [
    ...ifGiven(scopes, (all) => `the ${all.length === 1 ? 'scope' : 'scopes'} ${listed(all)}`),
    ...ifGiven(anyScope, (all) => `one of the scopes ${listed(all)}`),
    ...ifGiven(roles, (all) => `${all.length === 1 ? 'the role' : 'one of the roles'} ${listed(all)}`),
  ]);
  const owners = [access, ...(access.further ?? [])].flatMap(({ owner }) => owner ?? []);
  const having = parts.length === 0 ? '' : ` with ${parts.join(' and ')}`;
  return owners.length === 0 ? having : `${having} as the owner in ${listed(owners)}`;
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

/** A description with the reason of a deprecation, for formats that have no member for it. */
export function withReason(description: string | undefined, deprecated: string | undefined): string | undefined {
  if (deprecated === undefined) return description;
  return `${description === undefined || description === '' ? '' : `${description}\n\n`}Deprecated: ${deprecated}`;
}

/** The description of an enum with those of its values, for formats that have no member for them. */
export function describeEnum({ description, values, valueNotes }: GqlEnumType): string | undefined {
  if (valueNotes === undefined) return description;
  const lines = values.flatMap((value, at) => {
    const { description: text, deprecated } = valueNotes[at] ?? {};
    const said = [text?.replaceAll(/\s*\n\s*/g, ' '), deprecated && `Deprecated: ${deprecated}`].filter(Boolean);
    return said.length === 0 ? [] : [`- \`${value}\`: ${said.join(' ')}`];
  });
  return [description, lines.join('\n')].filter(Boolean).join('\n\n');
}
