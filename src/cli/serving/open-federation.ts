import type { FederationBundleSource } from '../../federation/node/bundle-source.js';
import { type CliOptions, UsageError } from '../terminal/command.js';
import type { CliIo } from '../terminal/io.js';
import { readText } from '../terminal/option-values.js';

/** Where the federation layer of a server takes its records from. */
export type OpenedFederation =
  | {
      readonly ok: true;
      /** Undefined without a bundle; false when the layer is left out. */
      readonly federation: FederationBundleSource | false | undefined;
    }
  | { readonly ok: false };

/**
 * Opens the signed bundle that `--federation` names, with the policy that `--trust` names. Why it cannot be served is
 * reported; so is what comes of every later bundle.
 *
 * @throws {UsageError} When one is given without the other.
 */
export async function openFederation(options: CliOptions, io: CliIo): Promise<OpenedFederation> {
  const bundle = readText(options, 'federation');
  const trust = readText(options, 'trust');
  if (bundle === undefined) {
    if (trust !== undefined)
      throw new UsageError('--trust needs a bundle to hold against it: --federation <bundle>.');
    return { ok: true, federation: options.federation === false ? false : undefined };
  }
  if (trust === undefined) {
    throw new UsageError('--federation needs the policy that says whose signatures count: --trust <policy>.');
  }
  const { openFederationBundle } = await import('../../federation/node/bundle-source.js');
  const { FederationError } = await import('../../federation/node/federation-error.js');
  const { reportFindings } = await import('../terminal/report-findings.js');
  try {
    const source = await openFederationBundle({
      bundle,
      trust,
      directory: io.directory,
      onReload: (diagnostics) => {
        reportFindings(diagnostics, [], io);
        const { epoch, refused } = source.status();
        const outcome =
          refused === null
            ? `Federation: epoch ${epoch} is served now.`
            : `Federation: epoch ${epoch} is served on.`;
        (refused === null ? io.stdout : io.stderr)(`${outcome}\n`);
      },
    });
    const { epoch, generatedAt } = source.status();
    io.stdout(`Federation: epoch ${epoch} of ${generatedAt}, from ${bundle}\n`);
    return { ok: true, federation: source };
  } catch (error) {
    if (!(error instanceof FederationError)) throw error;
    reportFindings(error.diagnostics, [], io);
    return { ok: false };
  }
}
