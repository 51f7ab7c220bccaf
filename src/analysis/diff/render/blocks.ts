import { appendTo } from '../../../compiler/graph/maps.js';
import type { ChangePlace, ChangeReach } from '../model/change.js';
import type { ComparedTopology, JudgedChange } from '../model/diff-report.js';

/** Changes with one level, place and waiver: a removed field is removed from its type and its input. */
export interface ChangeBlock {
  readonly changes: readonly JudgedChange[];
  readonly before: ChangePlace | undefined;
  readonly after: ChangePlace | undefined;
  readonly reach: ChangeReach;
}

/** Groups the changes of a topology into blocks, in the order of the first change of each. */
export function blocksOf({ changes }: ComparedTopology): readonly ChangeBlock[] {
  const blocks = new Map<string, JudgedChange[]>();
  for (const change of changes) appendTo(blocks, keyOf(change), change);
  return [...blocks.values()].map((block) => {
    const [first] = block as [JudgedChange];
    return { changes: block, before: first.before, after: first.after, reach: unite(block) };
  });
}

/** The reach of a change, a text for each kind with the first few names; empty if no operation is affected. */
export function describeReach(reach: ChangeReach): readonly string[] {
  const { queries, mutations, subscriptions, routes, requests, isComplete } = reach;
  const rows: readonly (readonly [string, string, readonly string[]])[] = [
    ['query', 'queries', queries],
    ['mutation', 'mutations', mutations],
    ['subscription', 'subscriptions', subscriptions],
    ['route', 'routes', routes],
    ['request', 'requests', requests],
  ];
  return rows
    .filter(([, , names]) => names.length > 0)
    .map(([one, several, names]) => `${names.length === 1 ? one : several} ${shorten(names)}`)
    .concat(isComplete ? [] : ['and others that are not listed']);
}

function shorten(names: readonly string[], limit = 8): string {
  if (names.length <= limit) return names.join(', ');
  return `${names.slice(0, limit).join(', ')} and ${names.length - limit} more`;
}

/** Changes without a place are unrelated to each other. */
function keyOf({ level, waiver, before, after, kind, coordinate }: JudgedChange): string {
  const keyOfPlace = (place: ChangePlace | undefined) =>
    place === undefined ? [] : [place.span.file, place.span.start, place.span.end];
  const places = [keyOfPlace(before), keyOfPlace(after)];
  const alone = before === undefined && after === undefined ? [kind, coordinate] : [];
  return JSON.stringify([level, waiver?.span.start, places, alone]);
}

function unite(changes: readonly JudgedChange[]): ChangeReach {
  const all = (key: Exclude<keyof ChangeReach, 'isComplete'>) => [
    ...new Set(changes.flatMap(({ reach }) => reach[key])),
  ];
  return {
    queries: all('queries'),
    mutations: all('mutations'),
    subscriptions: all('subscriptions'),
    routes: all('routes'),
    requests: all('requests'),
    isComplete: changes.every(({ reach }) => reach.isComplete),
  };
}
