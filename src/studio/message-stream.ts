import type { StudioMessage } from './protocol.js';

/** The messages to all open pages, as server-sent events. */
export interface MessageStream {
  /** Whether a page is open. */
  readonly hasPages: boolean;
  /** Sends a message to all open pages. */
  send(message: StudioMessage): void;
  /** Makes the stream of one more page. */
  open(): Response;
  /** Ends all streams, also those that are opened later. */
  close(): void;
}

/** The bytes that wait for one page. A page that falls further behind loses them, and gets the state again. */
const maxWaiting = 1024 * 1024;

/** The interval of comments, which keep idle connections open, in milliseconds. */
const keepAlive = 15_000;

/** How long a page waits before it reconnects, in milliseconds: longer than a server that stops still accepts it. */
const retry = 1_500;

/**
 * Creates the messages of a studio.
 *
 * @param afterLoss - Returns the message for a page that has lost messages.
 * @param onOpen - Called for each page that is opened; the returned function is called when it has left.
 */
export function createMessageStream(
  afterLoss: () => StudioMessage,
  onOpen: () => () => void = () => () => undefined,
): MessageStream {
  const pages = new Map<Page, () => void>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const remove = (page: Page): void => {
    pages.get(page)?.();
    pages.delete(page);
    if (pages.size === 0) clearInterval(timer);
  };
  return {
    get hasPages() {
      return pages.size > 0;
    },
    send(message) {
      if (pages.size === 0) return;
      const event = eventOf(message);
      for (const page of pages.keys()) page.push(event, () => eventOf(afterLoss()));
    },
    open() {
      const page = new Page();
      page.push(Buffer.from(`retry: ${retry}\n\n`));
      if (pages.size === 0 && !isClosed) {
        timer = setInterval(() => {
          for (const open of pages.keys()) open.push(comment);
        }, keepAlive).unref();
      }
      if (!isClosed) pages.set(page, onOpen());
      const body = page.stream(() => remove(page));
      if (isClosed) page.end();
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    },
    close() {
      isClosed = true;
      for (const page of pages.keys()) {
        page.end();
        remove(page);
      }
    },
  };
}

const comment = Buffer.from(':\n\n');

function eventOf(message: StudioMessage): Buffer {
  return Buffer.from(`data: ${JSON.stringify(message)}\n\n`);
}

/** The messages that wait for a page. */
class Page {
  #waiting: Buffer[] = [];
  #size = 0;
  #hasEnded = false;
  #wake: () => void = () => {};

  /** @param afterLoss - Returns the event that replaces all others if they are too many. */
  push(event: Buffer, afterLoss: () => Buffer = () => event): void {
    const isOver = this.#size + event.length > maxWaiting;
    const kept = isOver ? afterLoss() : event;
    if (isOver) this.#waiting = [];
    this.#waiting.push(kept);
    this.#size = isOver ? kept.length : this.#size + kept.length;
    this.#wake();
  }

  end(): void {
    this.#hasEnded = true;
    this.#wake();
  }

  /** The stream reads only what its connection takes. */
  stream(onLeave: () => void): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          while (this.#size === 0 && !this.#hasEnded) {
            await new Promise<void>((resolve) => {
              this.#wake = resolve;
            });
          }
          if (this.#size === 0) controller.close();
          else {
            controller.enqueue(Buffer.concat(this.#waiting));
            this.#waiting = [];
            this.#size = 0;
          }
        },
        cancel: onLeave,
      },
      { highWaterMark: 0 },
    );
  }
}
