import type { Readable } from 'node:stream';
import { UploadError } from './upload-error.js';

/** The client's description of a file. */
export interface FileHead {
  /** The name without a path; never use it as one. */
  readonly filename: string;
  /** The media type that the client states, which nothing has checked. */
  readonly mediaType: string;
}

/**
 * A file that a client uploads, as resolvers receive it. It is read from the connection while the resolver reads it, and
 * the server keeps none of it; after the mutation it can no longer be read.
 */
export interface GgFile {
  /** The name and the media type; of several files, a later one has them once the earlier ones are read. */
  head(): Promise<FileHead>;
  /**
   * The content, at the speed of its reader. Fails if the file is larger than the limit, or does not arrive whole.
   *
   * @throws {TypeError} If it was called before.
   */
  stream(): ReadableStream<Uint8Array>;
  /**
   * The whole content.
   *
   * @param maximum - The number of bytes above which it fails. Default: that of `limits.fileBytes`.
   */
  bytes(maximum?: number): Promise<Uint8Array>;
}

/** A file of a form once it has arrived. */
export interface Arrival extends FileHead {
  readonly source: Readable;
}

interface Queue {
  /** Waits until the file has arrived; files before it that no one reads are skipped. */
  arrivalOf(file: UploadedFile): Promise<Arrival>;
  /** Waits until it is known that the form continues, or ends, as it should. */
  continued(file: UploadedFile): Promise<void>;
}

export class UploadedFile implements GgFile {
  /** Settled when it arrives, or cannot arrive any more. */
  readonly arrived: Promise<Arrival>;
  arrival: Arrival | undefined;
  #arrive!: (arrival: Arrival) => void;
  #miss!: (error: Error) => void;
  #isOpen = false;
  #error: unknown;

  /** @param isFirst - Whether it was there when its call began. */
  constructor(
    readonly name: string,
    private readonly queue: Queue,
    private readonly isFirst: boolean,
  ) {
    this.arrived = new Promise((resolve, reject) => {
      this.#arrive = resolve;
      this.#miss = reject;
    });
    this.arrived.catch(ignore);
  }

  /** Whether it has arrived and no one reads it. */
  get isIdle(): boolean {
    return this.arrival !== undefined && !this.#isOpen;
  }

  settle(arrival: Arrival): void {
    this.arrival = arrival;
    this.#arrive(arrival);
  }

  fail(error: Error): void {
    this.#error = error;
    this.#miss(error);
    this.arrival?.source.destroy(error);
  }

  /** Discards the content, so that later files can arrive. */
  skip(): void {
    this.#error = new Error(`The file “${this.name}” was skipped, because a later one was read before it.`);
    this.#isOpen = true;
    this.arrival?.source.resume();
  }

  async head(): Promise<FileHead> {
    const { filename, mediaType } = await this.queue.arrivalOf(this);
    return { filename, mediaType };
  }

  stream(): ReadableStream<Uint8Array> {
    if (this.#error !== undefined) throw this.#error;
    if (this.#isOpen) throw new TypeError(`The file “${this.name}” was read before.`);
    this.#isOpen = true;
    const chunks = this.#chunks();
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await chunks.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: () => void this.#discard(chunks).catch(ignore),
      },
      { highWaterMark: 0 },
    );
  }

  async bytes(maximum = Infinity): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    // Leaving the loop cancels the stream.
    for await (const chunk of this.stream()) {
      length += chunk.length;
      if (length > maximum) throw tooLarge(this.name, maximum);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  /**
   * The value that the fingerprint of a call compares: the same for a repeat that sends its parts in the same order.
   */
  toJSON(): Partial<FileHead> {
    if (!this.isFirst || this.arrival === undefined) return {};
    const { filename, mediaType } = this.arrival;
    return { filename, mediaType };
  }

  /** The parser goes on to the next part only if the rest of this one is read. */
  async #discard(chunks: AsyncGenerator<Uint8Array, void>): Promise<void> {
    await chunks.return();
    const { source } = await this.arrived;
    source.resume();
  }

  async *#chunks(): AsyncGenerator<Uint8Array, void> {
    const { source } = await this.queue.arrivalOf(this);
    for await (const chunk of source.iterator({ destroyOnReturn: false })) yield chunk as Uint8Array;
    await this.queue.continued(this);
  }
}

export function tooLarge(name: string, maximum: number) {
  return new UploadError(413, 'UPLOAD_TOO_LARGE', `The file “${name}” has more than ${maximum} bytes.`);
}

function ignore(): void {}
