import type { ServerResponse } from 'node:http';

/**
 * Ends a stream without its end: the server shuts down, and the client has to connect again. Clients take a stream that
 * ends properly for one that is complete, and stay away.
 */
export class StreamCut extends Error {
  override readonly name = 'StreamCut';
}

/**
 * How long a stream stays open after its last event, in milliseconds. A client that is still busy with an event takes the
 * loss of its connection for an error that it must not repair (graphql-sse), so the event gets a head start.
 */
const headStart = 100;

export function cutTime(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, headStart));
}

/** Closes the connection of a response once its bytes are sent. The last chunk, which would end the body, is missing. */
export function cutResponse(outgoing: ServerResponse): void {
  outgoing.flushHeaders();
  if (outgoing.socket === null) outgoing.destroy();
  else outgoing.socket.destroySoon();
}

/**
 * Passes on the event stream of another package, which knows no such end. If the events behind it were cut, the message
 * that ends the stream is left out.
 */
export function cuttable(
  body: ReadableStream<Uint8Array>,
  isCut: () => boolean,
  isEnd: (text: string) => boolean,
): ReadableStream<Uint8Array> {
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (!isCut() || !isEnd(Buffer.from(chunk).toString())) controller.enqueue(chunk);
      },
      async flush() {
        if (!isCut()) return;
        await cutTime();
        throw new StreamCut();
      },
    }),
  );
}
