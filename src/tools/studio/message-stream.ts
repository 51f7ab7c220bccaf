import type { StudioMessage } from './protocol.js';

/** The bytes that wait for one page. A page that falls further behind loses messages, and gets the state again. */
const maxWaiting = 1024 * 1024;

/** The interval of comments, which keep idle connections open, in milliseconds. */
const keepAlive = 15_000;

/** How long a page waits before it reconnects, in milliseconds: longer than a server that stops still accepts it. */
const retry = 1_500;

type Page = ReadableStreamDefaultController<Uint8Array>;

/** The messages to all open pages, as server-sent events. */
export class MessageStream {
  readonly #pages = new Map<Page, () => void>();
  /** The pages that have lost messages since they last read. */
  readonly #behind = new Set<Page>();
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
    if (this.hasPages) this.#push(eventOf(message));
  }

  /** Makes the stream of one more page. */
  open(): Response {
    let page: Page;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          page = controller;
          page.enqueue(Buffer.from(`retry: ${retry}\n\n`));
          if (this.#isClosed) page.close();
          else this.#add(page);
        },
        // The page has read, so there is room again.
        pull: () => {
          if (this.#behind.delete(page)) page.enqueue(eventOf(this.afterLoss()));
        },
        cancel: () => this.#remove(page),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: maxWaiting }),
    );
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  }

  /** Ends all streams, also those that are opened later. */
  close(): void {
    this.#isClosed = true;
    for (const page of this.#pages.keys()) {
      page.close();
      this.#remove(page);
    }
  }

  #push(event: Uint8Array): void {
    for (const page of this.#pages.keys()) {
      if (!this.#behind.has(page) && (page.desiredSize ?? 0) > 0) page.enqueue(event);
      else this.#behind.add(page);
    }
  }

  #add(page: Page): void {
    if (!this.hasPages) this.#timer = setInterval(() => this.#push(comment), keepAlive).unref();
    this.#pages.set(page, this.onOpen());
  }

  #remove(page: Page): void {
    this.#pages.get(page)?.();
    this.#pages.delete(page);
    this.#behind.delete(page);
    if (!this.hasPages) clearInterval(this.#timer);
  }
}

const comment = Buffer.from(':\n\n');

function eventOf(message: StudioMessage): Uint8Array {
  return Buffer.from(`data: ${JSON.stringify(message)}\n\n`);
}
