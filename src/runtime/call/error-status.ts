import { codeStatuses } from '../hooks/refusal.js';

const statuses: ReadonlyMap<unknown, number> = new Map<unknown, number>([
  ...codeStatuses,
  ['OPERATION_ABORTED', 499],
  ['NOT_IMPLEMENTED', 501],
  ['OPERATION_TIMEOUT', 504],
  // The external system of a channel failed.
  ['GG5011', 502],
  ['GG5012', 504],
  ['GG5013', 502],
  ['GG5014', 503],
  ['GG5015', 502],
  ['EVENT_NOT_PUBLISHED', 502],
  ['INVALID_EVENT_ID', 400],
  ['EVENTS_NOT_KEPT', 400],
  ['EVENTS_LOST', 410],
]);

/** The HTTP status of an error code; undefined for a code of the user. */
export function codeStatus(code: unknown): number | undefined {
  return statuses.get(code);
}

export function isServerFault(code: unknown): boolean {
  return (statuses.get(code) ?? 0) >= 500;
}
