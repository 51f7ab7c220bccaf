import { operationCoordinate } from '../../../compiler/api/operation-coordinate.js';
import type { Monitor } from '../../logs/monitor.js';
import type { FollowedRun, RunNews } from '../../logs/run-news.js';
import type { PlannedStep } from './plan-chain.js';

/** Tells a monitor of a run of planned steps; undefined if the monitor follows none. */
export function progressOf(
  { runChanged }: Pick<Monitor, 'runChanged'>,
  { plan, ...run }: Omit<FollowedRun, 'steps'> & { readonly plan: readonly PlannedStep[] },
): ((news: RunNews) => void) | undefined {
  if (runChanged === undefined) return undefined;
  const steps = plan.map(({ step: { name, operation } }) => ({
    name,
    coordinate: operationCoordinate(operation),
  }));
  const followed = { ...run, steps };
  return (news) => runChanged(followed, news);
}
