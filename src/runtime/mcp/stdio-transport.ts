import { Transform } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { isTooDeep } from '../limits/parse-json.js';

/** Reads a message before the SDK gets it: true passes it on. */
export type MessageFilter = (message: JSONRPCMessage) => boolean | Promise<boolean>;

export class FilteredTransport implements Transport {
  onclose: (() => void) | undefined;
  onmessage: Transport['onmessage'];

  constructor(
    private readonly inner: Transport,
    private readonly filter: MessageFilter,
  ) {
    inner.onclose = () => this.onclose?.();
    inner.onmessage = (message, extra) => {
      const passes = this.filter(message);
      if (passes === true) this.onmessage?.(message, extra);
      else if (passes !== false)
        passes.then(
          (later) => later && this.onmessage?.(message, extra),
          (error: unknown) => this.onerror?.(error instanceof Error ? error : new Error(String(error))),
        );
    };
  }

  get onerror(): Transport['onerror'] {
    return this.inner.onerror;
  }

  set onerror(report: Transport['onerror']) {
    this.inner.onerror = report;
  }

  start(): Promise<void> {
    return this.inner.start();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.inner.send(message);
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}

/** The number of bytes at the end of a refused message in which its id is looked for. */
const tailLength = 300;

/**
 * Passes on the lines of an input that are messages within the limits. The SDK would end the connection for a longer one.
 *
 * @param refuse - Gets the id of each refused message, or null if it is not found, and the reason.
 */
export function limitLines(
  maximum: number,
  refuse: (id: string | number | null, reason: string) => void,
): Transform {
  let parts: Buffer[] = [];
  let size = 0;
  let tail = '';
  const add = (part: Buffer): void => {
    size += part.length;
    if (size <= maximum) parts.push(part);
    else {
      parts = [];
      tail = (tail + part.toString('latin1', Math.max(0, part.length - tailLength))).slice(-tailLength);
    }
  };
  const take = (): Buffer | undefined => {
    const line = Buffer.concat(parts);
    const text = line.toString();
    const reason =
      size > maximum
        ? `The message has more than ${maximum} bytes.`
        : isTooDeep(text)
          ? 'The message is nested too deeply.'
          : undefined;
    if (reason !== undefined) refuse(idAtEnd(size > maximum ? tail : text.slice(-tailLength)), reason);
    parts = [];
    size = 0;
    tail = '';
    return reason === undefined ? line : undefined;
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let start = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        add(chunk.subarray(start, end));
        const line = take();
        if (line !== undefined) this.push(Buffer.concat([line, Buffer.from([newline])]));
        start = end + 1;
      }
      if (start < chunk.length) add(chunk.subarray(start));
      done();
    },
  });
}

const newline = 0x0a;

/** Most clients write the id as the last member. */
function idAtEnd(text: string): string | number | null {
  const [, written] = /"id":(\d{1,15}|"[^"\\]{1,100}")\s*\}\s*$/.exec(text) ?? [];
  return written === undefined ? null : (JSON.parse(written) as string | number);
}
