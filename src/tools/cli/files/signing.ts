import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { OptionError } from '../../../base/diagnostics/option-error.js';
import { type SigningOptions, symmetricOptions } from '../../../runtime/auth/auth-config.js';
import { projectRootOf } from '../../../runtime/load/project-root.js';
import { settingError } from '../../../runtime/server/load-config.js';
import { type CliOptions, CommandFailure } from '../terminal/command.js';
import { failure } from '../terminal/failure.js';
import type { CliIo } from '../terminal/io.js';
import { createFiles, writeFiles } from './write-files.js';

/** How a command signs and verifies tokens of its own: for one run, or with the secret of `dev`. */
export function ownSigning(name: string, secret: Uint8Array): SigningOptions {
  return { issuer: name, audience: name, algorithms: ['HS256'], jwks: secret };
}

/**
 * The secret of `dev` for a project without authentication: it is made once, in a folder that git ignores, and only the
 * user can read it. Undefined in production, where such a topology is not served.
 *
 * @throws {CommandFailure} GG4006 if it cannot be written.
 */
export async function developmentSigning(io: CliIo): Promise<SigningOptions | undefined> {
  if (io.env.NODE_ENV === 'production') return undefined;
  const directory = relative(io.directory, secretFolder(io));
  if (readDevelopmentSecret(io) === undefined) {
    await writeFiles(directory, { '.gitignore': '*\n' }, io);
    await createFiles(directory, { [secretFile]: randomBytes(32).toString('hex') }, io, 0o600);
  }
  return readDevelopmentSecret(io);
}

/**
 * How the project lets this machine sign tokens.
 *
 * @throws {CommandFailure} GG5085 if only others can sign them, GG5042 if the secret cannot be used.
 */
export function readSigning({ project, projectPath = 'project file' }: CliOptions, io: CliIo): SigningOptions {
  const { jwt, apiKeys } = project?.server?.auth ?? {};
  const refuse = (reason: string, advice?: string) => failure('GG5085', { reason, advice }, projectPath);
  if (jwt === undefined) {
    if (apiKeys === undefined) {
      const own = readDevelopmentSecret(io);
      if (own !== undefined) return own;
      throw refuse(
        'the project file has no server.auth.jwt, and gg-svc dev has made no secret yet',
        'gg-svc dev makes one for a topology with access settings. Or set server.auth.jwt with “secretFrom”: an environment variable with a secret.',
      );
    }
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

const secretFile = 'dev-secret';

function secretFolder({ directory }: CliIo): string {
  return join(projectRootOf(directory) ?? directory, '.gg-svc');
}

function readDevelopmentSecret(io: CliIo): SigningOptions | undefined {
  const path = join(secretFolder(io), secretFile);
  return existsSync(path) ? ownSigning('gg-svc dev', readFileSync(path)) : undefined;
}
