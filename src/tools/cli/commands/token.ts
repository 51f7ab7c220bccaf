import { OptionError } from '../../../base/diagnostics/option-error.js';
import { signToken, type TokenCaller } from '../../../runtime/auth/sign-token.js';
import { readSeconds } from '../../../runtime/traffic/read-setting.js';
import { readSigning } from '../files/signing.js';
import { callerOptions, readCaller } from '../terminal/callers.js';
import { type CliCommand, required, UsageError, withDefault } from '../terminal/command.js';
import { exitCodes } from '../terminal/io.js';

export const command: CliCommand = {
  project: 'options',
  options: {
    '--as <id>': required('id of the caller'),
    ...callerOptions,
    '--ttl <time>': withDefault('how long the token is valid: 90s, 15m, 1h or 1d', '1h'),
  },
  async run(_operands, options, io) {
    const caller = readCaller(options) as TokenCaller;
    const seconds = readTtl(options.ttl);
    io.stdout(`${await signToken(readSigning(options, io), caller, seconds)}\n`);
    return exitCodes.fine;
  },
};

function readTtl(value: unknown): number {
  try {
    return readSeconds('--ttl', value, 30 * 86_400);
  } catch (error) {
    throw error instanceof OptionError ? new UsageError(error.message) : error;
  }
}
