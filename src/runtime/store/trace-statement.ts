import { isTracing, withSvcSpan } from '../../base/tracing/svc-tracing.js';

/**
 * Runs a statement in a span with its text, but without the values of its parameters. While tracing is off, it costs the
 * check of one boolean. The attributes are those of the semantic conventions of OpenTelemetry for databases.
 */
export function traceStatement<Result>(
  system: 'sqlite' | 'postgresql',
  text: string,
  run: () => Promise<Result>,
): Promise<Result> {
  if (!isTracing()) return run();
  const attributes = { 'db.system.name': system, 'db.query.text': text };
  return withSvcSpan('gg.store', run, { kind: 2, attributes });
}
