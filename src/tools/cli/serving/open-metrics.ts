import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import { describeSystemError } from '../../../base/read/read-bytes.js';
import { wholeFile } from '../../../base/source/span.js';
import { startMetrics, svcMetrics } from '../../../base/tracing/svc-metrics.js';
import type { MetricsConfig } from '../../../runtime/config/project-config.js';
import { CommandFailure } from '../terminal/command.js';
import type { CliIo } from '../terminal/io.js';

/**
 * Turns on the metrics of the project file: Prometheus reads them at an endpoint of its own, never on the public port.
 * The OpenTelemetry variables of the environment win.
 *
 * @throws {CommandFailure} GG5004 if a package is not installed, GG5003 if the port or the address cannot be used.
 */
export async function openMetrics(config: boolean | MetricsConfig | undefined, io: CliIo): Promise<void> {
  if (config === undefined || config === false || svcMetrics() !== undefined) return;
  const { host = 'localhost', port = 9464 } = (config === true ? undefined : config.prometheus) ?? {};
  const started = startMetrics({ kind: 'prometheus', host, port }, io.env);
  if (!started.ok) {
    const { missing = '', install = '' } = started;
    const place = wholeFile(missing);
    throw new CommandFailure([diagnose('GG5004', { module: missing, install }, place)]);
  }
  await started.listening.catch((error: unknown) => {
    const place = wholeFile(`${host}:${port}`);
    throw new CommandFailure([diagnose('GG5003', { port, reason: describeSystemError(error) }, place)]);
  });
}
