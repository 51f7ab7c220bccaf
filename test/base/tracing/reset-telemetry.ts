import { sharedState } from '../../../src/base/tracing/process-state.js';
import type { SpanCollector } from '../../../src/base/tracing/span-collector.js';
import '../../../src/base/tracing/svc-metrics.js';
import '../../../src/base/tracing/svc-tracing.js';

// A process turns telemetry on once. Registrations with OpenTelemetry stay.

interface TracingState {
  on: boolean;
  api: unknown;
  collector: SpanCollector | undefined;
  warnings: Set<string>;
}

export function stopTracing(): void {
  const state = sharedState<TracingState | undefined>('gg-svc.tracing', undefined) as TracingState;
  state.api = undefined;
  state.on = state.collector?.isRunning === true;
  state.warnings.clear();
  forgetFlush('traces');
}

export function stopMetrics(): void {
  const state = sharedState<object | undefined>('gg-svc.metrics', undefined) as object;
  Object.assign(state, { isOn: false, instruments: undefined });
  forgetFlush('metrics');
}

function forgetFlush(signal: string): void {
  sharedState<Map<string, unknown> | undefined>('gg-svc.flush', undefined)?.delete(signal);
}
