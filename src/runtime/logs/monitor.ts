import { randomBytes } from 'node:crypto';

/** The place in the topology of a fault: a field, the edges of an operation, and `file:line:column` of each. */
export interface FaultPlace {
  /** The field: `Query.readUser`, `User.email`. */
  readonly coordinate: string;
  /** The edges of an operation: `root -[:PROCESS]-> read_user`. */
  readonly edges?: readonly string[];
  /** `file:line:column`, one for each edge of an operation. */
  readonly places: readonly string[];
}

/** An operation that metrics or logs record. */
export interface TrackedOperation {
  /** The trace that it is in; set while tracing is on. */
  traceId: string | undefined;
}

/**
 * Receives what happens in a server that clients do not see. It is the only owner of reporting: without the option
 * `logs`, faults go to the console.
 */
export interface Monitor {
  /**
   * Reports a fault, whose client gets a masked error. Never throws.
   *
   * @param fault - Any thrown value.
   * @param request - The tracked request of the fault; undefined if none is known, or the server has no logs.
   * @param reference - The reference that its client got; undefined if the client got the fault itself.
   */
  fault(fault: unknown, place?: FaultPlace, request?: object, reference?: string): void;
  /** Reports a condition that is not an exception, such as an event that cannot be completed. Never throws. */
  notice(message: string, place?: FaultPlace): void;
  /** A race has ended. The names are those of the union and of its members. */
  raceEnded?(union: string, winner: string | undefined, cancelled: readonly string[]): void;
  /** A step of a run of a chain has begun or ended, or the run has. Absent unless calls are recorded. */
  readonly runChanged?: ((run: FollowedRun, news: RunNews) => void) | undefined;
  /** Takes a function that tells of the last durable runs, and calls it whenever runs begin to be followed. */
  followRuns?(tell: () => void): void;
  /** Subscribers of this process have got an event; called once for all that share its result. */
  eventDelivered?(subscription: string, payload: unknown, subscribers: number): void;
  /** Events are missing, because the broker no longer has them; their number is undefined if it is not known. */
  eventsLost?(missing: number | undefined): void;
  /** A subscription was ended, because more events waited than its queue holds. */
  subscriberTooSlow?(subscription: string): void;
}

/**
 * Reports a fault. With `masking`, its client gets only a reference: 12 hexadecimal digits, which stand in the report as
 * well. Without, the client gets the fault itself, which needs none.
 */
export function reportFault(
  { monitor, masking }: { readonly monitor: Monitor; readonly masking: boolean },
  fault: unknown,
  place?: FaultPlace,
  request?: object,
): { readonly reference?: string } {
  if (!masking) {
    monitor.fault(fault, place, request);
    return {};
  }
  const reference = randomBytes(6).toString('hex');
  monitor.fault(fault, place, request, reference);
  return { reference };
}

/** Reports on the console. */
export const consoleMonitor: Monitor = {
  fault(fault, place, _, reference) {
    try {
      const prefix = [reference && `reference ${reference}`, place && describeFaultPlace(place)];
      const known = prefix.filter((part) => part !== undefined);
      console.error(...(known.length === 0 ? [] : [`${known.join(', ')}:`]), fault);
    } catch {
      // Printing a hostile object may throw.
      console.error('An error was thrown that cannot be printed.');
    }
  },
  notice: (message, place) => console.error(place === undefined ? message : `${describeFaultPlace(place)}: ${message}`),
};

/** `Query.readUser (root -[:PROCESS]-> read_user, service.gg:45:1)` */
function describeFaultPlace({ coordinate, edges = [], places }: FaultPlace): string {
  return `${coordinate} (${[...edges, ...places].join(', ')})`;
}

/** The run of a chain, of which a monitor follows the steps. */
export interface FollowedRun {
  readonly id: string;
  readonly chain: string;
  readonly isDurable: boolean;
  /** When it began, in milliseconds since 1970; absent if that is now. */
  readonly start?: number | undefined;
  /** Its steps, in the order in which they run. */
  readonly steps: readonly { readonly name: string; readonly coordinate: string }[];
}

/**
 * The states of a step whose turn has come: it waits for its event or its time, or has begun. A step that is `retrying`
 * runs again later.
 */
export type StepState = 'waiting' | 'running' | 'retrying' | 'done' | 'failed' | 'undone';

/** An event of a run: of one of its steps, or of the run as a whole. */
export type RunNews =
  | { readonly step: string; readonly state: StepState; readonly detail?: string | undefined }
  | {
      readonly step?: undefined;
      readonly state: 'undoing' | 'completed' | 'failed' | 'cancelled';
      readonly detail?: string;
      /** When it ended, in milliseconds since 1970; absent if that is now. */
      readonly at?: number | undefined;
    };
