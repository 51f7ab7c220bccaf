/** Everything that a client of one subscription got in a phase. */
export interface Heard {
  /** `userSaved over SSE` */
  readonly name: string;
  readonly subscription: string;
  /** The ids of events in their order; undefined for one without an id. */
  readonly ids: readonly (string | undefined)[];
  /** Further messages to the client, and how often: codes of errors, and how connections ended. */
  readonly told: Readonly<Record<string, number>>;
}

/** The events published in a phase. */
export interface Published {
  /** The acknowledged calls, and those without an answer. */
  readonly acknowledged: number;
  readonly unanswered: number;
  /** The events of acknowledged calls by their subscriptions, and the most that the others can have published. */
  readonly events: ReadonlyMap<string, number>;
  readonly possible: ReadonlyMap<string, number>;
  /** The ids of events with the subscriptions that they may belong to. */
  readonly receipts: readonly { readonly id: string; readonly subscriptions: readonly string[] }[];
}

/** The clients' view of a phase. */
export interface Verdict {
  /** Acknowledged events that a client did not get: with a message about the loss, and without one. */
  readonly lost: number;
  readonly lostSilently: number;
  /** Events beyond those of all calls: a change was made twice. */
  readonly doneTwice: number;
  /** Events that a client got again, and those that came after a later one. */
  readonly repeated: number;
  readonly outOfOrder: number;
}

/** Compares what was published with what clients got; the worst client counts. */
export function compare(
  published: Published,
  clients: readonly Heard[],
  { keepsEvents, extra = new Map() }: { readonly keepsEvents: boolean; readonly extra?: ReadonlyMap<string, number> },
): Verdict {
  const verdicts = clients.map(({ subscription, ids, told }) => {
    const known = eventsOf(ids);
    const distinct = new Set(known);
    const got = countEvents(ids);
    const sure = published.events.get(subscription) ?? 0;
    const missing = published.receipts.filter(
      ({ id, subscriptions }) =>
        subscriptions.length === 1 && subscriptions[0] === subscription && !distinct.has(eventOf(id)),
    );
    const lost = Math.max(missing.length, sure - got, 0);
    // A broker that keeps nothing says that by ending a connection: its clients cannot resume.
    const isTold = told.EVENTS_LOST !== undefined || (!keepsEvents && Object.keys(told).length > 0);
    const most = sure + (published.possible.get(subscription) ?? 0);
    return {
      lost: isTold ? lost : 0,
      lostSilently: isTold ? 0 : lost,
      doneTwice: extra.has(subscription) ? 0 : Math.max(0, got - most),
      repeated: known.length - distinct.size,
      outOfOrder: countFalls(known),
    };
  });
  const worst = (name: keyof Verdict) => Math.max(0, ...verdicts.map((one) => one[name]));
  return {
    lost: worst('lost'),
    lostSilently: worst('lostSilently'),
    doneTwice: worst('doneTwice'),
    repeated: worst('repeated'),
    outOfOrder: worst('outOfOrder'),
  };
}

/** The number of different events. */
function countEvents(ids: Heard['ids']): number {
  const known = eventsOf(ids);
  return new Set(known).size + ids.length - known.length;
}

/** Behind “~”, an id has the places of other partitions, which differ from one client to the next. */
function eventOf(id: string): string {
  return id.split('~', 1)[0] as string;
}

function eventsOf(ids: Heard['ids']): readonly string[] {
  return ids.flatMap((id) => (id === undefined ? [] : eventOf(id)));
}

/** The events that calls without an answer may still publish, after what clients got: an outbox sends them later. */
export function stillPossible({ events, possible }: Published, clients: readonly Heard[]): Map<string, number> {
  return new Map(
    [...possible].map(([name, most]) => {
      const counts = clients.filter(({ subscription }) => subscription === name).map(({ ids }) => countEvents(ids));
      return [name, Math.max(0, most - Math.max(0, Math.min(...counts) - (events.get(name) ?? 0)))];
    }),
  );
}

/** The events that come after a later one of their partition: an event has the form `name-log:number-event.partition`. */
function countFalls(events: readonly string[]): number {
  const reached = new Map<string, number>();
  return events.filter((event) => {
    const [, digits, partition = ''] = /:(\d+)-\w+(?:\.(\d+))?/.exec(event) ?? [];
    const number = Number(digits ?? 0);
    const before = reached.get(partition) ?? 0;
    reached.set(partition, number);
    return number < before;
  }).length;
}

/** Whether nothing that was acknowledged was lost without word, done twice, or delivered twice or out of order. */
export function isFine({ lostSilently, doneTwice, repeated, outOfOrder }: Verdict): boolean {
  return lostSilently + doneTwice + repeated + outOfOrder === 0;
}
