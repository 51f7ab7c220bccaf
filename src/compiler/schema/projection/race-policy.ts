import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import type { GraphEdge } from '../../graph/graph-ir.js';
import type { JsonValue } from '../../graph/json-value.js';
import { agreed } from '../edge-settings/edge-settings.js';
import type { GqlRacePolicy } from '../gql-schema.js';

/** A policy: a setting of RACE edges that says how their race ends. */
interface RacePolicySetting {
  /** Its effect, for editors. */
  readonly detail: string;
  /** The begin of a value, which an editor inserts. */
  readonly snippet: string;
  /** The values that it takes, for messages. */
  readonly expected: string;
  /** Undefined for a value of another kind. Topologies for other programs write numbers in quotes. */
  readonly read: (value: JsonValue) => string | number | undefined;
}

const time = { snippet: '', expected: 'a number of milliseconds, such as 500', read: readWhole } as const;

/** The policies of races, by their words. */
export const racePolicies: ReadonlyMap<string, RacePolicySetting> = new Map([
  [
    'failure',
    {
      detail: 'what the failure of a branch does to the race',
      snippet: "'",
      expected: "'cancel', 'vent' or 'shield'",
      read: (value) => (/^(?:cancel|vent|shield)$/.test(String(value)) ? String(value) : undefined),
    },
  ],
  ['timeoutMs', { detail: 'the time of each branch in milliseconds', ...time }],
  ['deadlineMs', { detail: 'the time of the whole race in milliseconds', ...time }],
  [
    'quorum',
    {
      detail: 'the number of branches that must agree',
      snippet: '',
      expected: 'a number of branches, such as 2',
      read: readWhole,
    },
  ],
]);

/** The longest time that a timer of JavaScript can wait for, in milliseconds: about 24 days. */
export const longestTime = 2 ** 31 - 1;

/** A whole number from 1 to the longest time of a timer. */
function readWhole(value: JsonValue): number | undefined {
  const number = typeof value === 'string' ? Number(value) : value;
  return Number.isInteger(number) && (number as number) > 0 && (number as number) <= longestTime
    ? (number as number)
    : undefined;
}

/**
 * Reads the policy of a race; undefined without any. The edges of a race must agree on it (GG3037), a value of another
 * kind is an error (GG2018), and so is a quorum that the branches cannot form (GG3090). A time of the branches that the
 * deadline precedes has no effect (GG3091).
 */
export function readPolicy(
  race: string,
  edges: readonly GraphEdge[],
  branches: number,
  diagnostics: Diagnostic[],
): GqlRacePolicy | undefined {
  if (edges.every(({ settings }) => settings.size === 0)) return undefined;
  const found = new Map<string, string | number>();
  let timeout: Span | undefined;
  for (const [word, { expected, read }] of racePolicies) {
    const given = edges.flatMap(({ settings }) => settings.get(word) ?? []);
    if (given.length === 0) continue;
    const { value, span } = agreed(word, given, race, (finding) => diagnostics.push(finding));
    const setting = read(value);
    if (setting === undefined) {
      diagnostics.push(diagnose('GG2018', { property: word, expected }, span));
    } else if (word === 'quorum' && (Number(setting) < 2 || Number(setting) > branches)) {
      diagnostics.push(diagnose('GG3090', { quorum: Number(setting), race, branches }, span));
    } else {
      found.set(word, setting);
      if (word === 'timeoutMs') timeout = span;
    }
  }
  const { timeoutMs = 0, deadlineMs = longestTime }: GqlRacePolicy = Object.fromEntries(found);
  // No branch starts before the race.
  if (timeout !== undefined && timeoutMs >= deadlineMs) {
    diagnostics.push(diagnose('GG3091', { race, timeoutMs, deadlineMs }, timeout));
  }
  return found.size === 0 ? undefined : Object.fromEntries(found);
}
