/** One event of a stream. */
export interface StreamEvent {
  /** `message` without a field of that name. */
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** Reads a stream of Server-Sent Events (HTML standard, section 9.2.6). */
export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = '';
  /** The last id of the stream, which a client that reconnects sends; blocks without data have one, too. */
  lastId: string | undefined;

  constructor(response: Response) {
    this.#reader = (response.body as ReadableStream<Uint8Array>).getReader();
  }

  /** The next event; undefined at the end of the stream. Comments are skipped. */
  async next(): Promise<StreamEvent | undefined> {
    for (;;) {
      const fields = await this.block();
      if (fields === undefined) return undefined;
      const data = fields.get('data');
      if (data !== undefined) return { event: fields.get('event') ?? 'message', id: fields.get('id'), data };
    }
  }

  /** The fields of the next block, which may be no event; undefined at the end of the stream. */
  async block(): Promise<ReadonlyMap<string, string> | undefined> {
    let end = this.#text.indexOf('\n\n');
    for (; end === -1; end = this.#text.indexOf('\n\n')) {
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += this.#decoder.decode(value, { stream: true });
    }
    const lines = this.#text.slice(0, end).split('\n');
    this.#text = this.#text.slice(end + 2);
    const fields = new Map(lines.map((line) => [line.split(': ')[0] ?? '', line.slice(line.indexOf(': ') + 2)]));
    this.lastId = fields.get('id') ?? this.lastId;
    return fields;
  }

  /** Closes the connection, as a client does that goes away. */
  cancel(): Promise<void> {
    return this.#reader.cancel();
  }
}
