import type { FederationBundleSource } from '../../../federation/node/bundle-source.js';
import { type CliOptions, CommandFailure, UsageError } from '../terminal/command.js';
import type { CliIo } from '../terminal/io.js';
import { readText } from '../terminal/option-values.js';
import { reportFindings } from '../terminal/report-findings.js';

/**
 * Opens the bundle of `--federation` with the trust policy of `--trust`. Later versions of the bundle are
 * reported when they are loaded.
 *
 * @returns Undefined without a bundle; false with `--no-federation`.
 */
export async function openFederation(
  options: CliOptions,
  io: CliIo,
): Promise<FederationBundleSource | false | undefined> {
  const bundle = readText(options, 'federation');
  const trust = readText(options, 'trust');
  if (bundle === undefined) {
    if (trust !== undefined) throw new UsageError('--trust requires --federation <bundle>.');
    return options.federation === false ? false : undefined;
  }
  if (trust === undefined) throw new UsageError('--federation requires --trust <policy>.');
  const { FederationError, openFederationBundle } = await import('../../../federation/node/bundle-source.js');
  try {
    const source = await openFederationBundle({
      bundle,
      trust,
      directory: io.directory,
      onReload: (diagnostics) => {
        reportFindings(diagnostics, [], io);
        const { epoch, refused } = source.status();
        if (refused === null) io.stdout(`Federation: now serving epoch ${epoch}.\n`);
        else io.stderr(`Federation: bundle refused; still serving epoch ${epoch}.\n`);
      },
    });
    const { epoch, generatedAt } = source.status();
    io.stdout(`Federation: epoch ${epoch} of ${generatedAt}, from ${bundle}\n`);
    return source;
  } catch (error) {
    if (!(error instanceof FederationError)) throw error;
    throw new CommandFailure(error.diagnostics);
  }
}
