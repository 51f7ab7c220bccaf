/** A block of a stream of Server-Sent Events: an event, or a position without data. */
export interface EventBlock {
  /** The name of the event; `message` unless the stream has another. */
  readonly event: string;
  /** Absent in a position. */
  readonly data: string | undefined;
  readonly id: string | undefined;
}

interface Reading {
  /** The most characters that a line may have. Default: any number. */
  readonly longestLine?: number;
  /** Waits for a chunk. Default: as long as it takes. */
  readonly wait?: <Chunk>(read: Promise<Chunk>) => Promise<Chunk>;
}

/**
 * The blocks of a stream of Server-Sent Events (WHATWG HTML, section 9.2.6), in browsers and in Node.js. The standard drops
 * a last block without a blank line after it.
 *
 * @throws {Error} If a line is too long.
 */
export async function* eventBlocks(
  stream: ReadableStream<Uint8Array> | null,
  { longestLine = Number.POSITIVE_INFINITY, wait = (read) => read }: Reading = {},
): AsyncGenerator<EventBlock, void, undefined> {
  const reader = stream?.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let event = 'message';
  let data: string[] | undefined;
  let id: string | undefined;
  try {
    for (;;) {
      const chunk = reader && (await wait(reader.read()));
      if (chunk?.value === undefined) return;
      rest += decoder.decode(chunk.value, { stream: true });
      if (rest.length > longestLine) throw new Error(`the event is larger than ${longestLine / 2 ** 20} MiB`);
      // A line feed that belongs to a carriage return at the end may come with the next chunk.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
        if (field === 'event') event = value;
        else if (field === 'id') id = value;
        else if (field === 'data') data = [...(data ?? []), value];
        if (line !== '') continue;
        if (data !== undefined || id !== undefined) yield { event, data: data?.join('\n'), id };
        [event, data, id] = ['message', undefined, undefined];
      }
    }
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}
