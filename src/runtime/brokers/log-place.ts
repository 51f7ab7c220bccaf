import { beforeFirst, type DeliveredEvent, type EventPosition, type LogPage } from './broker.js';

/** The position of an event, and the id that its publisher gave it, if that is known. */
export type IdentifiedPosition = EventPosition & { readonly id?: string | undefined };

export type ReadLog = (after: number, most: number) => Promise<LogPage>;

/**
 * The place of a process in the log of its broker: the last event that it was given, and the last one that it published.
 * A broker that comes back older than it was gives the numbers after its end to other events, so places are compared by
 * the ids of their events, too.
 */
export class LogPlace {
  /** The last event that the process was given, or the position where it began. */
  given: IdentifiedPosition | undefined;
  /** The last number of the log, and the place at which the process was when it looked. */
  #end: { readonly at: IdentifiedPosition; readonly last: number } | undefined;
  #behind: IdentifiedPosition | undefined;
  #stopped: IdentifiedPosition | undefined;
  #published: IdentifiedPosition | undefined;

  /** Begins anew, because the log has lost its events. */
  beginAt(start: IdentifiedPosition | undefined): void {
    this.given = start;
    this.#published = undefined;
  }

  /** Takes the acknowledgement of an event; one that was published before may have an older position. */
  published(position: IdentifiedPosition): void {
    if (this.#published?.log === position.log && position.sequence <= this.#published.sequence) return;
    this.#published = position;
  }

  /** Whether the log still has its events. A dropped event counts until its number is used again. */
  async isKept(read: ReadLog): Promise<boolean> {
    const places = [this.given, this.#published];
    for (const place of places) {
      if (place === undefined) continue;
      const page = await read(Math.max(0, place.sequence - 1), 1);
      if (!isOn(page, place)) return false;
      if (place === this.given) this.#end = { at: place, last: page.last };
    }
    return true;
  }

  /**
   * Whether the log had events behind the place at the last look and at the one before, and none was given to the process in
   * between: a consumer can end without a word. Once for each place, because events that the log has dropped never come.
   *
   * @param isTaking - Whether the process takes an event at the moment, which may be a long time.
   */
  hasStopped(isTaking: boolean): boolean {
    const { given } = this;
    const isBehind = !isTaking && given !== undefined && this.#end?.at === given && this.#end.last > given.sequence;
    const isLong = isBehind && given === this.#behind;
    this.#behind = isBehind ? given : undefined;
    if (!isLong) return false;
    const { log, sequence } = this.#stopped ?? {};
    this.#stopped = given;
    return given.log !== log || given.sequence !== sequence;
  }

  /**
   * Takes the next event.
   *
   * @param isKnown - Whether the process was given it before.
   * @returns The number of events that are missing before it; `lost` if the log is not the one of the place any more, or
   * `repeated` if the process was given the event before.
   */
  take({ id, position, previous }: DeliveredEvent, isKnown: boolean): number | 'lost' | 'repeated' {
    if (position === undefined) return isKnown ? 'repeated' : 0;
    const last = this.given;
    const isSame = last !== undefined && last.log === position.log;
    if (isSame && position.sequence <= last.sequence && isKnown) return 'repeated';
    this.given = { ...position, id };
    if (last === undefined) return 0;
    const missing = position.sequence - last.sequence - 1;
    if (!isSame) return last.log === beforeFirst.log ? missing : 'lost';
    const isOther = previous !== undefined && last.id !== undefined && previous !== last.id;
    return missing < 0 || (missing === 0 && isOther) ? 'lost' : missing;
  }
}

/** Whether a page that should begin with the event of a position has it. */
function isOn(page: LogPage, { log, sequence, id }: IdentifiedPosition): boolean {
  // There was nothing to lose.
  if (sequence === 0) return true;
  if (page.log !== log || page.last < sequence) return false;
  const [found] = page.events;
  return found?.position?.sequence !== sequence || id === undefined || found.id === id;
}

/** A position with the id of its event, as far as the log still keeps it. */
export async function identify(position: EventPosition, read: ReadLog): Promise<IdentifiedPosition> {
  if (position.sequence === 0) return position;
  const [found] = (await read(position.sequence - 1, 1)).events;
  const { log, sequence } = found?.position ?? {};
  return log === position.log && sequence === position.sequence ? { ...position, id: found?.id } : position;
}
