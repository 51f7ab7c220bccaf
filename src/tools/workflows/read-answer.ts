import { type EventBlock, eventBlocks } from '../../base/read/event-blocks.js';
import { readStream } from '../../base/read/read-stream.js';

const largestAnswer = 32 * 2 ** 20;

/** The text of a response. @throws {Error} If it is larger than 32 MiB. */
export async function readAnswer(response: Response): Promise<string> {
  const reading = await readStream(response.body, largestAnswer);
  if (!reading.ok) throw new Error('the answer is larger than 32 MiB');
  return new TextDecoder().decode(reading.bytes);
}

/** An event; its name is `message` unless the stream says otherwise. */
export interface ReceivedEvent {
  readonly event: string;
  readonly data: string;
}

/** The first event of a stream, if there is one. @throws {Error} If it is larger than 32 MiB. */
export async function readEvent(response: Response): Promise<ReceivedEvent | undefined> {
  for await (const { event, data } of readBlocks(response)) if (data !== undefined) return { event, data };
  return undefined;
}

/** The blocks of a stream of Server-Sent Events. @throws {Error} If an event is larger than 32 MiB. */
export function readBlocks({ body }: Response): AsyncGenerator<EventBlock, void, undefined> {
  return eventBlocks(body, { longestLine: largestAnswer });
}

/** The value of a JSON text; any other text is itself. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
