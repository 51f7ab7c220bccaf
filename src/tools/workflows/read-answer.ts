import { readStream } from '../../base/read/read-stream.js';

const largestAnswer = 32 * 2 ** 20;

/** The text of a response. @throws {Error} If it is larger than 32 MiB. */
export async function readAnswer(response: Response): Promise<string> {
  const reading = await readStream(response.body, largestAnswer);
  if (!reading.ok) throw new Error('the answer is larger than 32 MiB');
  return new TextDecoder().decode(reading.bytes);
}

/** An event; its name is `message` unless the stream says otherwise. */
export type ReceivedEvent = NonNullable<Awaited<ReturnType<typeof readEvent>>>;

/**
 * The first event of a stream of Server-Sent Events (HTML standard, section 9.2.6); undefined if it ends without one.
 *
 * @throws {Error} If the event is larger than 32 MiB.
 */
export async function readEvent(response: Response) {
  const decoder = new TextDecoder();
  let text = '';
  let event = 'message';
  let data: string[] = [];
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > largestAnswer) throw new Error('the event is larger than 32 MiB');
    const lines = text.split(/\r\n|\r|\n/);
    text = lines.pop() ?? '';
    for (const line of lines) {
      const [, field, value = ''] = /^(\w+): ?(.*)$/s.exec(line) ?? [];
      if (field === 'event') event = value;
      else if (field === 'data') data.push(value);
      if (line !== '') continue;
      if (data.length > 0) return { event, data: data.join('\n') };
      event = 'message';
      data = [];
    }
  }
  return undefined;
}

/** The value of a JSON text; any other text is itself. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
