import { OptionError } from '../../../base/diagnostics/option-error.js';
import { type SigningOptions, symmetricOptions } from '../../../runtime/auth/auth-config.js';
import { ownClaims, type TokenCaller } from '../../../runtime/auth/sign-token.js';
import type { CallerConfig } from '../../../runtime/config/project-config.js';
import { settingError } from '../../../runtime/server/load-config.js';
import { type CliOptions, type CliOptionTable, CommandFailure, repeatable, UsageError } from './command.js';
import { failure } from './failure.js';
import type { CliIo } from './io.js';
import { readPairs, readText } from './option-values.js';

/** The options that describe a caller, beside `--as`. */
export const callerOptions: CliOptionTable = {
  '--role <role>': repeatable('role of the caller; repeatable'),
  '--scope <scope>': repeatable('scope of the caller; repeatable'),
  '--claim <name=value>': repeatable('further claim of its token; repeatable'),
};

/** The caller of `--as`, with the settings that the project file has for its id; undefined without the option. */
export function readCaller(options: CliOptions): TokenCaller | undefined {
  const id = readText(options, 'as');
  const [roles, scopes] = [listOf(options.role), listOf(options.scope)];
  const given = readPairs(
    options.claim,
    '--claim',
    /^([^=\s]+)=(.*)$/s,
    'a name and a value, such as clinic=north',
  );
  const claims = Object.fromEntries(Object.entries(given).map(([name, text]) => [name, parseClaim(text)]));
  const taken = Object.keys(claims).find((name) => ownClaims.includes(name));
  if (taken !== undefined)
    throw new UsageError(`--claim cannot set ${taken}: use --as, --role, --scope or --ttl.`);
  if (id === '') throw new UsageError('--as must be the id of a caller.');
  if (id !== undefined) return callerOf(id, options.project?.callers, { roles, scopes, claims });
  if (options.role ?? options.scope ?? options.claim)
    throw new UsageError('--role, --scope and --claim need --as: the id of the caller.');
  return undefined;
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

/** JSON, or else a string. */
function parseClaim(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * How the project file lets this machine sign tokens.
 *
 * @throws {CommandFailure} GG5085 if only others can sign them, GG5042 if the secret cannot be used.
 */
export function readSigning(
  { project, projectPath = 'project file' }: CliOptions,
  io: CliIo,
): SigningOptions {
  const { jwt, apiKeys } = project?.server?.auth ?? {};
  const refuse = (reason: string, advice?: string) => failure('GG5085', { reason, advice }, projectPath);
  if (jwt === undefined) {
    if (apiKeys === undefined) throw refuse('the project file has no server.auth.jwt');
    throw refuse(
      'callers of this project authenticate with API keys',
      `Send the key of a caller in the header ${apiKeys.header ?? 'X-API-Key'}.`,
    );
  }
  if (jwt.jwks !== undefined)
    throw refuse(
      `server.auth.jwt verifies tokens with the public keys of ${jwt.jwks}, and only the issuer can sign them`,
      `Get a token from ${[jwt.issuer].flat().join(' or ')}, or set “secretFrom” in place of “jwks” while you develop.`,
    );
  try {
    return symmetricOptions(jwt, io.env);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    throw new CommandFailure([settingError(error, projectPath)]);
  }
}
