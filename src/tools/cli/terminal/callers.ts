import { ownClaims, type TokenCaller } from '../../../runtime/auth/sign-token.js';
import type { CallerConfig } from '../../../runtime/config/project-config.js';
import { parseJson } from '../../workflows/read-answer.js';
import { type CliOptions, type CliOptionTable, repeatable, UsageError } from './command.js';
import { readPairs } from './option-values.js';

/** The options that describe a caller, beside `--as`. */
export const callerOptions: CliOptionTable = {
  '--role <role>': repeatable('role of the caller; repeatable'),
  '--scope <scope>': repeatable('scope of the caller; repeatable'),
  '--claim <name=value>': repeatable('further claim of its token; repeatable'),
};

/** The caller of `--as`, with the settings that the project file has for its id; undefined without the option. */
export function readCaller(options: CliOptions): TokenCaller | undefined {
  return readCallers(options)[0];
}

/** The callers of each `--as`, with the settings that the project file has for their ids. */
export function readCallers(options: CliOptions): readonly TokenCaller[] {
  const ids = listOf(options.as);
  const [roles, scopes] = [listOf(options.role), listOf(options.scope)];
  const given = readPairs(options.claim, '--claim', /^([^=\s]+)=(.*)$/s, 'a name and a value, such as clinic=north');
  const claims = Object.fromEntries(Object.entries(given).map(([name, text]) => [name, parseJson(text)]));
  const taken = Object.keys(claims).find((name) => ownClaims.includes(name));
  if (taken !== undefined) throw new UsageError(`--claim cannot set ${taken}: use --as, --role, --scope or --ttl.`);
  if (ids.includes('')) throw new UsageError('--as must be the id of a caller.');
  if ((options.role ?? options.scope ?? options.claim) !== undefined && ids.length !== 1)
    throw new UsageError(
      ids.length === 0
        ? '--role, --scope and --claim need --as: the id of the caller.'
        : '--role, --scope and --claim describe a single --as: list several callers in the project file.',
    );
  return ids.map((id) => callerOf(id, options.project?.callers, { roles, scopes, claims }));
}

/** All callers of the project file. */
export function listCallers({ project }: CliOptions): readonly TokenCaller[] {
  return Object.keys(project?.callers ?? {}).map((id) => callerOf(id, project?.callers));
}

function callerOf(
  id: string,
  known: Readonly<Record<string, CallerConfig>> = {},
  added: Omit<Partial<TokenCaller>, 'id'> = {},
): TokenCaller {
  const { roles = [], scopes = [], claims } = (Object.hasOwn(known, id) ? known[id] : undefined) ?? {};
  return {
    id,
    roles: [...roles, ...(added.roles ?? [])],
    scopes: [...scopes, ...(added.scopes ?? [])],
    claims: { ...claims, ...added.claims },
  };
}

function listOf(value: unknown): readonly string[] {
  return [value ?? []].flat().map(String);
}
