import type { Execution } from '../execute/execution.js';
import type { SubscriptionGauge } from './protocol.js';

/** The subscribers of each subscription, also of those without any. */
export function readGauges(executions: readonly Execution[]): readonly SubscriptionGauge[] {
  const now = performance.now();
  const gauges = new Map<string, SubscriptionGauge>();
  for (const { schema, subscriptions } of executions) {
    for (const name of Object.keys(schema.getSubscriptionType()?.getFields() ?? {}))
      if (!gauges.has(name)) gauges.set(name, { name, subscribers: 0, waiting: 0, lag: 0 });
    for (const { subscription, waiting = 0, waitingSince } of subscriptions.open) {
      const sum = subscription === undefined ? undefined : gauges.get(subscription);
      if (sum === undefined) continue;
      gauges.set(sum.name, {
        name: sum.name,
        subscribers: sum.subscribers + 1,
        waiting: sum.waiting + waiting,
        lag: Math.max(sum.lag, waitingSince === undefined ? 0 : Math.round(now - waitingSince)),
      });
    }
  }
  return [...gauges.values()];
}
