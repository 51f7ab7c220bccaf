import { resolve } from 'node:path';
import { isWebUrl } from '../../../../base/source/parse-url.js';
import { readFederationFile } from '../../../../federation/node/read-federation-file.js';
import { CommandFailure } from '../../terminal/command.js';
import type { CliIo } from '../../terminal/io.js';

/**
 * Reads a file, or also a URL where `mayBeUrl` is set. Keys and trust policies never come from a URL.
 *
 * @throws {CommandFailure} When it cannot be read.
 */
export async function readInput(name: string, io: CliIo, mayBeUrl = false): Promise<Uint8Array> {
  const location = mayBeUrl && isWebUrl(name) ? name : resolve(io.directory, name);
  const reading = await readFederationFile(location, name);
  if (!reading.ok) throw new CommandFailure([reading.problem]);
  return reading.bytes;
}
