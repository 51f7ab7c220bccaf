import type { StudioMessage } from './protocol.js';

/** The bytes that wait for one page. A page that falls further behind loses them, and gets the state again. */
const maxWaiting = 1024 * 1024;

/** The interval of comments, which keep idle connections open, in milliseconds. */
const keepAlive = 15_000;

/** How long a page waits before it reconnects, in milliseconds: longer than a server that stops still accepts it. */
const retry = 1_500;

/** The messages to all open pages, as server-sent events. */
export class MessageStream {
  readonly #pages = new Map<Page, () => void>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /**
   * @param afterLoss - Returns the message for a page that has lost messages.
   * @param onOpen - Called for each page that is opened; the returned function is called when it has left.
   */
  constructor(
    private readonly afterLoss: () => StudioMessage,
    private readonly onOpen: () => () => void,
  ) {}

  get hasPages(): boolean {
    return this.#pages.size > 0;
  }

  send(message: StudioMessage): void {
    if (!this.hasPages) return;
    const event = eventOf(message);
    for (const page of this.#pages.keys()) page.push(event, () => eventOf(this.afterLoss()));
  }

  open(): Response {
    const page = new Page();
    page.push(Buffer.from(`retry: ${retry}\n\n`));
    if (this.#isClosed) page.end();
    else {
      if (!this.hasPages) this.#timer = setInterval(() => this.#keepAlive(), keepAlive).unref();
      this.#pages.set(page, this.onOpen());
    }
    const body = page.stream(() => this.#remove(page));
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  }

  /** Ends all streams, also those that are opened later. */
  close(): void {
    this.#isClosed = true;
    for (const page of this.#pages.keys()) {
      page.end();
      this.#remove(page);
    }
  }

  #keepAlive(): void {
    for (const page of this.#pages.keys()) page.push(comment);
  }

  #remove(page: Page): void {
    this.#pages.get(page)?.();
    this.#pages.delete(page);
    if (!this.hasPages) clearInterval(this.#timer);
  }
}

const comment = Buffer.from(':\n\n');

function eventOf(message: StudioMessage): Buffer {
  return Buffer.from(`data: ${JSON.stringify(message)}\n\n`);
}

class Page {
  #waiting: Buffer[] = [];
  #size = 0;
  #hasEnded = false;
  /** Takes what waits; set while the connection asks for more. */
  #wake: (() => void) | undefined;

  /** @param afterLoss - Returns the event that replaces all others if they are too many. */
  push(event: Buffer, afterLoss: () => Buffer = () => event): void {
    const isOver = this.#size + event.length > maxWaiting;
    if (isOver) this.#take();
    const kept = isOver ? afterLoss() : event;
    this.#waiting.push(kept);
    this.#size += kept.length;
    this.#wake?.();
  }

  end(): void {
    this.#hasEnded = true;
    this.#wake?.();
  }

  /** The stream reads only what its connection takes. */
  stream(onLeave: () => void): ReadableStream<Uint8Array> {
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
      const events = this.#take();
      this.#wake = undefined;
      if (events.length > 0) controller.enqueue(Buffer.concat(events));
      else if (this.#hasEnded) controller.close();
      else this.#wake = () => pull(controller);
    };
    return new ReadableStream({ pull, cancel: onLeave }, { highWaterMark: 0 });
  }

  #take(): readonly Buffer[] {
    const taken = this.#waiting;
    this.#waiting = [];
    this.#size = 0;
    return taken;
  }
}
