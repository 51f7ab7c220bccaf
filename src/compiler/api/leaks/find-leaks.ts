import type { Diagnostic } from '../../../base/diagnostics/diagnostic.js';
import type { GqlSchema } from '../../schema/gql-schema.js';
import { argumentLeaks } from './argument-leaks.js';
import { constantLeaks } from './constant-leaks.js';
import { eventLeaks } from './event-leaks.js';
import { keyLeaks } from './key-leaks.js';
import { ownerLeaks } from './owner-leaks.js';
import { problemLeaks } from './problem-leaks.js';
import { raceLeaks } from './race-leaks.js';
import { type LeakRule, Ways } from './ways.js';

const leakRules: readonly LeakRule[] = [
  raceLeaks,
  eventLeaks,
  argumentLeaks,
  constantLeaks,
  keyLeaks,
  problemLeaks,
  ownerLeaks,
];

/**
 * The leaks of a topology without errors: guarded values that reach callers with less, each with the path. Costs nothing
 * for a schema that says nothing of access.
 */
export function findLeaks(schema: GqlSchema): readonly Diagnostic[] {
  if (schema.security === undefined && !guardsInternally(schema)) return [];
  const ways = new Ways(schema);
  return leakRules.flatMap((rule) => [...rule(schema, ways)]);
}

/** Whether only internal operations or types are guarded: then every path to them is a leak. */
function guardsInternally({ internal }: GqlSchema): boolean {
  if (internal === undefined) return false;
  const { objects, queries } = internal;
  return [...objects, ...queries, ...objects.flatMap(({ fields }) => fields)].some(({ auth }) => auth === 'required');
}
