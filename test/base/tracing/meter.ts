import { metrics } from '@opentelemetry/api';
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { stopMetrics } from './reset-telemetry.js';

/** One series: its attributes and its value; of a histogram, the number of measurements. */
export interface Series {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly value: number;
}

/** Metrics kept in memory, for as long as a test looks at them. */
export interface Meter {
  /** The series of a metric; empty if nothing was measured. */
  series(name: string): Promise<readonly Series[]>;
  /** The series of all metrics. */
  all(): Promise<ReadonlyMap<string, readonly Series[]>>;
  stop(): void;
}

/** Registers a meter provider, as a program of its own would. Servers measure with the option `metrics: true`. */
export function startMeter(): Meter {
  const reader = new TestReader();
  stopMetrics();
  metrics.disable();
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  const all = async () => {
    const { resourceMetrics } = await reader.collect();
    return new Map(
      resourceMetrics.scopeMetrics
        .flatMap((scope) => scope.metrics)
        .map(({ descriptor, dataPoints }) => [
          descriptor.name,
          dataPoints.map(({ attributes, value }) => ({
            attributes,
            value: typeof value === 'number' ? value : value.count,
          })),
        ]),
    );
  };
  return {
    all,
    series: async (name) => (await all()).get(name) ?? [],
    stop() {
      stopMetrics();
      metrics.disable();
    },
  };
}

class TestReader extends MetricReader {
  protected async onShutdown(): Promise<void> {}
  protected async onForceFlush(): Promise<void> {}
}
