import { diagnose } from '../../base/diagnostics/diagnostic.js';
import { type ByteLimit, type BytesReading, type ReadBytes, readBytes } from '../../base/read/read-bytes.js';
import { wholeFile } from '../../base/source/span.js';
import { bundleLimits } from '../bundle.js';

const limit: ByteLimit = {
  bytes: bundleLimits.bytes,
  exceeded: (name, size) =>
    diagnose('GG6001', { what: 'bytes', size, limit: bundleLimits.bytes }, wholeFile(name)),
};

/**
 * Reads a bundle, a policy or a key from a file or a URL: at most as many bytes as a bundle may have (GG6001).
 * Never rejects.
 *
 * @param known - The last reading; it is returned again if nothing has changed since.
 */
export function readFederationFile(location: string, name: string, known?: ReadBytes): Promise<BytesReading> {
  return readBytes(location, name, limit, 'application/json, */*;q=0.5', known && { known });
}
