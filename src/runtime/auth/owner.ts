import { OptionError } from '../../base/diagnostics/option-error.js';
import { type Principal, rolesOf } from './principal.js';

/** How callers are compared with the owners of data: the option `owners` of a server. */
export interface OwnerOptions {
  /** The claim of a caller that is compared with the values of `owner`. Default: the id of the caller. */
  readonly claim?: string;
  /** The roles whose callers act for every owner. */
  readonly exempt?: readonly string[];
}

/** Finds the owner that a caller is; undefined for one that acts for every owner. */
export type OwnerOf = ReturnType<typeof createOwners>;

/** A caller as the owner of data; its id is undefined if it owns nothing. */
export type Owner = NonNullable<ReturnType<OwnerOf>>;

/** Reads the option `owners`; throws a `TypeError` if it is invalid. */
export function createOwners(options: OwnerOptions = {}) {
  const { claim, exempt = [], ...unknown } = options;
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw new OptionError(`owners.${name}`, 'be absent: there is no such option');
  if (claim !== undefined && (typeof claim !== 'string' || claim === ''))
    throw new OptionError('owners.claim', 'be the name of a claim');
  if (!Array.isArray(exempt) || !exempt.every((role) => typeof role === 'string'))
    throw new OptionError('owners.exempt', 'be a list of roles');
  return (principal: Principal | null) => {
    if (principal !== null && rolesOf(principal).some((role) => exempt.includes(role))) return undefined;
    const id = principal === null ? undefined : textOf(claim === undefined ? principal.id : principal.claims?.[claim]);
    /** Whether a value names this caller; of a list, each item. Null and an empty list name no caller. */
    const owns = (value: unknown): boolean =>
      Array.isArray(value) ? value.length > 0 && value.every(owns) : id !== undefined && textOf(value) === id;
    return { id, owns };
  };
}

/** An id is a string or a number. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
