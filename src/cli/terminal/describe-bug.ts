import type { CliIo } from './io.js';

/** What is said of a mistake of our own: what came of it, and how to see where. */
export function describeBug(error: unknown, env: CliIo['env']): string {
  const withStack = env.GG_SVC_DEBUG === '1';
  const message = error instanceof Error ? error.message : String(error);
  const stack = withStack && error instanceof Error ? `${error.stack}\n` : '';
  const advice = withStack ? '' : ' Run it again with GG_SVC_DEBUG=1 for the details that a report needs.';
  return `gg-svc failed through a mistake of its own, not of yours: ${message}${advice}\n${stack}`;
}
