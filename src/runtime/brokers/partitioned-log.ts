import { beforeFirst } from './broker.js';
import {
  type Backlog,
  EventIdError,
  type EventLog,
  type EventPlace,
  firstPlace,
  type LoggedStep,
  type ResumableBacklog,
  type ResumableLog,
} from './event-log.js';

/** The most partitions of a log. */
export const maxPartitions = 64;

/** The most characters of an id of a log, and of the number of a partition behind it. */
const longest = 7 + 1 + firstPlace.length + 15 + 1 + 2;

/**
 * The id of an event in a log of partitions is a vector: the id of the event in its own log, the number of its partition,
 * and the places of the other partitions, in their order and without the name of the log, which all have in common:
 * `0p3k8zd-1r9x2aa:105-0f3v1c9.1~1r9x2aa:7-0c1d5k2`. Its first part, before “~”, is the same wherever a client gets the event.
 */
export function vectorOf(at: number, own: string, places: readonly string[]): string {
  let id = `${own}.${at}`;
  for (const [other, place] of places.entries()) if (other !== at) id += `~${place.slice(nameLength)}`;
  return id;
}

/** The length of the name of a log, and of “-”, at the start of an id. */
const nameLength = 8;

/** Gives a place in a partition the id of a vector. */
export function inPartition(at: number, place: EventPlace, places: readonly string[]): EventPlace {
  const id = vectorOf(at, place.id, places);
  return { ...place, partition: at, id, event: id.split('~', 1)[0] as string };
}

/**
 * The ids of a vector. A number of partitions that has grown leaves older ids valid: their events come before all events
 * of the new partitions. An id of a single log comes from the time before it had partitions.
 *
 * @throws {EventIdError} If it is malformed, or has more partitions than the log.
 */
function placesOf(id: string, count: number): readonly string[] {
  const malformed = () => new EventIdError('The id of the event is malformed.');
  if (id.length > longest * maxPartitions) throw malformed();
  const [first = '', ...others] = id.split('~');
  const [, own = first, digits] = /^(.*)\.(0|[1-9]\d?)$/.exec(first) ?? [];
  const at = Number(digits ?? 0);
  if (at > others.length || (digits === undefined && others.length > 0)) throw malformed();
  if (others.length >= count)
    throw new EventIdError(`The id of the event has ${others.length + 1} partitions, and this server has ${count}.`);
  const places = others.map((place) => own.slice(0, nameLength) + place);
  places.splice(at, 0, own);
  while (places.length < count) places.push(own.slice(0, nameLength) + firstPlace);
  return places;
}

/** The partitions of a log as one log. */
export class PartitionedLog implements ResumableLog {
  constructor(private readonly logs: readonly EventLog[]) {}

  /** The place that the listeners of this process have reached in each partition. */
  get places(): readonly string[] {
    return this.logs.map((log) => log.latestId ?? log.placeOfEvent(beforeFirst).id);
  }

  get latestId(): string | undefined {
    if (this.logs.some(({ latestId }) => latestId === undefined)) return undefined;
    const { places } = this;
    return vectorOf(0, places[0] as string, places);
  }

  async recentId(most: number): Promise<string> {
    const each = Math.ceil(most / this.logs.length);
    const places = await Promise.all(this.logs.map((log) => log.recentId(each)));
    return vectorOf(0, places[0] as string, places);
  }

  async lag(): Promise<number | undefined> {
    const lags = await Promise.all(this.logs.map((log) => log.lag()));
    return lags.reduce((sum, lag) => (sum === undefined || lag === undefined ? undefined : sum + lag));
  }

  async readAfter(id: string, subscription: string): Promise<PartitionedBacklog> {
    const places = placesOf(id, this.logs.length);
    const reading = this.logs.map((log, at) => log.readAfter(places[at] as string, subscription));
    return new PartitionedBacklog(await Promise.all(reading), [...places]);
  }
}

/**
 * The events of one subscription that the partitions keep. They are read one after the other to their ends: when the number
 * of partitions has grown, the events of a key that has moved come from its earlier partition first, which has the lower
 * number.
 */
class PartitionedBacklog implements ResumableBacklog {
  #at = 0;

  constructor(
    private readonly backlogs: readonly Backlog[],
    private readonly places: string[],
  ) {}

  isPast(place: EventPlace): boolean {
    return this.backlogs[place.partition ?? 0]?.isPast(place) === true;
  }

  async read(): ReturnType<Backlog['read']> {
    const steps: LoggedStep[] = [];
    for (; this.#at < this.backlogs.length; this.#at += 1) {
      const backlog = this.backlogs[this.#at] as Backlog;
      const page = await backlog.read();
      for (const step of page.steps) {
        // Partitions that were lost together are one loss.
        const isRepeated = isUnknown(step) && isUnknown(steps.at(-1));
        if (!isRepeated) steps.push(this.#placed(step));
      }
      // Its place was lost: the client must not come back with it.
      const last = page.steps.at(-1);
      if (last !== undefined && 'missing' in last) this.places[this.#at] = backlog.reachedId;
      if (!page.isAtEnd) return { steps, isAtEnd: false };
    }
    this.#at = 0;
    return { steps, isAtEnd: true };
  }

  /** Gives an event the id of a vector, and remembers its place. */
  #placed(step: LoggedStep): LoggedStep {
    if ('missing' in step || step.place === undefined) return step;
    this.places[this.#at] = step.place.id;
    return { ...step, place: inPartition(this.#at, step.place, this.places) };
  }
}

/** Whether an unknown number of events is missing. */
function isUnknown(step: LoggedStep | undefined): boolean {
  return step !== undefined && 'missing' in step && step.missing === undefined;
}
