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

/**
 * The first event of a stream of Server-Sent Events; undefined if it ends without one.
 *
 * @throws {Error} If the event is larger than 32 MiB.
 */
export async function readEvent(response: Response): Promise<ReceivedEvent | undefined> {
  for await (const { event, data } of readBlocks(response)) if (data !== undefined) return { event, data };
  return undefined;
}

/**
 * The blocks of a stream of Server-Sent Events (HTML standard, section 9.2.6): events, and positions without data.
 *
 * @throws {Error} If an event is larger than 32 MiB.
 */
export async function* readBlocks(response: Response) {
  const decoder = new TextDecoder();
  let text = '';
  let event = 'message';
  let data: string[] = [];
  let id: string | undefined;
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > largestAnswer) throw new Error('the event is larger than 32 MiB');
    const lines = text.split(/\r\n|\r|\n/);
    text = lines.pop() ?? '';
    for (const line of lines) {
      const [, field, value = ''] = /^(\w+): ?(.*)$/s.exec(line) ?? [];
      if (field === 'event') event = value;
      else if (field === 'data') data.push(value);
      else if (field === 'id') id = value;
      if (line !== '') continue;
      const hasData = data.length > 0;
      if (hasData || id !== undefined) yield { event, data: hasData ? data.join('\n') : undefined, id };
      event = 'message';
      data = [];
      id = undefined;
    }
  }
}

/** The value of a JSON text; any other text is itself. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
