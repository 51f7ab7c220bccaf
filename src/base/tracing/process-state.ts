/** State of the process, even if a module is loaded twice: the command line is a bundle of its own. */
export function sharedState<State>(name: string, initial: State): State {
  const holder = globalThis as unknown as Record<symbol, State | undefined>;
  holder[Symbol.for(name)] ??= initial;
  return holder[Symbol.for(name)] as State;
}

type Flush = () => Promise<void>;

const flushes = sharedState('gg-svc.flush', new Map<'traces' | 'metrics', Flush>());

/** Exporters send in batches, so the rest of a signal is sent before the process ends. */
export function flushAtEnd(signal: 'traces' | 'metrics', flush: Flush): void {
  flushes.set(signal, flush);
  process.once('beforeExit', () => void flushTelemetry());
}

/**
 * Sends the spans and the metrics that wait in this process. It never rejects: an unreachable collector must not fail the
 * program, and the exporter reports it to OpenTelemetry's diagnostics.
 */
export async function flushTelemetry(): Promise<void> {
  await Promise.allSettled([...flushes.values()].map((flush) => flush()));
}
