import { AsyncLocalStorage } from 'node:async_hooks';
import { isTracing, withSvcSpan } from '../../base/tracing/svc-tracing.js';

/**
 * Runs a statement in a span with its text, but without the values of its parameters. While tracing is off, it costs the
 * check of one boolean. The attributes are those of the semantic conventions of OpenTelemetry for databases.
 */
export function traceStatement<Result>(system: 'sqlite' | 'postgresql', text: string, run: () => Result): Result {
  if (!isTracing() || untraced.getStore() === true) return run();
  const attributes = { 'db.system.name': system, 'db.query.text': text };
  return withSvcSpan('gg.store', run, { kind: 2, attributes });
}

const untraced = new AsyncLocalStorage<true>();

/** Runs statements that belong to no call, though one may have started them, without spans. */
export function withoutSpans<Result>(run: () => Promise<Result>): Promise<Result> {
  // Node 22 calls hooks for each promise of a process once it has run a storage.
  return isTracing() ? untraced.run(true, run) : run();
}
