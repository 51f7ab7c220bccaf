import { svcMetrics, useMetrics } from '../../base/tracing/svc-metrics.js';
import type { RecorderOption } from '../http/telemetry/call-recorder.js';
import { Telemetry } from '../http/telemetry/telemetry.js';
import { assertPeers, requirePeer } from '../load/load-peer.js';
import { type LogOptions, openLogs, type Pino } from '../logs/logs.js';

/** The options of metrics and logs. */
export interface TelemetryOptions {
  /**
   * Whether requests, operations, races and events are counted with OpenTelemetry. Default: whether
   * `initSvcMetricsFromEnv` has turned metrics on before the server is created. With `true`, the program has registered a
   * meter provider.
   */
  readonly metrics?: boolean;
  /** Access and error lines as JSON, written with pino; `true` for the defaults. Default: errors go to the console. */
  readonly logs?: boolean | LogOptions;
}

/** Opens the metrics and logs of a server, and takes its recorder; undefined without any of them. */
export function openTelemetry(options: TelemetryOptions & RecorderOption): Telemetry | undefined {
  const { metrics, logs = false, recorder } = options;
  const instruments = metrics === true ? useMetrics() : metrics === false ? undefined : svcMetrics();
  if (metrics === true && instruments === undefined) assertPeers(['@opentelemetry/api']);
  const lines =
    logs === false
      ? undefined
      : openLogs(logs === true ? {} : logs, () => requirePeer<{ readonly pino: Pino }>(['pino'], 'pino').pino);
  const isOff = instruments === undefined && lines === undefined && recorder === undefined;
  return isOff ? undefined : new Telemetry(instruments, lines, recorder);
}
